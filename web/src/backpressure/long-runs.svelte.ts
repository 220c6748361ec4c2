// Runs that take long: in a worker of their own, so that everything else goes on
// answering, ended by ending the worker.
import { Engine, EngineError, Superseded } from '../engine/client';
import type { Fault, Progress } from '../engine/messages';
import type { Methods } from '../engine/types';
import { studio } from '../state/studio.svelte';

/** The second worker, made with the first run. */
let second: Engine | null = null;
const longEngine = () => (second ??= new Engine());

type Method = 'backpressure.run' | 'backpressure.lab';

/** Run holds the answer of a long run: at first a coarse one, which comes at once, then its charts as they grow, then the run's. */
export class Run<M extends Method> {
  value = $state.raw<Methods[M]['res'] | null>(null);
  fault = $state.raw<Fault | null>(null);
  /** How far the run is, null while none runs. */
  progress = $state.raw<Progress | null>(null);
  running = $state(false);
  /** The charts are of the run as far as it is. */
  growing = $state(false);
  /** How long the last run took, in ms. */
  took = $state(0);
  #number = 0;

  constructor(readonly method: M) {}

  /** Answers coarsely at once, then runs. */
  async start(req: Partial<Methods[M]['req']>): Promise<void> {
    const number = ++this.#number;
    if (this.running) longEngine().restart();
    this.running = true;
    this.progress = null;
    const from = performance.now();
    try {
      const coarse = await studio.engine.call(this.method, { ...req, estimate: true } as Partial<Methods[M]['req']>, { lane: `${this.method} estimate` });
      if (number === this.#number) this.#take(coarse);
    } catch (err) {
      if (!this.#failed(err, number)) return; // what cannot be estimated may still run
    }
    if (number !== this.#number) return;
    try {
      const full = await longEngine().call(this.method, req, {
        progress: (progress) => number === this.#number && (this.progress = progress),
        partial: (reply) => number === this.#number && this.#grow(reply),
      });
      if (number !== this.#number) return;
      this.#take(full);
      this.took = performance.now() - from;
    } catch (err) {
      this.#failed(err, number);
    } finally {
      if (number === this.#number) this.running = false;
    }
  }

  /** Ends the run; the coarse answer stays. */
  cancel(): void {
    this.#number++;
    this.running = false;
    this.progress = null;
    longEngine().restart();
  }

  #take(value: Methods[M]['res']): void {
    this.value = value;
    this.fault = null;
    this.growing = false;
  }

  /** Draws what there is so far; the rest stays the coarse answer's, or the last run's where there is none. */
  #grow({ groups, run }: Methods[M]['res']): void {
    if (!this.value) return;
    this.value = { ...this.value, groups, run };
    this.growing = true;
  }

  /** Keeps why a call of the newest run failed; false for an older one's. */
  #failed(err: unknown, number: number): boolean {
    if (number !== this.#number) return false;
    if (err instanceof Superseded) return false;
    this.fault = err instanceof EngineError ? err.fault : { code: 'internal', message: String(err) };
    return true;
  }
}
