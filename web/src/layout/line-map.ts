/** LineMap finds the lines of a text for drawing, blank ones included, and how they stand to the entries of the list. */
export interface LineMap {
  count: number;
  /** The text of a line, without CR. */
  line(i: number): string;
  /** How many entries (lines that are not blank) lie before a line. */
  entriesBefore(i: number): number;
  /** The line of an entry. */
  lineOfEntry(index: number): number;
  /** The whole text with a line put in place of line i, or without line i for null. */
  replace(i: number, line: string | null): string;
}

/** Maps a text; one pass over it. */
export function lineMap(text: string): LineMap {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  const starts = new Uint32Array(count + 1);
  const before = new Uint32Array(count + 1);
  let start = 0;
  for (let i = 0; i < count; i++) {
    starts[i] = start;
    let end = text.indexOf('\n', start);
    if (end < 0) end = text.length;
    const blank = end === start || (end === start + 1 && text.charCodeAt(start) === 13);
    before[i + 1] = before[i]! + (blank ? 0 : 1);
    start = end + 1;
  }
  starts[count] = start;
  return {
    count,
    line(i) {
      const line = text.slice(starts[i], starts[i + 1]! - 1);
      return line.endsWith('\r') ? line.slice(0, -1) : line;
    },
    entriesBefore: (i) => before[i]!,
    lineOfEntry(index) {
      let low = 0;
      let high = count - 1;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (before[middle + 1]! > index) high = middle;
        else low = middle + 1;
      }
      return low;
    },
    replace(i, line) {
      const rest = text.slice(starts[i + 1]);
      return line === null ? text.slice(0, starts[i]) + rest : text.slice(0, starts[i]) + line + (i < count - 1 ? '\n' + rest : '');
    },
  };
}
