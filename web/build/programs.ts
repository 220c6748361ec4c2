import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Program } from '../src/engine/fetch.ts';

/**
 * Reads a Go program of public/ and Go's wasm_exec.js, which `make studio-build`
 * puts there before the front end is built. Without them the studio still
 * builds, fetches the program from the site root, and cannot keep it offline.
 */
export function program(root: string, file: string, warn: boolean): Program {
  const files = [file, 'wasm_exec.js'].map((name) => join(root, 'public', name));
  if (!files.every((name) => existsSync(name))) {
    if (warn) console.warn(`weir: public/${file} or public/wasm_exec.js is missing; run \`make studio-build\`, or the studio will not work offline`);
    return { file, key: '', bytes: 0 };
  }
  const [wasm, glue] = files.map((name) => readFileSync(name)) as [Buffer, Buffer];
  const digest = createHash('sha256').update(wasm).update(glue);
  if (file === 'engine.wasm') for (const text of projects(root)) digest.update(text);
  return { file, key: digest.digest('hex').slice(0, 16), bytes: wasm.length };
}

/** The client code that the engine asks for when it is wanted. */
function projects(root: string): Buffer[] {
  const dir = join(root, 'public/projects');
  return existsSync(dir) ? readdirSync(dir).sort().map((name) => readFileSync(join(dir, name))) : [];
}
