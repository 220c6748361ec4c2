// Which part of a long run of rows or columns is drawn.

/** The tallest element that every current browser lays out (Firefox stops at 17.8 million px). */
export const maxExtent = 15_000_000;

/** Half-open range of indices. */
export interface Range {
  from: number;
  to: number;
}

/** Track lays out a run of equal rows in a scroller, longer than an element may be if need be. */
export class Track {
  /** The height that the scroller's content gets. */
  readonly extent: number;
  readonly #total: number;

  constructor(
    readonly count: number,
    readonly size: number,
    readonly view: number,
  ) {
    this.#total = count * size;
    this.extent = Math.min(this.#total, maxExtent);
  }

  /** The place in the run, in px, that lies at the top when the scroller stands at scroll. */
  position(scroll: number): number {
    if (this.#total <= maxExtent) return scroll;
    const most = this.extent - this.view;
    return most <= 0 ? 0 : (Math.min(scroll, most) / most) * (this.#total - this.view);
  }

  /** The rows to draw, with some more at both ends. */
  visible(scroll: number, more: number): Range {
    const at = this.position(scroll);
    const from = Math.max(0, Math.floor(at / this.size) - more);
    return { from, to: Math.min(this.count, Math.ceil((at + this.view) / this.size) + more) };
  }

  /** Where a row lies inside the content, for a scroller that stands at scroll. */
  offset(row: number, scroll: number): number {
    return row * this.size - this.position(scroll) + scroll;
  }

  /** The scroll that brings a row into view with the least movement. */
  reveal(row: number, scroll: number): number {
    const at = this.position(scroll);
    const top = row * this.size;
    let to = at;
    if (top < at) to = top;
    else if (top + this.size > at + this.view) to = top + this.size - this.view;
    else return scroll;
    return this.scrollFor(to);
  }

  /** The scroll at which a place in the run lies at the top. */
  scrollFor(position: number): number {
    const free = this.#total - this.view;
    if (free <= 0) return 0;
    const at = Math.max(0, Math.min(position, free));
    return this.#total <= maxExtent ? at : (at / free) * (this.extent - this.view);
  }
}

/** Sums of widths: sums[i] is where column i begins, the last one where all end. */
export function prefixSums(widths: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(widths.length + 1);
  for (let i = 0; i < widths.length; i++) sums[i + 1] = sums[i]! + widths[i]!;
  return sums;
}

/** The columns that a view of that width shows, with some more at both ends. */
export function visibleColumns(sums: Float64Array, scroll: number, view: number, more: number): Range {
  const count = sums.length - 1;
  const from = Math.max(0, lastAtMost(sums, scroll) - more);
  const to = Math.min(count, lastAtMost(sums, scroll + view) + 1 + more);
  return { from: Math.min(from, count), to };
}

/** The last index whose sum is at most x. */
function lastAtMost(sums: Float64Array, x: number): number {
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (sums[middle]! <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}
