// An outline of the engine as a drawing: which card shows what. What is joined
// to what, the engine has said.
import type { CheckFinding as Finding, OutlineConsumer, OutlinePublisher, OutlineReply, OutlineStream, Position } from '../engine/types';
import type { Card, CardLine, Link, Topology } from './layout';
import { isBelow } from './paths';

/** Findings by severity. */
export interface Counts {
  error: number;
  warning: number;
  info: number;
}

/** A topology with what the canvas has to know beside it. */
export interface DrawnTopology extends Topology {
  /** Where each card stands in the text. */
  places: Map<string, Position>;
  /** The distinct patterns that publishers use, and the workers of all groups. */
  subjects: number;
  workers: number;
}

/** Longer lists end in "and n more". */
const maxSubjects = 4;

function subjectLines(subjects: readonly string[], most: number): CardLine[] {
  const lines: CardLine[] = subjects.slice(0, most).map((text) => ({ text, as: 'subject' }));
  if (subjects.length > most) lines.push({ text: `and ${subjects.length - most} more` });
  return lines;
}

const rateText = (rate: number) => `${rate >= 100 ? Math.round(rate).toLocaleString('en') : Number(rate.toPrecision(3))}/s`;
const where = (item: { account?: string; leafnode?: string }): CardLine[] => {
  const at = [item.account && `account ${item.account}`, item.leafnode && `leaf node ${item.leafnode}`].filter(Boolean).join(', ');
  return at === '' ? [] : [{ text: at }];
};

function streamCard(stream: OutlineStream): Card {
  const kind = { kv: 'KV', object_store: 'objects' }[stream.kind];
  const lines = [...subjectLines(stream.subjects, maxSubjects), ...stream.facts.map((text) => ({ text })), ...where(stream)];
  if (stream.assumed) lines.push({ text: 'in none of the files: assumed' });
  return { id: stream.path, kind: 'stream', name: stream.name, tags: [kind ?? stream.retention, `R${stream.replicas}`], lines, band: stream.path };
}

function consumerCard(consumer: OutlineConsumer, band: string, refused: Finding | undefined): Card {
  const lines: CardLine[] = consumer.filters.length > 0 ? subjectLines(consumer.filters, 2) : [{ text: `all of ${consumer.stream}` }];
  if (refused) lines.push({ text: `refused: ${refused.err_code}`, as: 'error' });
  else lines.push(...consumer.facts.map((text) => ({ text })));
  return { id: consumer.path, kind: 'consumer', name: consumer.name, lines, band };
}

/** Makes a topology of an outline. Streams stand in the order of the text, a copy right after what it copies. */
export function topologyOf(outline: OutlineReply, findings: readonly Finding[]): DrawnTopology {
  const out: DrawnTopology = { cards: [], links: [], places: new Map(), subjects: new Set(outline.publishers.map((one) => one.pattern)).size, workers: 0 };
  const refusals = new Map<string, Finding>();
  for (const finding of findings) if (finding.err_code) refusals.set(finding.path, finding);
  const refusalOf = (path: string) => refusals.get(path) ?? [...refusals.values()].find((finding) => isBelow(finding.path, path));
  const streams = copiesAfter(outline.streams);
  const byName = new Map(streams.map((stream) => [key(stream, stream.name), stream]));
  for (const stream of streams) {
    out.cards.push(streamCard(stream));
    out.places.set(stream.path, stream.at);
    for (const from of stream.from) {
      const origin = byName.get(key(stream, from));
      if (origin) out.links.push({ from: origin.path, to: stream.path, kind: 'copy', rate: 0, note: stream.mirror ? 'mirror' : 'source' });
    }
  }
  for (const publisher of outline.publishers) addPublisher(out, publisher, byName);
  for (const consumer of outline.consumers) {
    const stream = byName.get(key(consumer, consumer.stream));
    if (stream) addConsumer(out, consumer, stream.path, refusalOf(consumer.path));
  }
  return out;
}

const key = (scope: { account?: string; leafnode?: string }, name: string) => JSON.stringify([scope.leafnode ?? '', scope.account ?? '', name]);

function addPublisher(out: DrawnTopology, publisher: OutlinePublisher, byName: Map<string, OutlineStream>): void {
  const targets = publisher.streams.flatMap((name) => byName.get(key(publisher, name))?.path ?? []);
  const rate = publisher.rate > 0 ? rateText(publisher.rate) : '';
  const lines = [...publisher.facts.map((text) => ({ text })), ...where(publisher)];
  out.cards.push({ id: publisher.path, kind: 'publisher', name: publisher.name, lines, band: targets[0] ?? '' });
  out.places.set(publisher.path, publisher.at);
  const link = (to: string, note: string): Link => ({ from: publisher.path, to, kind: 'publish', rate: publisher.rate, subject: publisher.pattern, note });
  if (targets.length === 0) out.links.push(link('', rate === '' ? 'no stream stores it' : `${rate}, no stream stores it`));
  targets.forEach((to, i) => out.links.push(i === 0 ? link(to, rate) : { ...link(to, ''), subject: '' }));
}

function addConsumer(out: DrawnTopology, consumer: OutlineConsumer, stream: string, refused: Finding | undefined): void {
  out.cards.push(consumerCard(consumer, stream, refused));
  out.places.set(consumer.path, consumer.at);
  out.links.push({ from: stream, to: consumer.path, kind: refused ? 'refused' : 'deliver', rate: 0 });
  if (consumer.workers === 0) return;
  const id = `${consumer.path}.workers`;
  out.workers += consumer.workers;
  out.cards.push({ id, kind: 'workers', name: `${consumer.workers.toLocaleString('en')} ${consumer.workers === 1 ? 'worker' : 'workers'}`, lines: consumer.work.map((text) => ({ text })), vessels: consumer.workers, band: stream });
  out.places.set(id, consumer.at);
  out.links.push({ from: consumer.path, to: id, kind: refused ? 'refused' : 'work', rate: 0 });
}

/** Streams in their order, each copy moved to right behind the first stream that it copies from. */
function copiesAfter(streams: readonly OutlineStream[]): OutlineStream[] {
  const names = new Set(streams.map((stream) => key(stream, stream.name)));
  const copies = new Map<string, OutlineStream[]>();
  const heads: OutlineStream[] = [];
  for (const stream of streams) {
    const origin = stream.from.map((name) => key(stream, name)).find((name) => names.has(name) && name !== key(stream, stream.name));
    if (origin === undefined) heads.push(stream);
    else copies.set(origin, [...(copies.get(origin) ?? []), stream]);
  }
  const out = new Set<OutlineStream>();
  const walk = (stream: OutlineStream) => {
    if (out.has(stream)) return;
    out.add(stream);
    for (const copy of copies.get(key(stream, stream.name)) ?? []) walk(copy);
  };
  heads.forEach(walk);
  streams.forEach(walk); // streams that copy from each other in a ring
  return [...out];
}

/** The findings of each card: a finding counts at the card whose path is the longest above its own. */
export function countsByCard(topology: Topology, findings: readonly Finding[]): Map<string, Counts> {
  const ids = new Set(topology.cards.map((card) => card.id));
  const out = new Map<string, Counts>();
  for (const finding of findings) {
    const id = cardOf(ids, finding.path);
    if (id === '') continue;
    const counts = out.get(id) ?? { error: 0, warning: 0, info: 0 };
    counts[finding.severity as keyof Counts]++;
    out.set(id, counts);
  }
  return out;
}

/** The card that a path belongs to, '' for none. */
export function cardOf(ids: ReadonlySet<string>, path: string): string {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) if (ids.has(at)) return at;
  return '';
}
