import { expect, test } from 'vitest';
import { toMarkdown, toTSV } from './tables';

test('TSV keeps its columns whatever the values hold', () => {
  expect(toTSV([['subject', 'a.*'], ['x\ty\r\nz', 'match']])).toBe('subject\ta.*\nx y  z\tmatch\n');
});

test('Markdown with patterns as code', () => {
  expect(toMarkdown(['subject', 'a.*'], [['a.b', 'match']], 1, true)).toBe('| subject | `a.*` |\n| --- | --- |\n| `a.b` | match |\n');
});

test.each([
  { name: 'a pipe', value: 'a|b', want: '`a\\|b`' },
  { name: 'a backtick', value: 'a`b', want: '`` a`b ``' },
  { name: 'two backticks', value: '``', want: '``` `` ```' },
  { name: 'a line break', value: 'a\nb', want: '`a b`' },
  { name: 'nothing', value: '', want: '' },
])('Markdown code with $name', ({ value, want }) => {
  expect(toMarkdown(['x'], [[value]], 1).split('\n')[2]).toBe(`| ${want} |`);
});
