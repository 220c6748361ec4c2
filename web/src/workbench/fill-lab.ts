// The subject lab, filled with what a design uses.
import type { OutlineReply } from '../engine/types';
import { studio } from '../state/studio.svelte';
import { labLists } from './lab-lists';

/** Opens the subject lab with them; undo there brings its own lists back. */
export function fillLab(outline: OutlineReply): void {
  const { patterns, subjects } = labLists(outline);
  studio.edit({ patterns: patterns.join('\n'), subjects: subjects.join('\n') });
  studio.goTo('match');
}
