import { expect, test } from 'vitest';
import { appendEntry, entries, splitLines } from './lines';

test.each([
  { name: 'nothing', text: '', want: [] },
  { name: 'one line', text: 'a.b', want: ['a.b'] },
  { name: 'blank lines are no entries', text: '\n\na\n\nb\n', want: ['a', 'b'] },
  { name: 'CRLF', text: 'a\r\nb\r\n\r\n', want: ['a', 'b'] },
  { name: 'a CR inside stays', text: 'a\rb\n', want: ['a\rb'] },
  { name: 'spaces and tabs stay, they are faults to show', text: ' a \n\tb', want: [' a ', '\tb'] },
  { name: 'NUL and no ASCII', text: 'a\0b\nß', want: ['a\0b', 'ß'] },
])('splits $name', ({ text, want }) => {
  const lines = splitLines(text);
  expect(entries(lines)).toEqual(want);
  expect(lines.longest).toBe(Math.max(0, ...want.map((line) => line.length)));
});

test('adds an entry on a line of its own', () => {
  expect(appendEntry('', 'a')).toBe('a');
  expect(appendEntry('a', 'b')).toBe('a\nb');
  expect(appendEntry('a\n', 'b')).toBe('a\nb');
});
