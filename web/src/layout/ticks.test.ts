import { expect, test } from 'vitest';
import { niceTicks } from './ticks';

test.each([
  { max: 0, want: [0, 1] },
  { max: 1, want: [0, 1] },
  { max: 3, want: [0, 1, 2, 3] },
  { max: 10, want: [0, 5, 10] },
  { max: 1288, want: [0, 500, 1000, 1500] },
  { max: 1_000_000, want: [0, 500_000, 1_000_000] },
])('0 to $max', ({ max, want }) => {
  expect(niceTicks(max, 4)).toEqual(want);
});
