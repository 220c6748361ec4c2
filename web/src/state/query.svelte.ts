import { untrack } from 'svelte';
import { EngineError, Superseded } from '../engine/client';
import type { Fault } from '../engine/messages';

/** Query holds the last answer to a question that is asked again on every edit. While an answer is out of date it stays readable and is marked stale. */
export class Query<T> {
  value = $state.raw<T | null>(null);
  /** Why the question as it stands has no answer. */
  fault = $state.raw<Fault | null>(null);
  stale = $state(false);
  #run = 0;

  /** Waits for an answer; one that a newer question has overtaken is dropped. */
  async take(answer: Promise<T>): Promise<void> {
    const run = ++this.#run;
    // The caller is often an effect, which must not run again when the answer comes.
    this.stale = untrack(() => this.value) !== null;
    try {
      const value = await answer;
      if (run !== this.#run) return;
      this.value = value;
      this.fault = null;
      this.stale = false;
    } catch (err) {
      if (err instanceof Superseded || run !== this.#run) return;
      this.fault = err instanceof EngineError ? err.fault : { code: 'internal', message: String(err) };
    }
  }
}
