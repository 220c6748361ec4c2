// The report of the design that is open: one HTML file, written by an engine of
// its own, so that everything else goes on answering.
import { Engine, EngineError, Superseded } from '../engine/client';
import { designRun, provedFiles } from '../prove/run.svelte';
import { download } from '../outputs/download';
import { studio } from '../state/studio.svelte';
import { bench } from '../workbench/bench.svelte';

class Writing {
  /** A report is being written. */
  busy = $state(false);
  /** How far it is, 0 to 1. */
  part = $state(0);
  #engine: Engine | null = null;
  #number = 0;

  /** Writes the report and hands it to the browser's download. */
  async start(): Promise<void> {
    if (this.busy || bench.empty) return;
    const number = ++this.#number;
    this.busy = true;
    this.part = 0;
    const files = bench.current().map(({ name, text }) => ({ name, text }));
    // What ran belongs to the report only when it ran with these files.
    const evidence = designRun.reply && provedFiles() === JSON.stringify(files) ? JSON.stringify(designRun.reply.evidence) : '';
    this.#engine ??= new Engine();
    try {
      const reply = await this.#engine.call('report.html', { files, target: bench.target, evidence }, { progress: ({ done, total }) => total > 0 && (this.part = done / total) });
      if (number !== this.#number) return;
      if (reply.html === '') studio.notice = `There is no report yet: ${reply.findings[0]?.message ?? 'the design cannot be read'}.`;
      else download(`${bench.name.replace(/[^\w.-]+/g, '-')}-report.html`, new TextEncoder().encode(reply.html), 'text/html');
    } catch (err) {
      if (err instanceof Superseded || number !== this.#number) return;
      if (!(err instanceof EngineError)) throw err;
      studio.notice = `The report is not written: ${err.message}.`;
    } finally {
      if (number === this.#number) this.busy = false;
    }
  }

  /** Gives the report up. */
  cancel(): void {
    this.#number++;
    this.busy = false;
    this.#engine?.restart();
  }
}

/** The report that is being written in this tab. */
export const writing = new Writing();
