// The rules, asked for once: for their list, and for findings to know that they
// have a rule's page.
import type { RuleRow } from '../engine/types';
import { studio } from '../state/studio.svelte';

class KnownRules {
  rules = $state.raw<readonly RuleRow[]>([]);
  codes = $derived<ReadonlySet<string>>(new Set(this.rules.map((rule) => rule.code)));
  #asked = false;

  async load(): Promise<void> {
    if (this.#asked) return;
    this.#asked = true;
    try {
      this.rules = (await studio.engine.call('rules.list', {}, { lane: 'rules' })).rules;
    } catch {
      this.#asked = false; // asked again with the next finding
    }
  }
}

export const knownRules = new KnownRules();
