import { expect, test } from 'vitest';
import { jsonLines } from './json-lines';

test('keys and numbers are told apart, nothing is lost', () => {
  const text = '{\n  "name": "ORDERS: 1",\n  "max_age": 259200000000000,\n  "subjects": [\n    "a\\"b"\n  ]\n}\n';
  const lines = jsonLines(text);
  expect(lines.map((line) => line.key)).toEqual(['', 'name', 'max_age', 'subjects', '', '', '']);
  expect(lines[2]!.kind).toBe('number');
  expect(lines[1]!.kind).toBe('text');
  expect(lines.map((line) => line.indent + (line.key ? `"${line.key}": ` : '') + line.rest).join('\n') + '\n').toBe(text);
});

test('what is no JSON stays as it is', () => {
  expect(jsonLines('not json').map((line) => line.rest)).toEqual(['not json']);
});
