import { Text } from '@codemirror/state';
import { expect, test } from 'vitest';
import { changesOf, smallestChange } from './edits';
import { offsetOf, rangeOf } from './marks';

const doc = Text.of(['a: größe', '🚀: x', '']);

test.each([
  { name: 'the start', line: 1, col: 1, want: 0 },
  { name: 'behind letters of two bytes', line: 1, col: 9, want: 8 },
  { name: 'behind a pair of UTF-16 units', line: 2, col: 2, want: 11 },
  { name: 'nowhere', line: 0, col: 0, want: 0 },
  { name: 'a line that is not there', line: 9, col: 1, want: doc.length },
  { name: 'a column that is not there', line: 2, col: 99, want: 14 },
])('offsets: $name', ({ line, col, want }) => {
  expect(offsetOf(doc, line, col)).toBe(want);
});

test.each([
  { name: 'as given', place: { line: 1, col: 4, end_line: 1, end_col: 9 }, want: '"größe"' },
  { name: 'without an end: the rest of the line', place: { line: 2, col: 1 }, want: '"🚀: x"' },
  { name: 'at the end of a line: the character before', place: { line: 1, col: 9 }, want: '"e"' },
  { name: 'on an empty line: nothing', place: { line: 3, col: 1 }, want: '""' },
])('ranges: $name', ({ place, want }) => {
  const { from, to } = rangeOf(doc, place);
  expect(JSON.stringify(doc.sliceString(from, to))).toBe(want);
});

test('edits become changes', () => {
  const change = { file: 'a', line: 1, col: 4, end_line: 1, end_col: 9, text: 'b' };
  const insert = { file: 'a', line: 3, col: 1, end_line: 3, end_col: 1, text: 'c' };
  expect(changesOf(doc, [change, insert])).toEqual([{ from: 3, to: 8, insert: 'b' }, { from: 15, to: 15, insert: 'c' }]);
});

test.each([
  { name: 'nothing', before: 'abc', after: 'abc', want: null },
  { name: 'the middle', before: 'a  b', after: 'a b', want: { from: 2, to: 3, insert: '' } },
  { name: 'all', before: 'ab', after: 'xyz', want: { from: 0, to: 2, insert: 'xyz' } },
  { name: 'a repeated end', before: 'aa', after: 'aaa', want: { from: 2, to: 2, insert: 'a' } },
])('the smallest change: $name', ({ before, after, want }) => {
  expect(smallestChange(before, after)).toEqual(want);
  if (want) expect(before.slice(0, want.from) + want.insert + before.slice(want.to)).toBe(after);
});
