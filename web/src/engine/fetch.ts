// Where engine.wasm comes from: this browser's cache, the site's plain file, or
// its .gz for hosts that hold nothing else. Used by the engine's worker and by
// the service worker, so that both keep one copy under one key.

declare const __ENGINE__: { key: string; bytes: number };

const cacheName = 'weir-engine';

/** Digest and size of the engine that this studio was built with. */
export const engineBuild = __ENGINE__;

/** The address of a file of the engine; the key in it makes old copies unreachable. */
export function engineURL(base: string, name: string): string {
  const url = new URL(name, base);
  if (engineBuild.key !== '') url.searchParams.set('v', engineBuild.key);
  return url.href;
}

/** Returns the kept engine, or undefined where there is none or no cache. */
export async function keptEngine(base: string): Promise<Response | undefined> {
  if (engineBuild.key === '' || !('caches' in globalThis)) return undefined;
  return (await caches.open(cacheName)).match(engineURL(base, 'engine.wasm'));
}

/** Keeps an engine. Storage may be full: then nothing is kept. */
export async function keepEngine(base: string, wasm: Response): Promise<void> {
  if (engineBuild.key === '' || !('caches' in globalThis)) return;
  try {
    await (await caches.open(cacheName)).put(engineURL(base, 'engine.wasm'), wasm);
  } catch (err) {
    console.warn('weir: the engine is not kept for offline use', err);
  }
}

/** Drops the engines of other builds; for the moment at which no tab runs one of them. */
export async function dropOtherEngines(base: string): Promise<void> {
  const cache = await caches.open(cacheName);
  for (const request of await cache.keys()) if (request.url !== engineURL(base, 'engine.wasm')) await cache.delete(request);
}

/** How a host gives out WASM: as engine.wasm, compressed as the browser asks for it, or only as engine.wasm.gz. The page's meta element weir-wasm says which; `weir studio --export` sets it. */
export type Host = 'negotiate' | 'gzip';

/**
 * Fetches the engine as a response of type application/wasm. What the host is
 * said to have is tried first, the other file after it. onBytes is told how many
 * bytes have arrived, decoded. Throws when neither file is there.
 */
export async function fetchEngine(base: string, host: Host, onBytes: (bytes: number) => void = () => {}): Promise<Response> {
  const names = host === 'gzip' ? ['engine.wasm.gz', 'engine.wasm'] : ['engine.wasm', 'engine.wasm.gz'];
  const answers: string[] = [];
  for (const name of names) {
    const response = await fetch(engineURL(base, name));
    if (response.ok && response.body !== null && !isPage(response)) return inflated(response, onBytes);
    answers.push(`${response.status} for ${name}`);
    await response.body?.cancel();
  }
  throw new Error(`the host has no engine: it answered ${answers.join(', ')}`);
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
