import { expect, test } from 'vitest';
import { colOfIndex, indexOfCol } from './place';

test.each([
  { name: 'the start', line: 'abc', col: 1, index: 0 },
  { name: 'the end', line: 'abc', col: 4, index: 3 },
  { name: 'letters of two bytes', line: 'größe: 1', col: 6, index: 5 },
  { name: 'a pair of UTF-16 units', line: '🚀x', col: 2, index: 2 },
  { name: 'behind a pair', line: 'a🚀x', col: 4, index: 4 },
])('columns and indices: $name', ({ line, col, index }) => {
  expect(indexOfCol(line, col)).toBe(index);
  expect(colOfIndex(line, index)).toBe(col);
});

test('a place that is not in the line is its end', () => {
  expect(indexOfCol('ab', 9)).toBe(2);
  expect(indexOfCol('ab', 0)).toBe(0);
  expect(colOfIndex('ab', 9)).toBe(3);
});
