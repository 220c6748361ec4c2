import { expect, test } from 'vitest';
import { readList } from './list-file';

const file = (...parts: BlobPart[]) => Object.assign(new Blob(parts), { name: 'list.txt' });

test('reads UTF-8, and CRLF as it is', async () => {
  expect(await readList(file('größe.*\r\na.b'))).toEqual({ text: 'größe.*\r\na.b', fault: '' });
  expect(await readList(file())).toEqual({ text: '', fault: '' });
});

test('says that bytes were replaced', async () => {
  const read = await readList(file(Uint8Array.of(0x61, 0xff, 0x2e, 0x62)));
  expect(read.text).toBe('a\uFFFD.b');
  expect(read.fault).toContain('not UTF-8');
});

test('refuses what the engine would refuse', async () => {
  const huge = { name: 'huge.txt', size: (64 << 20) + 1, arrayBuffer: () => Promise.reject(new Error('must not be read')) } as unknown as Blob & { name: string };
  expect((await readList(huge)).fault).toContain('split the list');
});
