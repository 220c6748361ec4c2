/** Lines is a list typed or pasted as text: where each of its entries starts and ends. Blank lines are no entries; a CR before the line feed is not part of one. */
export interface Lines {
  text: string;
  starts: Uint32Array;
  ends: Uint32Array;
  /** The longest entry in UTF-16 units. */
  longest: number;
}

/** Finds the entries of a text. */
export function splitLines(text: string): Lines {
  let count = 0;
  eachLine(text, () => count++);
  const starts = new Uint32Array(count);
  const ends = new Uint32Array(count);
  let i = 0;
  let longest = 0;
  eachLine(text, (start, end) => {
    starts[i] = start;
    ends[i++] = end;
    longest = Math.max(longest, end - start);
  });
  return { text, starts, ends, longest };
}

function eachLine(text: string, take: (start: number, end: number) => void): void {
  for (let start = 0; start < text.length; ) {
    let end = text.indexOf('\n', start);
    if (end < 0) end = text.length;
    const next = end + 1;
    if (end > start && text.charCodeAt(end - 1) === 13) end--;
    if (end > start) take(start, end);
    start = next;
  }
}

/** The i-th entry. */
export function entry(lines: Lines, i: number): string {
  return lines.text.slice(lines.starts[i], lines.ends[i]);
}

/** All entries. */
export function entries(lines: Lines): string[] {
  return Array.from(lines.starts, (_, i) => entry(lines, i));
}

/** The text with one entry more at its end. */
export function appendEntry(text: string, item: string): string {
  return text === '' || text.endsWith('\n') ? text + item : text + '\n' + item;
}
