import { expect, test } from 'vitest';
import { decode, encode } from '../state/codec';
import { fromShared, toShared } from './shared-design';

const design = { files: [{ name: 'weir.yaml', text: 'weir: 1\nname: größe\n' }, { name: 'ORDERS.json', text: '{}' }], active: 'ORDERS.json', target: '2.12' };

test('a design survives the way through a link', async () => {
  const link = await encode(toShared(design));
  expect(link).toMatch(/^[\w-]+$/);
  expect(fromShared(await decode(link))).toEqual(design);
});

test('an unknown target and an unknown file fall back', () => {
  expect(fromShared({ ...(toShared(design) as object), target: '<b>', active: 'gone' })).toEqual({ ...design, target: '', active: 'weir.yaml' });
});

const shared = toShared(design) as Record<string, unknown>;
test.each([
  { name: 'not an object', value: 7, says: 'not an object' },
  { name: 'another format', value: { ...shared, v: 2 }, says: 'format 2' },
  { name: 'no file', value: { ...shared, files: [] }, says: 'list of 1 to' },
  { name: 'a file that is no text', value: { ...shared, files: [['a', 1]] }, says: 'file 1 is not' },
  { name: 'two files of one name', value: { ...shared, files: [['a', ''], ['a', '']] }, says: 'two files have one name' },
  { name: 'a file beyond the limit', value: { ...shared, files: [['a', 'x'.repeat((8 << 20) + 1)]] }, says: 'a file may have 8 MiB' },
])('refuses a link with $name', ({ value, says }) => {
  expect(() => fromShared(value)).toThrow(says);
});
