import { expect, test } from 'vitest';
import { valuePieces } from './value-colours';

test.each([
  { text: '30s', want: '30s:number' },
  { text: '1.2KiB', want: '1.2KiB:number' },
  { text: '4000/s', want: '4000/s:number' },
  { text: '0.5%', want: '0.5%:number' },
  { text: '-1', want: '-1:number' },
  { text: 'orders.>', want: '>:wild' },
  { text: 'orders.*.paid', want: '*:wild' },
  { text: '>', want: '>:wild' },
  { text: 'limits', want: '' },
  { text: 'a>.b', want: '' },
])('colours $text', ({ text, want }) => {
  expect(valuePieces(text).map((piece) => `${text.slice(piece.from, piece.to)}:${piece.kind}`).join()).toBe(want);
});
