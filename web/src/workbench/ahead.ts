// What the engine does while nobody asks it for anything: it judges the open
// design for the other versions, which it remembers until an edit, so that a
// version that is chosen is shown without a check; and presets, so that the
// browser has optimised the engine before a large design comes.
import type { Engine } from '../engine/client';
import type { CheckRequest } from '../engine/types';

/** After an edit nothing is done ahead for so long, in ms: who goes on typing does not wait for a check of another version. */
const afterEdit = 1500;

/** The largest design that is judged ahead, in streams, buckets and consumers: what is asked for meanwhile waits for one check. */
const largest = 2500;

/** A design to look ahead of. */
interface Judged {
  files: CheckRequest['files'];
  /** How much the servers are asked. */
  requests: number;
  /** When it was edited last, as performance.now() says it. */
  editedAt: number;
}

/** Ahead works on one design until it is edited, one call at a time, and only while the page is seen. */
export class Ahead {
  #run = 0;
  /** The presets that were judged; each once. */
  #warm = 0;

  constructor(readonly engine: Pick<Engine, 'call' | 'quiet' | 'idle'>, readonly seen: () => boolean = () => document.visibilityState === 'visible') {}

  /** Nothing more is done for the design that it works on. */
  stop(): void {
    this.#run++;
  }

  /** Judges a design for versions, and then the texts of presets. */
  async judge(design: Judged, versions: readonly string[], presets: readonly string[]): Promise<void> {
    const run = ++this.#run;
    const still = () => run === this.#run && this.seen();
    /** Waits for a pause of the reader; false when there is something else to do. */
    const pause = async () => {
      do await this.engine.quiet();
      while (still() && performance.now() < design.editedAt + afterEdit);
      return still();
    };
    /** Calls of the reader come between two checks, and what follows from them first. */
    const next = async () => still() && (this.engine.idle || (await pause()));
    const check = (req: CheckRequest) => this.engine.call('design.check', req, { lane: 'ahead' });
    try {
      if (!(await pause())) return;
      if (design.requests <= largest) for (const target of versions) if (await next()) await check({ files: design.files, target });
      for (; this.#warm < presets.length * versions.length && (await next()); this.#warm++) {
        const [text, target] = [presets[this.#warm % presets.length]!, versions[Math.floor(this.#warm / presets.length)]!];
        await check({ files: [{ name: 'preset.yaml', text }], target, aside: true });
      }
    } catch {
      // Nobody asked for it: what is needed is judged when it is.
    }
  }
}
