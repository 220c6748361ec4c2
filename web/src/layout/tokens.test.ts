import { expect, test } from 'vitest';
import { tokenPieces } from './tokens';

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
