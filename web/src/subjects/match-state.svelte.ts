// The matrix that is shown, the cell that is chosen, and how fresh both are.
import { untrack } from 'svelte';
import { EngineError, Superseded } from '../engine/client';
import { entry, type Lines } from '../engine/lines';
import type { PackedMatrix } from '../engine/matrix';
import type { MatchExplanation } from '../engine/types';
import { studio } from '../state/studio.svelte';

/** A cell by the indices of its pattern and subject. */
export interface Cell {
  pattern: number;
  subject: number;
}

class MatchState {
  matrix = $state.raw<PackedMatrix | null>(null);
  /** Why there is no matrix for the lists as they are, '' when there is. */
  fault = $state('');
  /** The lists were edited after this matrix was made. */
  stale = $state(false);
  /** The work has taken more than half a second. */
  slow = $state(false);
  cell = $state.raw<Cell | null>(null);
  explanation = $state.raw<MatchExplanation | null>(null);

  #chosen: { pattern: string; subject: string } | null = null;
  #run = 0;

  /** Makes the matrix of two lists. */
  async compare(patterns: string, subjects: string): Promise<void> {
    const run = ++this.#run;
    this.stale = untrack(() => this.matrix) !== null;
    const slow = setTimeout(() => (this.slow = true), 500);
    try {
      const matrix = await studio.engine.matrix(patterns, subjects);
      if (run !== this.#run) return;
      this.matrix = matrix;
      this.fault = '';
      this.stale = false;
      this.#keepChoice(matrix);
    } catch (err) {
      if (err instanceof Superseded || run !== this.#run) return;
      this.fault = err instanceof EngineError ? err.message : String(err);
    } finally {
      clearTimeout(slow);
      if (run === this.#run) this.slow = false;
    }
  }

  /** Gives up the comparison that is running; the last matrix stays. */
  cancel(): void {
    this.#run++;
    this.slow = false;
    this.fault = 'Stopped before it was done; this is the result before the last edit.';
    studio.engine.restart();
  }

  /** Chooses a cell and asks why it is as it is. */
  choose(cell: Cell): void {
    const matrix = this.matrix;
    if (!matrix) return;
    this.cell = cell;
    this.#chosen = { pattern: entry(matrix.patterns.lines, cell.pattern), subject: entry(matrix.subjects.lines, cell.subject) };
    void this.#explain(this.#chosen.pattern, this.#chosen.subject);
  }

  async #explain(pattern: string, subject: string): Promise<void> {
    try {
      this.explanation = await studio.engine.call('subject.match', { pattern, subject });
    } catch (err) {
      if (!(err instanceof Superseded)) this.explanation = null;
    }
  }

  /** After an edit the same pattern and subject stay chosen if they are still there. */
  #keepChoice(matrix: PackedMatrix): void {
    if (matrix.cells === 0) {
      this.cell = null;
      this.#chosen = null;
      this.explanation = null;
      return;
    }
    const before = this.cell;
    const kept = this.#chosen && {
      pattern: find(matrix.patterns.lines, this.#chosen.pattern, before?.pattern ?? 0),
      subject: find(matrix.subjects.lines, this.#chosen.subject, before?.subject ?? 0),
    };
    if (kept && kept.pattern >= 0 && kept.subject >= 0) this.choose(kept);
    else this.choose(this.#firstChoice(matrix));
  }

  #firstChoice(matrix: PackedMatrix): Cell {
    const shown = matrix.surprises.find((surprise) => surprise.pattern >= 0 && surprise.subject >= 0);
    return shown ? { pattern: shown.pattern, subject: shown.subject } : { pattern: matrix.columns[0]!, subject: 0 };
  }
}

/** Finds an entry, looking first where it was. -1 when it is gone. */
function find(lines: Lines, text: string, near: number): number {
  const is = (i: number) => lines.ends[i]! - lines.starts[i]! === text.length && entry(lines, i) === text;
  if (near < lines.starts.length && is(near)) return near;
  for (let i = 0; i < lines.starts.length; i++) if (is(i)) return i;
  return -1;
}

/** The matrix of this tab. */
export const match = new MatchState();
