import { expect, test } from 'vitest';
import { placeholders } from './placeholders';

test.each([
  { template: 'orders.created', want: [] },
  { template: 'orders.{region}.{customer}', want: ['region', 'customer'] },
  { template: '{a}.{a}.*.*', want: ['a', '*3', '*4'] },
  { template: 'x.{}.>', want: [] },
])('$template', ({ template, want }) => {
  expect(placeholders(template).map((place) => place.id)).toEqual(want);
});
