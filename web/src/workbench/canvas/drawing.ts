// What a finished drawing is, and how edges run between nodes that have a place.
import type { Edge, Node } from '../../engine/types';
import { lineWidth, type Columns } from './measure';

/** A node with its place. */
export interface Placed {
  node: Node;
  x: number;
  y: number;
  w: number;
  h: number;
}

/** A line to draw, with the box of the text on it. */
export interface Drawn {
  edge: Edge;
  d: string;
  width: number;
  top: number;
  bottom: number;
  /** The left edge of the text, the height of the line, its width: on the line, or at its right end above or below it. */
  label: { x: number; y: number; w: number; align: 'center' | 'right' | 'below' } | null;
  /** Where the line of a copy ends, and how an arrow that points down has to be turned there; null without one. */
  arrow: { x: number; y: number; turn: number } | null;
}

/** A finished drawing. */
export interface Drawing {
  width: number;
  height: number;
  nodes: Placed[];
  lines: Drawn[];
  /** Left edges of the columns, empty where there are none. */
  columns: number[];
}

/** Where an edge leaves and enters, and its height in the columns that it crosses. */
export interface Route {
  from: number;
  to: number;
  through: { column: number; y: number }[];
}

/** The edges that stay in their column. */
export const isCopy = (edge: Edge) => edge.flow === 'mirror' || edge.flow === 'source';

const curve = (x1: number, y1: number, x2: number, y2: number) => {
  if (Math.abs(y1 - y2) < 0.5) return `H${x2}`;
  const bend = (x2 - x1) / 2;
  return `C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
};

/** Draws an edge from column to column. */
export function drawEdge(edge: Edge, from: Placed, to: Placed, route: Route, columns: Columns): Drawn {
  const x1 = from.x + from.w;
  let [d, x, y] = [`M${x1} ${route.from}`, x1, route.from];
  let [top, bottom] = [Math.min(route.from, route.to), Math.max(route.from, route.to)];
  const go = (x2: number, y2: number) => {
    d += curve(x, y, x2, y2);
    [x, y, top, bottom] = [x2, y2, Math.min(top, y2), Math.max(bottom, y2)];
  };
  for (const at of route.through) {
    go(columns.x[at.column]! - 8, at.y);
    go(columns.x[at.column]! + columns.w[at.column]! + 8, at.y);
  }
  // The line of a publisher runs on under its subject.
  if (to.node.kind === 'subject') {
    go(to.x, route.to);
    go(to.x + to.w, route.to);
  } else go(to.x, route.to);
  const label = edge.text ? { x: to.x - Math.min(to.x - x1, 112) + 4, y: route.to, w: Math.min(to.x - x1, 112) - 12, align: route.from < route.to - 8 ? ('below' as const) : ('right' as const) } : null;
  return { edge, d, width: lineWidth(edge.rate), top: top - 24, bottom: bottom + 24, label, arrow: null };
}

/** Draws a mirror or source: straight down to the next stream, else round on the left. */
export function drawCopy(edge: Edge, from: Placed, to: Placed, streams: readonly Placed[]): Drawn {
  const x = from.x + from.w / 2;
  const y1 = from.y + from.h;
  const down = to.y >= y1;
  if (down && !streams.some((one) => one.y >= y1 && one.y < to.y)) {
    return { edge, d: `M${x} ${y1}V${to.y}`, width: 2, top: y1, bottom: to.y, label: { x: from.x - 24, y: (y1 + to.y) / 2 - 2, w: from.w + 48, align: 'center' }, arrow: { x, y: to.y, turn: 0 } };
  }
  const [leave, y2] = [from.y + from.h - 14, to.y + 14];
  const out = from.x - 20;
  const d = `M${from.x} ${leave}C${out} ${leave} ${out} ${leave} ${out} ${leave + (down ? 16 : -16)}V${y2 + (down ? -16 : 16)}C${out} ${y2} ${out} ${y2} ${to.x} ${y2}`;
  return { edge, d, width: 2, top: Math.min(leave, y2), bottom: Math.max(leave, y2), label: null, arrow: { x: to.x, y: y2, turn: -90 } };
}

/** The node that a path belongs to: the nearest one above it, '' for none. */
export function nodeOf(ids: ReadonlySet<string>, path: string): string {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) if (ids.has(at)) return at;
  return '';
}
