import { expect, test } from 'vitest';
import { fixedLines } from './fix-preview';

const files = [{ name: 'a.yaml', text: 'a:\n  b: orders.>.paid # why\n  c: 1\n' }];
const edit = (line: number, col: number, end_line: number, end_col: number, text: string, file = 'a.yaml') => ({ file, line, col, end_line, end_col, text });

test.each([
  { name: 'a value', edits: [edit(2, 6, 2, 19, 'orders.*.paid')], want: ['- b: orders.>.paid # why', '+ b: orders.*.paid # why'] },
  { name: 'a line put in', edits: [edit(3, 1, 3, 1, '  d: 2\n')], want: ['+ d: 2'] },
  { name: 'a line taken out', edits: [edit(3, 1, 4, 1, '')], want: ['- c: 1'] },
  { name: 'two places, in their order', edits: [edit(3, 6, 3, 7, '5'), edit(2, 6, 2, 19, 'x')], want: ['- b: orders.>.paid # why', '+ b: x # why', '- c: 1', '+ c: 5'] },
  { name: 'a file that is not there', edits: [edit(1, 1, 1, 1, 'x', 'b.yaml')], want: [] },
  { name: 'too much to show', edits: [edit(3, 1, 3, 1, 'x\n'.repeat(20))], want: [] },
])('previews $name', ({ edits, want }) => {
  expect(fixedLines(files, edits).map((line) => `${line.sign} ${line.text}`)).toEqual(want);
});
