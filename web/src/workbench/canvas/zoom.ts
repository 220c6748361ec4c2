// How much a node shows at a zoom: text is never set smaller than it can be
// read, what does not fit any more is left to the label beside the pointer.
import type { Placed } from './drawing';
import { textWidth } from './measure';

/** The smallest size of a text on the screen, in px. */
export const smallest = 11;
/** The size of most texts at 100 %, in px. */
const usual = 12;
/** The zooms that the buttons and keys step through. */
export const zooms = [0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.85, 1, 1.25, 1.5, 2] as const;

export const leastZoom = zooms[0];
export const mostZoom = zooms[zooms.length - 1]!;

/** The next zoom of a direction. */
export function stepZoom(zoom: number, up: boolean): number {
  return (up ? zooms.find((one) => one > zoom + 1e-3) : zooms.findLast((one) => one < zoom - 1e-3)) ?? zoom;
}

/** The zoom at which a drawing fits into a room, at most 100 %. */
export function fitZoom(drawing: { width: number; height: number }, width: number, height: number): number {
  return Math.max(leastZoom, Math.min(1, width / drawing.width, height / drawing.height));
}

/** What a node shows at a zoom. */
export function shownAt(placed: Placed, zoom: number): 'all' | 'name' | 'none' {
  if (zoom * usual >= smallest) return 'all';
  const size = smallest / zoom;
  const room = Math.max(1, placed.w - (placed.node.kind === 'stream' ? 32 : placed.node.kind === 'workers' ? 70 : 22));
  const perRow = Math.floor(room / (textWidth('x', placed.node.kind === 'subject' ? 'subject' : 'name') * (size / usual)));
  // Words are not broken: a name in pieces is not read.
  const longest = Math.max(...placed.node.name.split(/(?<=[ .\-_])/).map((part) => part.length));
  const rows = Math.ceil(placed.node.name.length / Math.max(1, perRow));
  return perRow >= longest && rows * size * 1.15 <= placed.h - 8 ? 'name' : 'none';
}
