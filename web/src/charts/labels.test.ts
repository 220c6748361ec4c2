import { expect, test } from 'vitest';
import { Places } from './labels';

test('names of one place stand below each other, and one without room is left out', () => {
  const places = new Places();
  const rows = (left: number) => [0, 14].map((top) => ({ left, top, width: 50, height: 14 }));
  expect(places.take(rows(0))?.top).toBe(0);
  expect(places.take(rows(10))?.top).toBe(14);
  expect(places.take(rows(20))).toBeUndefined();
  expect(places.take(rows(60))?.top).toBe(0);
});
