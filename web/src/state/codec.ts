// State as text for a link or for storage: JSON, deflated, base64url.

/** The largest state that is read back, in bytes of JSON; a link cannot make the tab inflate more. */
export const maxStateBytes = 32 << 20;

/** Turns a value into text that is safe in a URL. */
export async function encode(value: unknown): Promise<string> {
  const packed = await drain(new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream('deflate-raw')), Infinity);
  return toBase64url(packed);
}

/** Reads what encode wrote. Throws when the text is no such thing. */
export async function decode(text: string): Promise<unknown> {
  const raw = fromBase64url(text);
  const json = await drain(new Blob([raw]).stream().pipeThrough(new DecompressionStream('deflate-raw')), maxStateBytes);
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(json));
}

async function drain(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) {
      await reader.cancel();
      throw new Error(`more than ${limit} bytes`);
    }
    chunks.push(value);
  }
  const out = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    out.set(chunk, at);
    at += chunk.length;
  }
  return out;
}

function toBase64url(bytes: Uint8Array): string {
  let raw = '';
  for (let i = 0; i < bytes.length; i += 0x8000) raw += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(raw).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[\w-]*$/.test(text)) throw new Error('characters that a link never holds');
  const raw = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(raw, (char) => char.charCodeAt(0));
}
