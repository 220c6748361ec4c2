import { expect, test } from 'vitest';
import { entries, splitLines } from '../engine/lines';
import { lineMap } from './line-map';

test.each([
  { name: 'nothing', text: '', lines: [''] },
  { name: 'one line', text: 'a', lines: ['a'] },
  { name: 'a line feed at the end', text: 'a\n', lines: ['a', ''] },
  { name: 'blank lines and CRLF', text: '\na\r\n\r\n\nb', lines: ['', 'a', '', '', 'b'] },
  { name: 'a lone CR is an entry as in the list', text: 'a\rb\n\r\r\nc', lines: ['a\rb', '\r', 'c'] },
])('maps $name', ({ text, lines }) => {
  const map = lineMap(text);
  expect(Array.from({ length: map.count }, (_, i) => map.line(i))).toEqual(lines);
  const list = entries(splitLines(text));
  list.forEach((item, i) => {
    expect(map.line(map.lineOfEntry(i))).toBe(item);
    expect(map.entriesBefore(map.lineOfEntry(i))).toBe(i);
  });
  expect(map.entriesBefore(map.count)).toBe(list.length);
});

test.each([
  { name: 'the first', i: 0, line: 'x', want: 'x\nb\n\nc' },
  { name: 'the last', i: 3, line: 'x', want: 'a\nb\n\nx' },
  { name: 'by two', i: 1, line: 'x\ny', want: 'a\nx\ny\n\nc' },
  { name: 'by nothing', i: 1, line: null, want: 'a\n\nc' },
  { name: 'the last by nothing', i: 3, line: null, want: 'a\nb\n\n' },
])('replaces a line: $name', ({ i, line, want }) => {
  expect(lineMap('a\nb\n\nc').replace(i, line)).toBe(want);
});
