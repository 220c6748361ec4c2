// A file system in memory, in the shape of Node's fs that Go's wasm_exec.js
// calls. Calls back at once, which Go allows and which saves a turn of the event
// loop for each call. A tab that keeps it keeps the servers' stores; it ends
// with the worker.

const isFolder = 0o040000;
const isFile = 0o100000;

/** The flags of open that Go passes: those of Linux. */
const flags = { O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };

interface Folder {
  kind: 'folder';
  number: number;
  entries: Map<string, Entry>;
  changed: number;
  mode: number;
}

interface File {
  kind: 'file';
  number: number;
  bytes: Uint8Array;
  size: number;
  changed: number;
  mode: number;
  /** It has no name any more, and its bytes are not counted. */
  removed: boolean;
}

type Entry = Folder | File;

interface Open {
  entry: Entry;
  at: number;
  append: boolean;
}

/** An error with a code of Node that Go knows; it panics at others. */
class FileError extends Error {
  constructor(readonly code: 'ENOENT' | 'EEXIST' | 'ENOTDIR' | 'EISDIR' | 'ENOTEMPTY' | 'EPERM' | 'EBADF' | 'EINVAL' | 'ENOSYS' | 'ENOSPC') {
    super(code);
  }
}

/** Files in memory; most is how many bytes they may have together, tell gets each line that the program writes to stdout and stderr. */
export class MemoryFiles {
  #numbers = 1;
  #descriptors = 100;
  #root = this.#folder();
  #open = new Map<number, Open>();
  #used = 0;
  #line = '';
  #decoder = new TextDecoder();

  constructor(
    readonly most: number,
    readonly tell: (line: string) => void,
  ) {
    this.#root.entries.set('tmp', this.#folder());
  }

  /** What there is, to see that a run left nothing behind. */
  get count(): { files: number; bytes: number; open: number } {
    let files = 0;
    const walk = (folder: Folder): void => folder.entries.forEach((entry) => (entry.kind === 'folder' ? walk(entry) : files++));
    walk(this.#root);
    return { files, bytes: this.#used, open: this.#open.size };
  }

  #folder(): Folder {
    return { kind: 'folder', number: this.#numbers++, entries: new Map(), changed: Date.now(), mode: 0o755 };
  }

  #parts(path: string): string[] {
    const out: string[] = [];
    for (const part of path.split('/')) {
      if (part === '' || part === '.') continue;
      if (part === '..') out.pop();
      else out.push(part);
    }
    return out;
  }

  #walk(parts: readonly string[]): Entry {
    let entry: Entry = this.#root;
    for (const part of parts) {
      if (entry.kind !== 'folder') throw new FileError('ENOTDIR');
      const next = entry.entries.get(part);
      if (!next) throw new FileError('ENOENT');
      entry = next;
    }
    return entry;
  }

  #at(path: string): Entry {
    return this.#walk(this.#parts(path));
  }

  /** The folder that a path lies in, and its name there. */
  #place(path: string): [Folder, string] {
    const parts = this.#parts(path);
    const name = parts.pop();
    if (name === undefined) throw new FileError('EINVAL');
    const folder = this.#walk(parts);
    if (folder.kind !== 'folder') throw new FileError('ENOTDIR');
    return [folder, name];
  }

  #of(descriptor: number): Open {
    const open = this.#open.get(descriptor);
    if (!open) throw new FileError('EBADF');
    return open;
  }

  #file(entry: Entry): File {
    if (entry.kind !== 'file') throw new FileError('EISDIR');
    return entry;
  }

  #resize(file: File, size: number): void {
    const counted = file.removed ? 0 : size - file.size;
    if (this.#used + counted > this.most) throw new FileError('ENOSPC');
    if (size > file.bytes.length) {
      const bytes = new Uint8Array(Math.max(size, file.bytes.length * 2, 512));
      bytes.set(file.bytes.subarray(0, file.size));
      file.bytes = bytes;
    } else if (size < file.size) file.bytes.fill(0, size, file.size);
    this.#used += counted;
    file.size = size;
    file.changed = Date.now();
  }

  /** A file that lost its name lives on for those who have it open. */
  #removed(entry: Entry | undefined): void {
    if (entry?.kind !== 'file') return;
    this.#used -= entry.size;
    entry.removed = true;
  }

  #stat(entry: Entry): object {
    const folder = entry.kind === 'folder';
    const size = folder ? 0 : entry.size;
    const time = entry.changed;
    return {
      dev: 1, ino: entry.number, mode: (folder ? isFolder : isFile) | entry.mode, nlink: 1, uid: 0, gid: 0, rdev: 0,
      size, blksize: 4096, blocks: Math.ceil(size / 512), atimeMs: time, mtimeMs: time, ctimeMs: time, isDirectory: () => folder,
    };
  }

  #opened(path: string, how: number, mode: number): number {
    let entry: Entry | undefined;
    try {
      entry = this.#at(path);
    } catch (err) {
      if (!(err instanceof FileError) || err.code !== 'ENOENT' || (how & flags.O_CREAT) === 0) throw err;
    }
    if (entry) {
      if (how & flags.O_CREAT && how & flags.O_EXCL) throw new FileError('EEXIST');
      if (entry.kind === 'folder' && how & (flags.O_WRONLY | flags.O_RDWR)) throw new FileError('EISDIR');
      if (entry.kind === 'file' && how & flags.O_DIRECTORY) throw new FileError('ENOTDIR');
      if (entry.kind === 'file' && how & flags.O_TRUNC) this.#resize(entry, 0);
    } else {
      const [folder, name] = this.#place(path);
      entry = { kind: 'file', number: this.#numbers++, bytes: new Uint8Array(0), size: 0, changed: Date.now(), mode: mode & 0o777, removed: false };
      folder.entries.set(name, entry);
    }
    const descriptor = this.#descriptors++;
    this.#open.set(descriptor, { entry, at: 0, append: (how & flags.O_APPEND) !== 0 });
    return descriptor;
  }

  #read(descriptor: number, into: Uint8Array, offset: number, length: number, position: number | null): number {
    const open = this.#of(descriptor);
    const file = this.#file(open.entry);
    const from = position ?? open.at;
    const count = Math.max(0, Math.min(length, file.size - from));
    into.set(file.bytes.subarray(from, from + count), offset);
    if (position === null) open.at += count;
    return count;
  }

  #write(descriptor: number, from: Uint8Array, offset: number, length: number, position: number | null): number {
    if (descriptor <= 2) return this.writeSync(descriptor, from.subarray(offset, offset + length));
    const open = this.#of(descriptor);
    const file = this.#file(open.entry);
    const at = open.append ? file.size : (position ?? open.at);
    if (at + length > file.size) this.#resize(file, at + length);
    file.bytes.set(from.subarray(offset, offset + length), at);
    file.changed = Date.now();
    if (position === null) open.at = at + length;
    return length;
  }

  #rename(from: string, to: string): void {
    const [oldFolder, oldName] = this.#place(from);
    const entry = oldFolder.entries.get(oldName);
    if (!entry) throw new FileError('ENOENT');
    const [folder, name] = this.#place(to);
    const before = folder.entries.get(name);
    if (before?.kind === 'folder' && before.entries.size > 0) throw new FileError('ENOTEMPTY');
    if (before !== entry) this.#removed(before);
    oldFolder.entries.delete(oldName);
    folder.entries.set(name, entry);
  }

  #remove(path: string, kind: Entry['kind']): void {
    const [folder, name] = this.#place(path);
    const entry = folder.entries.get(name);
    if (!entry) throw new FileError('ENOENT');
    if (entry.kind !== kind) throw new FileError(kind === 'folder' ? 'ENOTDIR' : 'EPERM');
    if (entry.kind === 'folder' && entry.entries.size > 0) throw new FileError('ENOTEMPTY');
    this.#removed(entry);
    folder.entries.delete(name);
  }

  #makeFolder(path: string): void {
    const [folder, name] = this.#place(path);
    if (folder.entries.has(name)) throw new FileError('EEXIST');
    folder.entries.set(name, this.#folder());
  }

  #names(path: string): string[] {
    const entry = this.#at(path);
    if (entry.kind !== 'folder') throw new FileError('ENOTDIR');
    return [...entry.entries.keys()];
  }

  /** Gathers what is written to stdout and stderr into lines. */
  writeSync(_descriptor: number, bytes: Uint8Array): number {
    const lines = (this.#line + this.#decoder.decode(bytes, { stream: true })).split('\n');
    this.#line = lines.pop() ?? '';
    lines.forEach(this.tell);
    return bytes.length;
  }

  /** The object to set as globalThis.fs before wasm_exec.js is loaded. */
  asNode(): object {
    const calls: Record<string, (...args: never[]) => unknown> = {
      open: (path: string, how: number, mode: number) => this.#opened(path, how, mode),
      close: (descriptor: number) => void (this.#of(descriptor), this.#open.delete(descriptor)),
      read: (descriptor: number, into: Uint8Array, offset: number, length: number, position: number | null) => this.#read(descriptor, into, offset, length, position),
      write: (descriptor: number, from: Uint8Array, offset: number, length: number, position: number | null) => this.#write(descriptor, from, offset, length, position),
      fstat: (descriptor: number) => this.#stat(descriptor <= 2 ? this.#folder() : this.#of(descriptor).entry),
      stat: (path: string) => this.#stat(this.#at(path)),
      lstat: (path: string) => this.#stat(this.#at(path)),
      mkdir: (path: string) => this.#makeFolder(path),
      readdir: (path: string) => this.#names(path),
      unlink: (path: string) => this.#remove(path, 'file'),
      rmdir: (path: string) => this.#remove(path, 'folder'),
      rename: (from: string, to: string) => this.#rename(from, to),
      truncate: (path: string, size: number) => this.#resize(this.#file(this.#at(path)), size),
      ftruncate: (descriptor: number, size: number) => this.#resize(this.#file(this.#of(descriptor).entry), size),
      chmod: (path: string, mode: number) => void (this.#at(path).mode = mode & 0o777),
      fchmod: (descriptor: number, mode: number) => void (this.#of(descriptor).entry.mode = mode & 0o777),
      utimes: (path: string, _read: number, changed: number) => void (this.#at(path).changed = changed * 1000),
      fsync: nothing, chown: nothing, fchown: nothing, lchown: nothing,
      link: unknown, symlink: unknown, readlink: unknown,
    };
    const node: Record<string, unknown> = { constants: flags, writeSync: (descriptor: number, bytes: Uint8Array) => this.writeSync(descriptor, bytes) };
    for (const [name, call] of Object.entries(calls)) node[name] = calledBack(call);
    return node;
  }
}

const nothing = (): void => {};
const unknown = (): never => {
  throw new FileError('ENOSYS');
};

type Callback = (err: FileError | null, value?: unknown) => void;

/** Gives a call the callback that Node's has as its last argument. */
function calledBack(call: (...args: never[]) => unknown): (...args: unknown[]) => void {
  return (...args) => {
    const done = args.pop() as Callback;
    let value: unknown;
    try {
      value = call(...(args as never[]));
    } catch (err) {
      if (!(err instanceof FileError)) throw err;
      done(err);
      return;
    }
    done(null, value);
  };
}
