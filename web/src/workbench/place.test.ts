import { expect, test } from 'vitest';
import { colOfIndex, indexOfCol, withEdits } from './place';

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

test('edits are made in the files that they name, two at one place in their order', () => {
  const files = [{ name: 'a', text: 'eins: 1\r\n🚀: 2\nzwei: 3\n' }, { name: 'b', text: 'x' }];
  const edit = (line: number, col: number, endCol: number, text: string) => ({ file: 'a', line, col, end_line: line, end_col: endCol, text });
  const got = withEdits(files, [edit(3, 8, 8, '\nc'), edit(2, 4, 5, '20'), edit(3, 8, 8, '\nd'), edit(1, 7, 8, '10')]);
  expect(got).toEqual([{ name: 'a', text: 'eins: 10\r\n🚀: 20\nzwei: 3\nc\nd\n' }, { name: 'b', text: 'x' }]);
});
