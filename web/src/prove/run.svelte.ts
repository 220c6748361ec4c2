// A run on the real server in this tab: what it is doing, what it showed, and
// the way to end it.
import { EngineError } from '../engine/client';
import { Ended, tabServer, type Doing } from '../server/server.svelte';
import type { Methods, RunReply } from '../server/types';
import { arrangement } from '../workbench/arrangement.svelte';
import { bench } from '../workbench/bench.svelte';

type RunMethod = 'proof.run' | 'lab.run' | 'design.prove';

export class Run {
  reply = $state.raw<RunReply | null>(null);
  /** Why there is no answer, '' when there is one. */
  fault = $state('');
  busy = $state(false);
  doing = $state.raw<Doing | null>(null);

  #abort: AbortController | null = null;

  /** Makes a run; the one before it stays shown until this one has answered. */
  async start<M extends RunMethod>(method: M, req: Methods[M]['req']): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.fault = '';
    this.doing = null;
    this.#abort = new AbortController();
    try {
      this.reply = await tabServer.call(method, req, { signal: this.#abort.signal, progress: (doing) => (this.doing = doing) });
    } catch (err) {
      if (!(err instanceof EngineError || err instanceof Ended)) throw err;
      const at = err instanceof EngineError && err.fault.line ? `${err.fault.line}:${err.fault.col ?? 1}: ` : '';
      this.fault = at + err.message;
      this.reply = null;
    } finally {
      this.busy = false;
      this.doing = null;
    }
  }

  /** Ends the run; what it has so far is its answer. */
  cancel(): void {
    this.#abort?.abort();
  }
}

/** The run of the design that is open. */
export const designRun = new Run();

/** For so long the workload of a design is published, in seconds. */
const workloadSeconds = 5;

/** The files that were proved last, as JSON; '' while the run is of something else. */
let proved = '';
export const provedFiles = (): string => (designRun.busy ? '' : proved);

/** Proves the design that is open, and shows the panel. */
export function proveDesign(): void {
  arrangement.open('proof');
  const files = bench.current().map(({ name, text }) => ({ name, text }));
  proved = JSON.stringify(files);
  void designRun.start('design.prove', { files, nodes: 0, scenario: '', seconds: workloadSeconds });
}

/** Runs a proof that Weir knows, and shows it in the panel of proofs. */
export function proveKnown(name: string): void {
  arrangement.open('proof');
  proved = '';
  void designRun.start('proof.run', { name });
}
