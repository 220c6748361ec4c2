import { expect, test } from 'vitest';
import { decode, encode } from './codec';
import { exampleLab, fromShared, toShared } from './lab';

const lab = exampleLab(['orders.*', 'größe.>'], ['orders.a', 'größe.ß', 'orders..created', ' spaced ']);

test('a lab survives the way through a link', async () => {
  const link = await encode(toShared(lab));
  expect(link).toMatch(/^[\w-]+$/);
  expect(fromShared(await decode(link))).toEqual(lab);
});

test('a list of thousands stays small enough for a link', async () => {
  const subjects = Array.from({ length: 5000 }, (_, i) => `orders.region-${i % 12}.customer-${i}.created`).join('\n');
  expect((await encode(toShared({ ...lab, subjects }))).length).toBeLessThan(32_000);
});

const good = await encode(toShared(lab));
test.each([
  { name: 'characters of no link', link: '§§§' },
  { name: 'no deflate stream', link: 'AAAA' },
  { name: 'cut in the middle', link: good.slice(0, good.length >> 1) },
  { name: 'not JSON', link: await encode('x').then(() => 'S0w') },
])('refuses a damaged link: $name', async ({ link }) => {
  await expect(decode(link)).rejects.toThrow();
});

test('does not inflate more than the limit', async () => {
  const bomb = await encode('0'.repeat(40 << 20));
  expect(bomb.length).toBeLessThan(100_000);
  await expect(decode(bomb)).rejects.toThrow(/more than/);
});

test.each([
  { name: 'not an object', value: 7, says: 'not an object' },
  { name: 'a newer format', value: { ...(toShared(lab) as object), v: 2 }, says: 'format 2' },
  { name: 'a list that is no text', value: { ...(toShared(lab) as object), subjects: ['a'] }, says: 'subjects is not a text' },
  { name: 'half a partition', value: { ...(toShared(lab) as object), partition: { from: 'range' } }, says: 'partition.keys is not a text' },
  { name: 'a fraction of a key', value: { ...(toShared(lab) as object), partition: { ...lab.partition, first: 0.5 } }, says: 'not a whole number' },
])('refuses a state with $name', ({ value, says }) => {
  expect(() => fromShared(value)).toThrow(says);
});
