// Places as the engine counts them (columns in characters, from 1) against
// places as a browser does (UTF-16 units, from 0).

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
