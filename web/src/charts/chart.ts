// What a chart draws. The engine makes every text: titles, ticks, marks and the
// table that stands behind the picture and is read out under the pointer.

/** A place on an axis with its text. */
export interface Tick {
  at: number;
  text: string;
}

export interface Axis {
  max: number;
  ticks: readonly Tick[];
  /** Powers: the values are drawn by their logarithm. */
  log?: boolean;
}

export interface Series {
  name: string;
  values: readonly (number | null)[];
  /** A band around the line. */
  low?: readonly (number | null)[];
  high?: readonly (number | null)[];
  /** Measured values are dots, never joined. */
  dots?: boolean;
  /** The area below it is filled. */
  area?: boolean;
}

/** A limit or goal (on y), or a fault (on x): a line with its name. */
export interface Mark {
  at: number;
  text: string;
  /** A stretch of x, such as a burst. */
  to?: number;
}

export interface ChartData {
  title: string;
  x: Axis;
  y: Axis;
  xs: readonly number[];
  series: readonly Series[];
  limits?: readonly Mark[];
  faults?: readonly Mark[];
  /** The table: a column for x and one for each series, a row for each of xs. */
  head: readonly string[];
  rows: readonly (readonly string[])[];
  /** Why there are no values yet; its place is kept. */
  later?: string;
}

/** The index of xs that is nearest to x. */
export function nearest(xs: readonly number[], x: number): number {
  let low = 0;
  let high = xs.length - 1;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (xs[mid]! < x) low = mid + 1;
    else high = mid;
  }
  return low > 0 && x - xs[low - 1]! <= xs[low]! - x ? low - 1 : low;
}

/** Room for the ticks of a y axis, in px. */
export const gutter = (ticks: readonly Tick[], perLetter = 6.4): number => Math.max(40, Math.ceil(Math.max(0, ...ticks.map((tick) => tick.text.length)) * perLetter) + 14);
