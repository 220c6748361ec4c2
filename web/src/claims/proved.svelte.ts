// The proofs that were run in this tab since it was opened, by name. A claim's
// seal comes from here and from nowhere else.
import { EngineError } from '../engine/client';
import { Ended, tabServer, type Doing } from '../server/server.svelte';
import type { RunReply } from '../server/types';

class Proved {
  replies = $state.raw<Readonly<Record<string, RunReply>>>({});
  /** The proof that is being run, '' for none. */
  running = $state('');
  /** How many of those asked for are done, and how many were asked for. */
  done = $state(0);
  total = $state(0);
  doing = $state.raw<Doing | null>(null);
  /** Why the last run ended early, '' when it did not. */
  fault = $state('');

  #abort: AbortController | null = null;

  /** Runs proofs one after the other, again where they ran before. */
  async run(names: readonly string[]): Promise<void> {
    if (this.running !== '') return;
    const abort = (this.#abort = new AbortController());
    this.fault = '';
    this.done = 0;
    this.total = names.length;
    try {
      for (const name of names) {
        this.running = name;
        this.doing = null;
        const reply = await tabServer.call('proof.run', { name }, { signal: abort.signal, progress: (doing) => (this.doing = doing) });
        if (abort.signal.aborted || reply.ended) {
          this.fault = `Stopped in ${name}: ${reply.ended || 'it was cancelled'}.`;
          return;
        }
        this.note(name, reply);
        this.done++;
      }
    } catch (err) {
      if (!(err instanceof EngineError || err instanceof Ended)) throw err;
      this.fault = `${this.running}: ${err.message}.`;
    } finally {
      this.running = '';
      this.doing = null;
    }
  }

  /** Keeps the record of a proof that another part of the page ran. */
  note(name: string, reply: RunReply): void {
    if (reply.ended === '') this.replies = { ...this.replies, [name]: reply };
  }

  /** Ends the run; what ran before stays. */
  cancel(): void {
    this.#abort?.abort();
  }
}

/** The proofs of this tab. */
export const proved = new Proved();
