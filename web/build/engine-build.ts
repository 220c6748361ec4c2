import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the studio knows of the engine it was built with. */
export interface EngineBuild {
  /** Digest of engine.wasm and wasm_exec.js, '' when they were not there at build time. */
  key: string;
  /** Size of engine.wasm in bytes, 0 when unknown. */
  bytes: number;
}

/**
 * Reads public/engine.wasm and public/wasm_exec.js, which `make studio-build`
 * puts there before the front end is built. Without them the studio still
 * builds, fetches the engine from the site root, and cannot keep it offline.
 */
export function engineBuild(root: string, warn: boolean): EngineBuild {
  const files = ['engine.wasm', 'wasm_exec.js'].map((name) => join(root, 'public', name));
  if (!files.every((file) => existsSync(file))) {
    if (warn) console.warn('weir: public/engine.wasm or public/wasm_exec.js is missing; run `make studio-build`, or the studio will not work offline');
    return { key: '', bytes: 0 };
  }
  const [wasm, glue] = files.map((file) => readFileSync(file)) as [Buffer, Buffer];
  const key = createHash('sha256').update(wasm).update(glue).digest('hex').slice(0, 16);
  return { key, bytes: wasm.length };
}
