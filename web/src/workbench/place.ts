// Places as the engine counts them (columns in characters, from 1) against
// places as a browser does (UTF-16 units, from 0).
import type { DesignFile } from './design-files';
import type { Edit } from '../engine/types';

/** The index in a line of a column that counts characters from 1. A column behind the end is the end. */
export function indexOfCol(line: string, col: number): number {
  let index = 0;
  for (let left = col - 1; left > 0 && index < line.length; left--) index += line.codePointAt(index)! > 0xffff ? 2 : 1;
  return index;
}

/** The column, in characters from 1, of an index in a line. */
export function colOfIndex(line: string, index: number): number {
  let col = 1;
  for (let i = 0; i < index && i < line.length; col++) i += line.codePointAt(i)! > 0xffff ? 2 : 1;
  return col;
}

/** The files with edits made that do not overlap; of two at one place the first comes first. */
export function withEdits(files: readonly DesignFile[], edits: readonly Edit[]): DesignFile[] {
  return files.map((file) => {
    const starts = [0, ...[...file.text.matchAll(/\r\n?|\n/g)].map((end) => end.index + end[0].length)];
    const indexOf = (line: number, col: number) => {
      const start = starts[line - 1] ?? file.text.length;
      return start + indexOfCol(file.text.slice(start, starts[line]).replace(/[\r\n]+$/, ''), col);
    };
    let text = '';
    let at = 0;
    for (const edit of edits.filter((one) => one.file === file.name).toSorted((a, b) => a.line - b.line || a.col - b.col)) {
      text += file.text.slice(at, indexOf(edit.line, edit.col)) + edit.text;
      at = Math.max(at, indexOf(edit.end_line, edit.end_col));
    }
    return { ...file, text: text + file.text.slice(at) };
  });
}
