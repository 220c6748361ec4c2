// The design of the workbench put through a showdown: in an engine of its own, so
// that everything else goes on answering, ended by ending that.
import { Engine, EngineError, Superseded } from '../engine/client';
import type { Progress } from '../engine/messages';
import type { CompareReply } from '../engine/types';

interface File {
  name: string;
  text: string;
}

let engine: Engine | null = null;

/** OwnDesign is one design's comparison, and what becomes of it. */
export class OwnDesign {
  /** The last answer; null before one. */
  reply = $state.raw<CompareReply | null>(null);
  /** Why there is none, '' where there is. */
  fault = $state('');
  busy = $state(false);
  progress = $state.raw<Progress | null>(null);
  #run = 0;

  async start(showdown: string, files: readonly File[]): Promise<void> {
    const run = ++this.#run;
    engine ??= new Engine();
    if (this.busy) engine.restart();
    [this.busy, this.progress, this.fault] = [true, null, ''];
    try {
      const reply = await engine.call('showdown.compare', { showdown, files: [...files] }, { progress: (progress) => run === this.#run && (this.progress = progress) });
      if (run !== this.#run) return;
      this.reply = reply;
      if (!reply.compared) this.fault = `The design cannot be read: ${reply.findings[0]?.message ?? 'it is not a design'}`;
    } catch (err) {
      if (run !== this.#run || err instanceof Superseded) return;
      if (!(err instanceof EngineError)) throw err;
      this.reply = null;
      this.fault = err.message;
    } finally {
      if (run === this.#run) this.busy = false;
    }
  }

  /** Ends it, and forgets the answer. */
  end(): void {
    this.#run++;
    if (this.busy) engine?.restart();
    [this.busy, this.progress, this.fault, this.reply] = [false, null, '', null];
  }
}
