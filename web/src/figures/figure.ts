// A number with its working, as the engine writes it. Text, range and what it
// rests on are the engine's words: nothing here turns numbers into text.
import type { Figure } from '../engine/types';

export type { Figure };

/** Copies of figures and texts in tables. */
export type Cell = string | Figure;

/** What a cell says where only text can be. */
export function cellText(cell: Cell): string {
  if (typeof cell === 'string') return cell;
  return cell.range ? `${cell.text} (${cell.range})` : cell.text;
}

/** The working as lines of text, indented by depth. */
export function workingText(figure: Figure, depth = 0): string {
  const pad = '  '.repeat(depth);
  const head = `${pad}${figure.name} = ${cellText(figure)}${figure.exact ? `, ${figure.exact}` : ''}${figure.rests ? `  [${figure.rests}]` : ''}`;
  const lines = [head];
  if (figure.formula) lines.push(`${pad}  = ${figure.formula}`);
  if (figure.note) lines.push(`${pad}  ! ${figure.note}`);
  if (figure.source) lines.push(`${pad}  source: ${figure.source}`);
  return [lines.join('\n'), ...(figure.terms ?? []).map((term) => workingText(term, depth + 1))].join('\n');
}
