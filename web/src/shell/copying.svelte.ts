// What goes to the clipboard, and what is said about it in place.
import { entry } from '../engine/lines';
import { faultOf, matchAt, type PackedMatrix } from '../engine/matrix';
import { toMarkdown, toTSV } from '../layout/tables';
import { match } from '../subjects/match-state.svelte';
import { studio } from '../state/studio.svelte';
import { bench } from '../workbench/bench.svelte';

/** The cells that are copied at most; a larger table stops other programs. */
const maxCopiedCells = 200_000;

/** What was copied last, for as long as it is said. */
class Copied {
  what = $state('');
  #end: ReturnType<typeof setTimeout> | undefined;

  say(what: string): void {
    this.what = what;
    clearTimeout(this.#end);
    this.#end = setTimeout(() => (this.what = ''), 2000);
  }
}

/** The last copy of this tab. */
export const copied = new Copied();

/** Copies a text; what names it for the button that says "Copied". */
export async function copyText(what: string, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    copied.say(what);
  } catch {
    studio.notice = 'The browser does not let this page write to the clipboard.';
  }
}

/** Copies the address that carries the design or the lab. */
export async function copyLink(): Promise<void> {
  const designing = studio.route.page === 'design';
  try {
    await copyText('link', await (designing ? bench : studio).link());
  } catch {
    const [what, instead] = designing ? ['The design is', 'Pass its files on'] : ['The lists are', 'Copy the lists themselves'];
    studio.notice = `${what} too long for a link: browsers and chats cut addresses of this length. ${instead}.`;
  }
}

/** Copies the matrix as a table. */
export async function copyMatrix(format: 'markdown' | 'tsv'): Promise<void> {
  const m = match.matrix;
  if (!m) return;
  if (m.columns.length * m.subjects.count > maxCopiedCells) {
    studio.notice = `A table of ${m.columns.length.toLocaleString('en')} x ${m.subjects.count.toLocaleString('en')} cells is too large to copy; the limit is ${maxCopiedCells.toLocaleString('en')}.`;
    return;
  }
  await copyText(format, matrixTable(m, format));
}

function matrixTable(m: PackedMatrix, format: 'markdown' | 'tsv'): string {
  const columns = [...m.columns];
  const head = ['subject', ...columns.map((p) => entry(m.patterns.lines, p))];
  const rows = Array.from({ length: m.subjects.count }, (_, s) => [
    entry(m.subjects.lines, s),
    ...columns.map((p) => (faultOf(m.subjects, s) !== '' || faultOf(m.patterns, p) !== '' ? 'not valid' : matchAt(m, s, p) ? 'match' : 'no match')),
  ]);
  return format === 'tsv' ? toTSV([head, ...rows]) : toMarkdown(head, rows, 1, true);
}
