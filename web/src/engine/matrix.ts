// The matrix as it crosses from the engine's worker: columns of numbers instead
// of an object for each line, so that a list of a million subjects costs the
// page no time. Nothing is computed about NATS here.
import type { MatrixReply, Surprise } from './types';
import type { Lines } from './lines';

/** A side of a matrix: its lines, and for each what the engine says of it. */
export interface Side {
  lines: Lines;
  count: number;
  matches: Uint32Array;
  /** Index into reasons plus one; 0 means the line is valid. */
  fault: Uint32Array;
  reasons: string[];
}

/** PackedMatrix is a MatrixReply without an object for each line. */
export interface PackedMatrix {
  patterns: Side;
  subjects: Side;
  /** One bit a subject: it holds a wildcard token. */
  wildcard: Uint8Array;
  /** The longest subject with a wildcard token, in UTF-16 units; 0 without one. */
  longestWildcard: number;
  /** Indices of the patterns that are shown: of equal patterns the first. */
  columns: Uint32Array;
  /** For each shown column, how many lines of the list it stands for. */
  folded: Uint32Array;
  rowBytes: number;
  bits: Uint8Array;
  cells: number;
  matching: number;
  summary: string;
  grounds: string;
  surprises: Surprise[];
  overview: Overview;
  /** How long the engine took, in milliseconds. */
  took: number;
}

/** Overview is a thumbnail of the matrix: a byte a pixel, 0 for no match, up to 253 the more of its cells match, 255 not valid. */
export interface Overview {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** The pixel of an Overview whose line is not valid. */
export const overviewInvalid = 255;

/** The subjects that are looked at for one row of pixels, at most. */
const overviewSample = 64;

/** Turns a reply into columns. */
export function packMatrix(reply: MatrixReply, patterns: Lines, subjects: Lines, took: number): PackedMatrix {
  const columns: number[] = [];
  const foldedAt = new Map<number, number>();
  const folded: number[] = [];
  reply.patterns.forEach((pattern, i) => {
    const at = foldedAt.get(pattern.same_as);
    if (at !== undefined) {
      folded[at]!++;
      return;
    }
    foldedAt.set(i, columns.length);
    columns.push(i);
    folded.push(1);
  });
  const wildcard = new Uint8Array((reply.subjects.length + 7) >> 3);
  let longestWildcard = 0;
  reply.subjects.forEach((subject, i) => {
    if (!subject.wildcard) return;
    wildcard[i >> 3]! |= 1 << (i & 7);
    longestWildcard = Math.max(longestWildcard, subject.subject.length);
  });
  const packed: PackedMatrix = {
    patterns: packSide(patterns, reply.patterns),
    subjects: packSide(subjects, reply.subjects),
    wildcard,
    longestWildcard,
    columns: Uint32Array.from(columns),
    folded: Uint32Array.from(folded),
    rowBytes: reply.row_bytes,
    bits: decodeBase64(reply.rows),
    cells: reply.cells,
    matching: reply.matching,
    summary: reply.summary,
    grounds: reply.grounds,
    surprises: reply.surprises,
    overview: { width: 0, height: 0, pixels: new Uint8Array() },
    took,
  };
  packed.overview = thumbnail(packed, 86, 512);
  return packed;
}

function packSide(lines: Lines, rows: { matches: number; valid: boolean; reason?: string }[]): Side {
  const reasons: string[] = [];
  const known = new Map<string, number>();
  const matches = new Uint32Array(rows.length);
  const fault = new Uint32Array(rows.length);
  rows.forEach((row, i) => {
    matches[i] = row.matches;
    if (row.valid) return;
    const reason = row.reason ?? '';
    let id = known.get(reason);
    if (id === undefined) {
      id = reasons.push(reason);
      known.set(reason, id);
    }
    fault[i] = id;
  });
  return { lines, count: rows.length, matches, fault, reasons };
}

/** Decodes standard base64. */
export function decodeBase64(text: string): Uint8Array {
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out;
}

/** Whether a pattern matches a subject, both by index into their lists. */
export function matchAt(m: PackedMatrix, subject: number, pattern: number): boolean {
  return (m.bits[subject * m.rowBytes + (pattern >> 3)]! & (1 << (pattern & 7))) !== 0;
}

/** Whether a subject holds a wildcard token. */
export function wildcardAt(m: PackedMatrix, subject: number): boolean {
  return (m.wildcard[subject >> 3]! & (1 << (subject & 7))) !== 0;
}

/** Why a line is not valid, '' when it is. */
export function faultOf(side: Side, i: number): string {
  const id = side.fault[i]!;
  return id === 0 ? '' : side.reasons[id - 1]!;
}

/** How many lines of a side are not valid. */
export function countFaults(side: Side): number {
  let n = 0;
  for (let i = 0; i < side.count; i++) if (side.fault[i] !== 0) n++;
  return n;
}

/** Draws a matrix at most width by height pixels large. Of very many lines that share a pixel some are looked at. */
export function thumbnail(m: PackedMatrix, width: number, height: number): Overview {
  const w = Math.min(width, m.columns.length);
  const h = Math.min(height, m.subjects.count);
  const pixels = new Uint8Array(w * h);
  for (let y = 0; y < h; y++) {
    const rows = span(y, h, m.subjects.count);
    for (let x = 0; x < w; x++) pixels[y * w + x] = pixel(m, rows, span(x, w, m.columns.length));
  }
  return { width: w, height: h, pixels };
}

interface Span {
  from: number;
  to: number;
}

function span(i: number, of: number, count: number): Span {
  const from = Math.floor((i * count) / of);
  return { from, to: Math.max(from + 1, Math.floor(((i + 1) * count) / of)) };
}

function pixel(m: PackedMatrix, rows: Span, columns: Span): number {
  let seen = 0;
  let matching = 0;
  let invalid = 0;
  const rowStep = Math.max(1, Math.floor((rows.to - rows.from) / overviewSample));
  const columnStep = Math.max(1, Math.floor((columns.to - columns.from) / overviewSample));
  for (let s = rows.from; s < rows.to; s += rowStep) {
    for (let c = columns.from; c < columns.to; c += columnStep) {
      const p = m.columns[c]!;
      seen++;
      if (m.subjects.fault[s] !== 0 || m.patterns.fault[p] !== 0) invalid++;
      else if (matchAt(m, s, p)) matching++;
    }
  }
  if (invalid === seen) return overviewInvalid;
  // A single match among many must stay visible.
  return matching === 0 ? 0 : Math.max(90, Math.round(Math.sqrt(matching / seen) * 253));
}
