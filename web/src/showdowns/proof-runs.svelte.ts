// The proofs of a page, run one after the other on the real server of this tab.
// What is shown as proved comes from here: a reply holds the evidence of its run.
import { Run } from '../prove/run.svelte';
import type { RunReply } from '../server/types';

export class ProofRuns {
  /** The run that is made, or was last. */
  readonly run = new Run();
  replies = $state.raw<Readonly<Record<string, RunReply>>>({});
  /** The names that are still to be run, the first of them is being run. */
  queue = $state.raw<readonly string[]>([]);
  /** Counts what this round has done. */
  done = $state(0);

  get busy(): boolean {
    return this.queue.length > 0;
  }

  /** Runs proofs in their order; one that breaks off ends the round. */
  async start(names: readonly string[]): Promise<void> {
    if (this.busy || names.length === 0) return;
    this.queue = names;
    this.done = 0;
    while (this.queue.length > 0) {
      const name = this.queue[0]!;
      await this.run.start('proof.run', { name });
      const reply = this.run.reply;
      if (this.run.fault !== '' || !reply || reply.name !== name || reply.ended !== '') break;
      this.replies = { ...this.replies, [name]: reply };
      this.done++;
      this.queue = this.queue.slice(1);
    }
    this.queue = [];
  }

  cancel(): void {
    this.queue = [];
    this.run.cancel();
  }
}
