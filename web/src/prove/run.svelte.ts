// A run on the real server in this tab: what it is doing, what it showed, and
// the way to end it.
import { EngineError, Superseded } from '../engine/client';
import { studio } from '../state/studio.svelte';
import { Ended, tabServer, type Doing } from '../server/server.svelte';
import type { ProofChart, Run as MeasuredRun } from '../engine/types';
import type { LookReply, Methods, RunReply } from '../server/types';
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
  #made: Promise<void> = Promise.resolve();
  /** What was cancelled last, of any page: the server takes one run at a time, and ends one in its own time. */
  static #left: Promise<void> = Promise.resolve();

  /** Makes a run; the one before it stays shown until this one has answered. While one is made, there is no other. */
  start<M extends RunMethod>(method: M, req: Methods[M]['req']): Promise<void> {
    if (!this.busy) this.#made = this.#make(method, req);
    return this.#made;
  }

  /** Resolves when no run is made. */
  ended(): Promise<void> {
    return this.#made;
  }

  async #make<M extends RunMethod>(method: M, req: Methods[M]['req']): Promise<void> {
    this.busy = true;
    this.fault = '';
    this.doing = { what: 'ending the run before', done: 0, total: 0 };
    const { signal } = (this.#abort = new AbortController());
    await Run.#left;
    this.doing = null;
    try {
      if (!signal.aborted) this.reply = await tabServer.call(method, req, { signal, progress: (doing) => (this.doing = doing) });
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
    if (!this.busy) return;
    Run.#left = this.#made;
    this.#abort?.abort();
  }
}

/** How long the workload of a design can be published. Elections take 4 to 9 s, so faults want more than the shortest. */
export const runLengths = [
  { seconds: 5, text: '5 s' },
  { seconds: 15, text: '15 s' },
  { seconds: 30, text: '30 s' },
  { seconds: 60, text: '60 s' },
  { seconds: 300, text: '5 min' },
] as const;

/** The pause between two looks at the servers of a run, in ms. */
const lookPause = 400;

/** A run of a design: how it is made, what its servers do meanwhile, and what is done to them. */
class DesignRun extends Run {
  /** How many servers, 0 for as many as the design has. */
  nodes = $state(0);
  scenario = $state('');
  seconds = $state<number>(runLengths[0].seconds);
  /** What the servers do while the workload runs, null while none does. */
  look = $state.raw<LookReply | null>(null);
  /** What was said to the last fault, and whether it was not done. */
  faultSaid = $state('');
  refused = $state(false);
  /** A fault is being done. */
  breaking = $state(false);
  /** What its server measured of each consumer over what is predicted of it. */
  charts = $state.raw<ProofChart[]>([]);

  async prove(files: { name: string; text: string }[]): Promise<void> {
    this.faultSaid = '';
    this.charts = [];
    const made = this.start('design.prove', { files, nodes: this.nodes, scenario: this.scenario, seconds: this.seconds });
    const watch = setInterval(() => void this.#look(), lookPause);
    try {
      await made;
    } finally {
      clearInterval(watch);
      this.look = null;
    }
    if (this.reply?.measured) await this.#predict(files, this.reply.measured);
  }

  /** Has the engine predict what was measured, and the server lay it beside: the simulator is not in its program. */
  async #predict(files: { name: string; text: string }[], measured: MeasuredRun): Promise<void> {
    const of = this.reply;
    await this.#ask(async () => {
      const { charts, ...prediction } = await studio.engine.call('proof.predict', { files, measured }, { lane: 'proof predict' });
      const told = await tabServer.call('design.predicted', prediction);
      if (this.reply !== of) return;
      this.reply = told;
      this.charts = charts;
    }, true);
  }

  /** Does a fault to the servers of the workload that runs. */
  async breakIt(what: 'kill' | 'start' | 'step_down', target: string): Promise<void> {
    this.breaking = true;
    await this.#ask(async () => (this.faultSaid = (await tabServer.call('live.fault', { do: what, target })).said));
    this.breaking = false;
    await this.#look();
  }

  /** Ends the publishing; the run goes on with what it has. */
  finish(): Promise<void> {
    return this.#ask(async () => void (await tabServer.call('live.finish', {})));
  }

  #looking = false;
  async #look(): Promise<void> {
    if (tabServer.state.is !== 'ready' || this.#looking) return;
    this.#looking = true;
    await this.#ask(async () => {
      const look = await tabServer.call('live.look', {});
      if (this.busy) this.look = look.running ? look : null;
    }, true);
    this.#looking = false;
  }

  async #ask(call: () => Promise<unknown>, quiet = false): Promise<void> {
    try {
      await call();
      if (!quiet) this.refused = false;
    } catch (err) {
      if (err instanceof Superseded) return;
      if (!(err instanceof EngineError || err instanceof Ended)) throw err;
      if (quiet) return;
      this.faultSaid = err.message;
      this.refused = true;
    }
  }
}

/** The run of the design that is open. */
export const designRun = new DesignRun();

/** The files that were proved last, as JSON; '' while the run is of something else. */
let proved = '';
export const provedFiles = (): string => (designRun.busy ? '' : proved);

/** Proves the design that is open, and shows the panel. */
export function proveDesign(): void {
  arrangement.open('proof');
  if (designRun.busy) return;
  const files = bench.current().map(({ name, text }) => ({ name, text }));
  proved = JSON.stringify(files);
  void designRun.prove(files);
}

/** Runs a proof that Weir knows, and shows it in the panel of proofs. */
export function proveKnown(name: string): void {
  arrangement.open('proof');
  proved = '';
  void designRun.start('proof.run', { name });
}
