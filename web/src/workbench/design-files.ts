// The texts that make up a design: how they come in, what they are called and
// how large they may be. What stands in them is the engine's business.

/** A file of a design. */
export interface DesignFile {
  name: string;
  text: string;
}

/** The largest file that is read, in bytes; the engine refuses a larger text too. */
export const maxFileBytes = 8 << 20;
/** The files that a design has at most in this tab. */
export const maxFiles = 100;
/** The file that a new design begins with. */
export const firstName = 'weir.yaml';

const mebibytes = (bytes: number) => `${(bytes / (1 << 20)).toFixed(1).replace(/\.0$/, '')} MiB`;

/** How a text is coloured in the editor. */
export function colouredAs(file: DesignFile): 'json' | 'yaml' {
  if (/\.jsonc?$/i.test(file.name)) return 'json';
  if (/\.ya?ml$/i.test(file.name)) return 'yaml';
  return /^\s*[[{]/.test(file.text) ? 'json' : 'yaml';
}

/** A name for a text that came without one. */
export function nameOfPaste(text: string): string {
  return colouredAs({ name: '', text }) === 'json' ? 'pasted.json' : 'pasted.yaml';
}

/** A name that is not taken: "a.json", else "a-2.json". */
export function freeName(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name;
  const dot = name.lastIndexOf('.');
  const [stem, ext] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  for (let n = 2; ; n++) if (!taken.includes(`${stem}-${n}${ext}`)) return `${stem}-${n}${ext}`;
}

/** Why a text of so many bytes is not read, '' when it is. */
export function tooLarge(name: string, bytes: number): string {
  return bytes > maxFileBytes ? `${name} is ${mebibytes(bytes)}; a file may have ${mebibytes(maxFileBytes)}` : '';
}

/** What became of files that were given: those that can be opened, and a sentence for each that cannot. */
export interface Opened {
  files: DesignFile[];
  refused: string[];
}

/** Reads files as text. A file that is too large is not read at all. */
export async function readFiles(files: readonly File[]): Promise<Opened> {
  const out: Opened = { files: [], refused: [] };
  for (const [i, file] of files.entries()) {
    if (i === maxFiles) {
      out.refused.push(`${files.length - maxFiles} more files are left out; a design may have ${maxFiles}`);
      break;
    }
    const large = tooLarge(file.name, file.size);
    if (large !== '') {
      out.refused.push(large);
      continue;
    }
    try {
      const text = decodeText(file.name, new Uint8Array(await file.arrayBuffer()));
      out.files.push({ name: freeName(file.name, out.files.map((other) => other.name)), text });
    } catch (err) {
      out.refused.push(err instanceof NotText ? err.message : `${file.name} cannot be read; a folder has to be opened by its files`);
    }
  }
  return out;
}

/** What files begin with that are often beside a design, and are no text. */
const beginnings: readonly { begins: string; kind: string }[] = [
  { begins: '\x89PNG', kind: 'an image' },
  { begins: '\xff\xd8\xff', kind: 'an image' },
  { begins: 'GIF8', kind: 'an image' },
  { begins: 'RIFF', kind: 'a media file' },
  { begins: '%PDF', kind: 'a PDF' },
  { begins: 'PK\x03\x04', kind: 'an archive or office document' },
  { begins: '\x1f\x8b', kind: 'a compressed file' },
  { begins: '\x7fELF', kind: 'a program' },
];

/** What bytes that are no UTF-8 are instead, '' for a text of another encoding. UTF-16, told by its mark, is text too. */
function kindOf(bytes: Uint8Array): string {
  const start = String.fromCharCode(...bytes.subarray(0, 8));
  const known = beginnings.find(({ begins }) => start.startsWith(begins));
  if (known) return known.kind;
  const utf16 = start.startsWith('\xff\xfe') || start.startsWith('\xfe\xff');
  return !utf16 && bytes.subarray(0, 8192).includes(0) ? 'a binary file' : '';
}

class NotText extends Error {}

/** Decodes UTF-8; bytes that are none are an error with their line. */
export function decodeText(name: string, bytes: Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    return decoder.decode(bytes);
  } catch {
    const kind = kindOf(bytes);
    if (kind !== '') throw new NotText(`${name} is ${kind}, and ${kind} is no design; a design is text`);
    let line = 1;
    for (let from = 0; from < bytes.length; line++) {
      const next = bytes.indexOf(10, from);
      const to = next < 0 ? bytes.length : next + 1;
      try {
        decoder.decode(bytes.subarray(from, to));
      } catch {
        break;
      }
      from = to;
    }
    throw new NotText(`${name}: line ${line} is not UTF-8; save the file as UTF-8`);
  }
}
