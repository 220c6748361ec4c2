import type { OutlineReply } from '../engine/types';

/** The patterns of an outline (what streams store and consumers and subscribers read), and the subjects that are published. */
export function labLists(outline: OutlineReply): { patterns: string[]; subjects: string[] } {
  const patterns = [...outline.streams.flatMap((stream) => stream.subjects), ...outline.consumers.flatMap((consumer) => consumer.filters), ...outline.subscribers.map((one) => one.subject)];
  return { patterns: [...new Set(patterns)], subjects: [...new Set(outline.publishers.map((one) => one.pattern))] };
}
