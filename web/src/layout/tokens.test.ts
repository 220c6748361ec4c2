import { expect, test } from 'vitest';
import { ends, linePieces, seen, tokenPieces } from './tokens';

test.each([
  { text: '', want: '' },
  { text: 'orders', want: 'orders' },
  { text: '*', want: '[*]' },
  { text: 'orders.*.created', want: 'orders.[*].created' },
  { text: 'a.*.*.>', want: 'a.[*].[*].[>]' },
  { text: 'foo*.>x', want: 'foo*.>x' },
  { text: 'a..*', want: 'a..[*]' },
])('$text', ({ text, want }) => {
  expect(tokenPieces(text).map((piece) => (piece.wild ? `[${piece.text}]` : piece.text)).join('')).toBe(want);
});

const drawn = (text: string) => tokenPieces(text).map((piece) => (piece.mark ? `{${piece.text}}` : piece.turned ? `(${piece.text})` : piece.text)).join('');

test.each([
  { name: 'an override of the direction', text: 'a.\u202etxt.b', want: 'a.{U+202E}txt.b' },
  { name: 'a zero width space', text: 'zero\u200bwidth', want: 'zero{U+200B}width' },
  { name: 'controls by their names', text: 'a\0b\tc\u007f', want: 'a{NUL}b{TAB}c{DEL}' },
  { name: 'spaces', text: 'a b.\u00a0', want: 'a{SPACE}b.{NBSP}' },
  { name: 'each token that runs from the right stands alone', text: 'א.ב.c', want: '(א).(ב).c' },
  { name: 'letters of other scripts', text: 'größe.日本.é', want: 'größe.日本.é' },
])('drawn: $name', ({ text, want }) => {
  expect(drawn(text)).toBe(want);
});

test('a line keeps its characters, and a control that turns it is left out', () => {
  expect(linePieces('a\u0001.*').map((piece) => piece.text)).toEqual(['a', '\u0001', '.', '*']);
  expect(linePieces('a\u202eb').map((piece) => piece.text)).toEqual(['a', '\u200b', 'b']);
});

test('a long text is drawn by its two ends, between characters', () => {
  const text = '😀'.repeat(500_000);
  const short = ends(text);
  expect(short.length).toBeLessThan(600);
  expect(short).toContain('characters left out');
  expect(short).not.toMatch(/\p{Cs}/u);
  expect(ends('orders.*')).toBe('orders.*');
  expect(tokenPieces(ends('*.'.repeat(500_000))).length).toBeLessThan(1_000);
  expect(seen('a\u202e b')).toBe('a<U+202E> b');
});
