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
export async function keptProgram(base: string, program: Program): Promise<Response | undefined> {
  if (program.key === '' || !('caches' in globalThis)) return undefined;
  return (await caches.open(cacheName)).match(programURL(base, program));
}

/** Keeps a program. Storage may be full: then nothing is kept. */
export async function keepProgram(base: string, program: Program, wasm: Response): Promise<void> {
  if (program.key === '' || !('caches' in globalThis)) return;
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
 * said to have is tried first, the other file after it. onBytes is told how many
 * bytes have arrived, decoded. Throws when neither file is there.
 */
export async function fetchProgram(base: string, program: Program, host: Host, onBytes: (bytes: number) => void = () => {}): Promise<Response> {
  const zipped = `${program.file}.gz`;
  const names = host === 'gzip' ? [zipped, program.file] : [program.file, zipped];
  const answers: string[] = [];
  for (const name of names) {
    const response = await fetch(programURL(base, program, name));
    if (response.ok && response.body !== null && !isPage(response)) return inflated(response, onBytes);
    answers.push(`${response.status} for ${name}`);
    await response.body?.cancel();
  }
  throw new Error(`the host has no ${program.file}: it answered ${answers.join(', ')}`);
}

async function inflated(response: Response, onBytes: (bytes: number) => void): Promise<Response> {
  const zipped = await isGzip(response.clone());
  const body = response.body!;
  return wasmResponse(zipped ? body.pipeThrough(new DecompressionStream('gzip')) : body, onBytes);
}

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

function wasmResponse(body: ReadableStream<Uint8Array<ArrayBuffer>>, onBytes: (bytes: number) => void): Response {
  let bytes = 0;
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      onBytes(bytes);
      controller.enqueue(chunk);
    },
  });
  return new Response(body.pipeThrough(counted), { headers: { 'content-type': 'application/wasm' } });
}

/**
 * Compiles a program from this browser's cache or its host, and keeps it. loading
 * is told how many bytes have arrived, each 100 kB.
 */
export async function compileProgram(base: string, program: Program, host: Host, loading: (bytes: number) => void): Promise<WebAssembly.Module> {
  const kept = await keptProgram(base, program);
  if (kept) return WebAssembly.compileStreaming(kept);
  let told = 0;
  const response = await fetchProgram(base, program, host, (bytes) => {
    if (bytes - told < 100_000 && bytes !== program.bytes) return;
    told = bytes;
    loading(bytes);
  });
  const copy = response.clone();
  const module = await WebAssembly.compileStreaming(response);
  void keepProgram(base, program, copy);
  return module;
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
