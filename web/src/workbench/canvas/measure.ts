// How large nodes are for their texts. A text is measured by its length, in
// widths rounded up: the drawing is the same before and after fonts load.
import type { Node } from '../../engine/types';

/** Widths of a character, rounded up, in the types that nodes use. */
const advance = { name: 8, text: 6.6, subject: 7.3 };
/** What a node has around its text, on both sides together. */
const padding: Record<string, number> = { publisher: 22, subject: 8, stream: 34, consumer: 22, consumers: 30, workers: 26, subscriber: 22 };

/** The most workers that are drawn as vessels, and the width of a vessel with its gap. */
export const maxVessels = 6;
export const vesselPitch = (count: number) => (count > 4 ? 8 : 12);

/** The width of a line at a rate in messages a second: 1.2 + 2.1 log10. */
export function lineWidth(rate: number): number {
  return rate > 0 ? Math.max(1.2, Math.min(12, 1.2 + 2.1 * Math.log10(rate))) : 1.6;
}

export const textWidth = (text: string, as: keyof typeof advance) => Math.ceil(text.length * advance[as]);
const styleOf = (line: { as?: string }) => (line.as === 'subject' ? 'subject' : line.as === 'bold' ? 'name' : 'text');
const nameStyle = (node: Node) => (node.kind === 'subject' ? 'subject' : 'name');
const tagsWidth = (node: Node) => (node.tags ?? []).reduce((sum, tag) => sum + textWidth(tag, 'text') + 16, 0);

function vesselsWidth(node: Node): number {
  const drawn = Math.min(node.vessels ?? 0, maxVessels);
  return drawn === 0 ? 0 : drawn * vesselPitch(drawn) + 6;
}

/** The width at which no text of a node is broken. */
export function widthOf(node: Node): number {
  const beside = vesselsWidth(node);
  const widths = (node.lines ?? []).map((line) => textWidth(line.text, styleOf(line)) + beside);
  return Math.max(textWidth(node.name, nameStyle(node)) + tagsWidth(node) + beside, ...widths) + padding[node.kind]!;
}

/** The height of a node whose texts are broken at a width. */
export function heightOf(node: Node, width: number): number {
  const inner = width - padding[node.kind]! - vesselsWidth(node);
  const rows = (text: string, as: keyof typeof advance, room: number) => Math.max(1, Math.ceil(textWidth(text, as) / Math.max(40, room)));
  const body = (node.lines ?? []).reduce((sum, line) => sum + 16 * rows(line.text, styleOf(line), inner), 0);
  if (node.kind === 'subject') return 2 * Math.max(16 * rows(node.name, 'subject', inner) + 2, body + 3) + 8;
  if (node.kind === 'workers') return Math.max(48, 14 + 16 * rows(node.name, 'name', inner) + body);
  return 14 + headHeight(node, inner, rows(node.name, 'name', inner)) + body + (node.kind === 'stream' ? 4 : 0);
}

/** The name with the tags beside it, or below it where they would break it. */
function headHeight(node: Node, inner: number, rows: number): number {
  const tags = tagsWidth(node);
  return textWidth(node.name, 'name') + tags <= inner ? 18 : 18 * rows + (tags > 0 ? 20 : 0);
}

/** The widths of the five columns and of the gaps behind them, for a room in px. */
export interface Columns {
  x: number[];
  w: number[];
  /** Of the whole drawing. */
  width: number;
}

const between = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value));
const limits = [[112, 170], [96, 250], [196, 270], [150, 220], [112, 170]] as const;

/** Divides a room among the columns: what is left goes to the gaps, what is missing comes from texts that can be broken. */
export function columnsOf(nodes: readonly Node[], notes: readonly string[], room: number): Columns {
  const edge = room < 920 ? 12 : 20;
  const w = limits.map(([low, high], column) => {
    const here = nodes.filter((node) => node.column === column);
    return here.length === 0 ? 0 : between(Math.max(...here.map(widthOf)), low, high);
  });
  const deliver = between(Math.max(0, ...notes.map((note) => textWidth(note, 'text'))) + 30, 64, 110);
  const gaps = [16, 40, deliver, 26, 0].map((gap, i) => (w[i]! > 0 && w.slice(i + 1).some((one) => one > 0) ? gap : 0));
  const sum = () => [...w, ...gaps].reduce((total, part) => total + part, 0);
  let left = room - 2 * edge - sum();
  for (const [list, i, most] of [[gaps, 1, 72], [gaps, 2, 110], [gaps, 3, 48], [w, 2, 240], [w, 3, 200]] as const) {
    if (list[i]! === 0 || left <= 0) continue;
    const more = Math.min(left, Math.max(0, most - list[i]!));
    list[i]! += more;
    left -= more;
  }
  for (const [list, i, least] of [[w, 2, 200], [gaps, 1, 28], [w, 1, 130], [w, 3, 150], [gaps, 2, 56], [w, 1, 96], [w, 0, 100], [gaps, 3, 18], [w, 2, 180], [w, 4, 118]] as const) {
    if (list[i]! === 0 || left >= 0) continue;
    const less = Math.min(-left, Math.max(0, list[i]! - least));
    list[i]! -= less;
    left += less;
  }
  const x: number[] = [];
  let at = edge;
  for (let i = 0; i < w.length; i++) {
    x.push(at);
    at += w[i]! + gaps[i]!;
  }
  return { x, w, width: Math.max(room, at + edge) };
}
