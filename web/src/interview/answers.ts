// The answers of the six questions as plain values of an address, and back.
import type { Answers, Reader } from '../engine/types';

const readerKeys = ['name', 'takes', 'slowest', 'at_a_time', 'types'] as const satisfies readonly (keyof Reader)[];

/** Answers without a word in them. */
export const unanswered = (): Answers => ({ what: '', kind: '', types: '', keys: '', rate: '', peak: '', peak_for: '', size: '', largest: '', keep: '', readers: [], survive: '', wait: '', twice: '', version: '' });
export const newReader = (name = ''): Reader => ({ name, takes: '', slowest: '', at_a_time: '', types: '' });

/** The values of an address; what is not answered is left out. */
export function toValues(answers: Answers): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [name, value] of Object.entries(answers)) if (typeof value === 'string' && value !== '') out[name] = value;
  answers.readers.forEach((reader, i) => {
    for (const key of readerKeys) if (reader[key] !== '') out[`${i + 1}.${key}`] = reader[key];
  });
  return out;
}

/** The answers of an address; null when it has none. */
export function fromValues(values: Record<string, string>): Answers | null {
  if (Object.keys(values).length === 0) return null;
  const out = unanswered();
  for (const [name, value] of Object.entries(values)) if (name !== 'readers' && name in out) (out as unknown as Record<string, string>)[name] = value;
  const most = 50; // the engine takes no more
  for (let i = 1; i <= most; i++) {
    const reader = newReader();
    for (const key of readerKeys) reader[key] = values[`${i}.${key}`] ?? '';
    if (readerKeys.some((key) => reader[key] !== '')) out.readers.push(reader);
  }
  return out;
}
