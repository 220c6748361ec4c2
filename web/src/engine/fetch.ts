// Where engine.wasm and server.wasm come from: this browser's cache, the site's
// plain file, or its .gz for hosts that hold nothing else. Used by the workers
// and by the service worker, so that all keep one copy under one key.

/** A Go program that this studio was built with: its file, the digest of it and of Go's glue ('' when it was not there), its size. */
export interface Program {
  file: string;
  key: string;
  bytes: number;
}

declare const __PROGRAMS__: { engine: Program; server: Program };

const cacheName = 'weir-engine';

/** The engine, and the real nats-server. */
export const { engine, server } = __PROGRAMS__;

/** The address of a file of a program; the key in it makes old copies unreachable. */
export function programURL(base: string, program: Program, name = program.file): string {
  const url = new URL(name, base);
  if (program.key !== '') url.searchParams.set('v', program.key);
  return url.href;
}

/** Returns the kept program, or undefined where there is none or no cache. */
async function keptProgram(base: string, program: Program): Promise<Response | undefined> {
  if (program.key === '' || !('caches' in globalThis)) return undefined;
  return (await caches.open(cacheName)).match(programURL(base, program));
}

/**
 * Keeps a program for visits without a network, if it is not kept already. It is
 * asked for once more, which the browser answers from what it just loaded: a copy
 * held meanwhile would make the first visit slower. Storage may be full: then
 * nothing is kept. Throws when the program is not there.
 */
export async function keepProgram(base: string, program: Program, host: Host): Promise<void> {
  if (program.key === '' || !('caches' in globalThis) || (await keptProgram(base, program))) return;
  const wasm = await fetchProgram(base, program, host, 'force-cache');
  try {
    await (await caches.open(cacheName)).put(programURL(base, program), wasm);
  } catch (err) {
    console.warn(`weir: ${program.file} is not kept for offline use`, err);
  }
}

/** Drops the programs of other builds; for the moment at which no tab runs one of them. */
export async function dropOtherPrograms(base: string): Promise<void> {
  const cache = await caches.open(cacheName);
  const ours = [engine, server].map((program) => programURL(base, program));
  for (const request of await cache.keys()) if (!ours.includes(request.url)) await cache.delete(request);
}

/** How a host gives out WASM: as it is, compressed as the browser asks for it, or only as .wasm.gz. The page's meta element weir-wasm says which; `weir studio --export` sets it. */
export type Host = 'negotiate' | 'gzip';

/**
 * Fetches a program as a response of type application/wasm. What the host is
 * said to have is tried first, the other file after it. Throws when neither file
 * is there.
 */
export async function fetchProgram(base: string, program: Program, host: Host, cache: RequestCache = 'default'): Promise<Response> {
  const zipped = `${program.file}.gz`;
  const names = host === 'gzip' ? [zipped, program.file] : [program.file, zipped];
  const answers: string[] = [];
  for (const name of names) {
    const response = await fetch(programURL(base, program, name), { cache });
    if (response.ok && response.body !== null && !isPage(response)) return asWasm(response, name === zipped);
    answers.push(`${response.status} for ${name}`);
    await response.body?.cancel();
  }
  throw new Error(`the host has no ${program.file}: it answered ${answers.join(', ')}`);
}

/** The browser compiles what comes from the network as it is without a step in JavaScript; only what has to be changed is wrapped. */
async function asWasm(response: Response, zipped: boolean): Promise<Response> {
  const inflate = zipped && (await isGzip(response.clone()));
  if (!inflate && response.headers.get('content-type') === wasmType) return response;
  const body = response.body!;
  return new Response(inflate ? body.pipeThrough(new DecompressionStream('gzip')) : body, { headers: { 'content-type': wasmType } });
}

const wasmType = 'application/wasm';

/** Some hosts answer a missing file with their start page. */
function isPage(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/html') ?? false;
}

/** A host may send a .gz with Content-Encoding, and then the browser has inflated it already. */
async function isGzip(response: Response): Promise<boolean> {
  const reader = response.body!.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return value !== undefined && value[0] === 0x1f && value[1] === 0x8b;
}

/** What is said of a download within this time nobody reads, in ms: a program on this machine is there before. */
const quiet = 500;

/** Tells how many bytes have arrived, each 100 kB, once a download is not quick. Returns what ends it. */
function telling(copy: Response, most: number, loading: (bytes: number) => void): () => void {
  const reader = copy.body!.getReader();
  let ended = false;
  const read = async () => {
    let [bytes, told] = [0, 0];
    while (!ended) {
      const { value, done } = await reader.read();
      if (done || ended) return;
      bytes += value.byteLength;
      if (bytes - told < 100_000 && bytes !== most) continue;
      told = bytes;
      loading(bytes);
    }
  };
  const later = setTimeout(() => void read().catch(() => {}), quiet); // what fails is said by the compiler, which reads the same
  return () => {
    ended = true;
    clearTimeout(later);
    void reader.cancel().catch(() => {});
  };
}

/** Whether the site is on this machine, from where a program comes at once: a copy of it to count would only make it later. */
const isNear = () => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(location.hostname);

/** Compiles a program from this browser's cache or its host. loading is told how many bytes have arrived. */
export async function compileProgram(base: string, program: Program, host: Host, loading: (bytes: number) => void): Promise<WebAssembly.Module> {
  const kept = await keptProgram(base, program);
  if (kept) return WebAssembly.compileStreaming(kept);
  const response = await fetchProgram(base, program, host);
  const end = isNear() ? () => {} : telling(response.clone(), program.bytes, loading);
  try {
    return await WebAssembly.compileStreaming(response);
  } finally {
    end();
  }
}

/** How the host of this page says that it gives out WASM. */
export function hostKind(): Host {
  const said = document.querySelector<HTMLMetaElement>('meta[name="weir-wasm"]')?.content;
  return said === 'gzip' ? 'gzip' : 'negotiate';
}

/** What Go's wasm_exec.js defines. */
export interface GoRuntime {
  importObject: WebAssembly.Imports;
  env: Record<string, string>;
  run(instance: WebAssembly.Instance): Promise<void>;
}
