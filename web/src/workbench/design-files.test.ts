import { expect, test } from 'vitest';
import { colouredAs, decodeText, freeName, maxFileBytes, maxFiles, nameOfPaste, readFiles, tooLarge } from './design-files';

test.each([
  { name: 'by its name', file: { name: 'a.YML', text: '{}' }, want: 'yaml' },
  { name: 'by its name, JSON', file: { name: 'stream.json', text: 'a: b' }, want: 'json' },
  { name: 'by its text', file: { name: 'stdin', text: ' \n[{' }, want: 'json' },
  { name: 'an empty text', file: { name: 'stdin', text: '' }, want: 'yaml' },
])('colours $name', ({ file, want }) => {
  expect(colouredAs(file)).toBe(want);
});

test('names', () => {
  expect([nameOfPaste('{"a":1}'), nameOfPaste('a: 1')]).toEqual(['pasted.json', 'pasted.yaml']);
  expect(freeName('a.json', ['b.json'])).toBe('a.json');
  expect(freeName('a.json', ['a.json', 'a-2.json'])).toBe('a-3.json');
  expect(freeName('.conf', ['.conf'])).toBe('.conf-2');
});

test('a file beyond the limit is refused with both sizes, without being read', async () => {
  expect(tooLarge('a.yaml', maxFileBytes)).toBe('');
  const file = new File(['x'], 'big.json');
  Object.defineProperty(file, 'size', { value: maxFileBytes + (3 << 20) });
  file.arrayBuffer = () => Promise.reject(new Error('read'));
  expect(await readFiles([file])).toEqual({ files: [], refused: ['big.json is 11 MiB; a file may have 8 MiB'] });
});

test('reads several files, numbers equal names, says what it leaves out', async () => {
  const broken = new File([new Uint8Array([0x61, 0x0a, 0x62, 0xff])], 'broken.yaml');
  const folder = new File([], 'folder');
  folder.arrayBuffer = () => Promise.reject(new DOMException('gone'));
  const opened = await readFiles([new File(['a'], 'one.json'), new File(['b'], 'one.json'), broken, folder]);
  expect(opened.files).toEqual([{ name: 'one.json', text: 'a' }, { name: 'one-2.json', text: 'b' }]);
  expect(opened.refused).toEqual(['broken.yaml: line 2 is not UTF-8; save the file as UTF-8', 'folder cannot be read; a folder has to be opened by its files']);
  const many = await readFiles(Array.from({ length: maxFiles + 2 }, (_, i) => new File(['x'], `${i}`)));
  expect([many.files.length, many.refused]).toEqual([maxFiles, ['2 more files are left out; a design may have 100']]);
});

test.each([
  { name: 'a picture', bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0xff], want: 'f is an image, and an image is no design; a design is text' },
  { name: 'bytes of no known kind', bytes: [0xff, 0, 1, 2], want: 'f is a binary file, and a binary file is no design; a design is text' },
  { name: 'UTF-16', bytes: [0xff, 0xfe, 0x61, 0], want: 'f: line 1 is not UTF-8; save the file as UTF-8' },
  { name: 'Latin-1', bytes: [0x61, 0x0a, 0xe9, 0x0a], want: 'f: line 2 is not UTF-8; save the file as UTF-8' },
])('says of $name why it is not read', ({ bytes, want }) => {
  expect(() => decodeText('f', new Uint8Array(bytes))).toThrow(want);
});

test('keeps a byte order mark for the engine to see', () => {
  expect(decodeText('a', new Uint8Array([0xef, 0xbb, 0xbf, 0x61]))).toBe('\ufeffa');
});
