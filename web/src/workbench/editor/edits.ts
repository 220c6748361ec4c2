// Fixes and formatting as changes of a text.
import type { ChangeSpec, Text } from '@codemirror/state';
import type { Edit } from '../../engine/types';
import { offsetOf } from './marks';

/** The changes that the edits of one file make of its text. */
export function changesOf(doc: Text, edits: readonly Edit[]): ChangeSpec[] {
  return edits.map((edit) => {
    const from = offsetOf(doc, edit.line, edit.col);
    return { from, to: Math.max(from, offsetOf(doc, edit.end_line, edit.end_col)), insert: edit.text };
  });
}

/** The change that makes one text of another: what is equal at both ends stays, so that the cursor does too. */
export function smallestChange(before: string, after: string): { from: number; to: number; insert: string } | null {
  if (before === after) return null;
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  return { from: head, to: before.length - tail, insert: after.slice(head, after.length - tail) };
}
