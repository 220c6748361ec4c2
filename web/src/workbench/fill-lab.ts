// The subject lab, filled with what a design uses.
import type { OutlineReply } from '../engine/types';
import { studio } from '../state/studio.svelte';

/** The patterns of an outline (what streams store and consumers and subscribers read), and the subjects that are published. */
export function labLists(outline: OutlineReply): { patterns: string[]; subjects: string[] } {
  const patterns = [...outline.streams.flatMap((stream) => stream.subjects), ...outline.consumers.flatMap((consumer) => consumer.filters), ...outline.subscribers.map((one) => one.subject)];
  return { patterns: [...new Set(patterns)], subjects: [...new Set(outline.publishers.map((one) => one.pattern))] };
}

/** Opens the subject lab with them; undo there brings its own lists back. */
export function fillLab(outline: OutlineReply): void {
  const { patterns, subjects } = labLists(outline);
  studio.edit({ patterns: patterns.join('\n'), subjects: subjects.join('\n') });
  studio.goTo('match');
}
