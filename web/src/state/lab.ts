// What the subject lab holds, as it is shared and kept.

/** The version of LabState that links carry. */
const version = 1;

/** A link that is whole and comes from another version of the studio; its message is for the reader. */
export class OtherFormat extends Error {}

/** LabState is all that a person can edit in the subject lab. Lists are texts, one entry a line. */
export interface LabState {
  patterns: string;
  subjects: string;
  relate: { a: string; b: string };
  explain: { subject: string; context: string; release: string };
  mqtt: { text: string; kind: string };
  transform: { source: string; destination: string; strict: boolean; subject: string; release: string };
  partition: { from: 'range' | 'keys'; keys: string; prefix: string; first: number; last: number; partitions: number; compare: number };
  cardinality: { template: string; values: Record<string, number> };
}

/** A lab opened with the engine's example lists. The rest begins with one case that shows something. */
export function exampleLab(patterns: string[], subjects: string[]): LabState {
  return {
    patterns: patterns.join('\n'),
    subjects: subjects.join('\n'),
    relate: { a: 'orders.*.created', b: 'orders.eu.>' },
    explain: { subject: 'orders.>.processed', context: 'subscribe', release: '' },
    mqtt: { text: 'plant/line.7/+/temp/#', kind: 'filter' },
    transform: { source: 'orders.*', destination: 'orders.{{partition(3,1)}}.{{wildcard(1)}}', strict: false, subject: 'orders.created', release: '' },
    partition: { from: 'range', keys: '', prefix: 'customer-', first: 1, last: 10000, partitions: 8, compare: 9 },
    cardinality: { template: 'orders.{region}.{customer}.created', values: { region: 12, customer: 50000 } },
  };
}

/** What encode gets. */
export function toShared(state: LabState): unknown {
  return { v: version, ...state };
}

/** Reads what toShared wrote, however damaged: throws with the reason rather than taking a wrong value over. */
export function fromShared(value: unknown): LabState {
  const top = object(value, 'the link');
  if (top.v !== version) throw typeof top.v === 'number' && top.v > version ? new OtherFormat(`it is of format ${top.v}, and this studio reads ${version}`) : new Error('no version');
  const [relate, explain, mqtt] = [object(top.relate, 'relate'), object(top.explain, 'explain'), object(top.mqtt, 'mqtt')];
  const [transform, partition, cardinality] = [object(top.transform, 'transform'), object(top.partition, 'partition'), object(top.cardinality, 'cardinality')];
  const values = Object.entries(object(cardinality.values, 'cardinality.values')).map(([name, n]) => [name, integer(n, name)] as const);
  return {
    patterns: text(top.patterns, 'patterns'),
    subjects: text(top.subjects, 'subjects'),
    relate: { a: text(relate.a, 'relate.a'), b: text(relate.b, 'relate.b') },
    explain: { subject: text(explain.subject, 'explain.subject'), context: text(explain.context, 'explain.context'), release: text(explain.release, 'explain.release') },
    mqtt: { text: text(mqtt.text, 'mqtt.text'), kind: text(mqtt.kind, 'mqtt.kind') },
    transform: {
      source: text(transform.source, 'transform.source'),
      destination: text(transform.destination, 'transform.destination'),
      strict: transform.strict === true,
      subject: text(transform.subject, 'transform.subject'),
      release: text(transform.release, 'transform.release'),
    },
    partition: {
      from: partition.from === 'keys' ? 'keys' : 'range',
      keys: text(partition.keys, 'partition.keys'),
      prefix: text(partition.prefix, 'partition.prefix'),
      first: integer(partition.first, 'partition.first'),
      last: integer(partition.last, 'partition.last'),
      partitions: integer(partition.partitions, 'partition.partitions'),
      compare: integer(partition.compare, 'partition.compare'),
    },
    cardinality: { template: text(cardinality.template, 'cardinality.template'), values: Object.fromEntries(values) },
  };
}

function object(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${name} is not an object`);
  return value as Record<string, unknown>;
}

function text(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new Error(`${name} is not a text`);
  return value;
}

function integer(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw new Error(`${name} is not a whole number`);
  return value;
}
