// The numbers of a showdown: simulated in the worker for long runs, so that the
// page goes on answering, and ended by ending that worker.
import { longEngine } from '../backpressure/long-runs.svelte';
import { EngineError } from '../engine/client';
import type { Progress } from '../engine/messages';
import type { CompareReply, Methods } from '../engine/types';

export class Comparison {
  value = $state.raw<CompareReply | null>(null);
  /** Why there is no answer, '' when there is one or it is being made. */
  fault = $state('');
  progress = $state.raw<Progress | null>(null);
  running = $state(false);
  #number = 0;

  /** Compares; the answer before is dropped, because it is of another question. */
  async start(req: Partial<Methods['showdown.compare']['req']>): Promise<void> {
    const number = ++this.#number;
    if (this.running) longEngine().restart();
    this.running = true;
    this.value = null;
    this.progress = null;
    this.fault = '';
    try {
      const value = await longEngine().call('showdown.compare', req, { progress: (progress) => number === this.#number && (this.progress = progress) });
      if (number === this.#number) this.value = value;
    } catch (err) {
      if (number !== this.#number) return;
      if (!(err instanceof EngineError)) throw err;
      this.fault = err.message;
    } finally {
      if (number === this.#number) this.running = false;
    }
  }

  /** Ends the run. */
  cancel(): void {
    if (!this.running) return;
    this.#number++;
    this.running = false;
    this.progress = null;
    longEngine().restart();
  }
}
