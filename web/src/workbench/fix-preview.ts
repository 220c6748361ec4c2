// What a fix would write, as lines taken out and put in.
import type { DesignFile } from './design-files';
import type { Edit } from '../engine/types';
import { indexOfCol } from './place';

/** A line of a preview. */
export interface PreviewLine {
  sign: '-' | '+';
  text: string;
}

/** More lines than these are not previewed. */
const maxLines = 12;

/** The lines that edits change, before and after, without the indentation that they share; [] when they are too many to show. */
export function fixedLines(files: readonly DesignFile[], edits: readonly Edit[]): PreviewLine[] {
  const out: PreviewLine[] = [];
  for (const edit of edits.toSorted((a, b) => a.line - b.line)) {
    const text = files.find((file) => file.name === edit.file)?.text;
    if (text === undefined) return [];
    const before = text.split(/\r\n?|\n/).slice(edit.line - 1, edit.end_line);
    const first = before[0] ?? '';
    const last = before.at(-1) ?? '';
    const after = (first.slice(0, indexOfCol(first, edit.col)) + edit.text + last.slice(indexOfCol(last, edit.end_col))).split('\n');
    // A line that is put in before another leaves that one as it is.
    while (before.length > 0 && after.length > 0 && before.at(-1) === after.at(-1)) [before.pop(), after.pop()];
    while (before.length > 0 && after.length > 0 && before[0] === after[0]) [before.shift(), after.shift()];
    out.push(...before.map((line) => ({ sign: '-' as const, text: line })), ...after.map((line) => ({ sign: '+' as const, text: line })));
    if (out.length > maxLines) return [];
  }
  const shared = Math.min(...out.filter((line) => line.text.trim() !== '').map((line) => line.text.length - line.text.trimStart().length));
  return out.map((line) => ({ ...line, text: line.text.slice(Number.isFinite(shared) ? shared : 0) }));
}
