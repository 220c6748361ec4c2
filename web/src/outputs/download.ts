// Files to the machine, on request only: the browser's own download.

/** One archive of several files. */
export async function zipOf(files: readonly { path: string; text: string; run?: boolean }[]): Promise<Uint8Array> {
  const { strToU8, zipSync } = await import('fflate');
  // A fixed time makes the same design the same bytes; 0o755 and 0o644 are Unix modes.
  const when = new Date('2000-01-01T00:00:00Z');
  return zipSync(Object.fromEntries(files.map((file) => [file.path, [strToU8(file.text), { mtime: when, os: 3, attrs: ((file.run ? 0o100755 : 0o100644) << 16) >>> 0 }]])));
}

/** Hands a file to the browser's download. */
export function download(name: string, bytes: Uint8Array, type: string): void {
  const url = URL.createObjectURL(new Blob([bytes as BlobPart], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
