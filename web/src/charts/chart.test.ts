import { expect, test } from 'vitest';
import { gutter, nearest } from './chart';

test.each([
  { name: 'before the first', x: -5, want: 0 },
  { name: 'on a value', x: 10, want: 1 },
  { name: 'nearer the lower', x: 14, want: 1 },
  { name: 'nearer the higher', x: 16, want: 2 },
  { name: 'half way goes to the lower', x: 15, want: 1 },
  { name: 'after the last', x: 99, want: 3 },
])('nearest: $name', ({ x, want }) => expect(nearest([0, 10, 20, 30], x)).toBe(want));

test('a gutter has room for the longest tick', () => {
  expect(gutter([{ at: 0, text: '0' }])).toBe(40);
  expect(gutter([{ at: 0, text: '1,000,000 msg' }])).toBeGreaterThan(90);
});
