// The codes that have a rule's page, asked for once.
import { studio } from '../state/studio.svelte';

class KnownRules {
  codes = $state.raw<ReadonlySet<string>>(new Set());
  #asked = false;

  async load(): Promise<void> {
    if (this.#asked) return;
    this.#asked = true;
    try {
      const reply = await studio.engine.call('rules.list', {}, { lane: 'known rules' });
      this.codes = new Set(reply.rules.map((rule) => rule.code));
    } catch {
      this.#asked = false; // asked again with the next finding
    }
  }
}

export const knownRules = new KnownRules();
