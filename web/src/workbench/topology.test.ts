import { expect, test } from 'vitest';
import type { CheckFinding, OutlineConsumer, OutlinePublisher, OutlineReply, OutlineStream } from '../engine/types';
import { labLists } from './lab-lists';
import { cardOf, countsByCard, topologyOf } from './topology';

const at = { file: 'weir.yaml', line: 1, col: 1 };
const stream = (name: string, more: Partial<OutlineStream> = {}): OutlineStream =>
  ({ name, path: `streams.${name}`, at, kind: 'stream', subjects: [`${name.toLowerCase()}.>`], retention: 'limits', storage: 'file', replicas: 1, from: [], facts: [], ...more });
const consumer = (stream: string, name: string, more: Partial<OutlineConsumer> = {}): OutlineConsumer =>
  ({ name, path: `streams.${stream}.consumers.${name}`, at, stream, filters: [], workers: 0, work: [], facts: ['pull'], ...more });
const publisher = (name: string, streams: string[]): OutlinePublisher => ({ name, path: `publishers.${name}`, at, subject: `${name}.{x}`, pattern: `${name}.*`, rate: 12.5, streams, facts: [] });
const outline = (more: Partial<OutlineReply>): OutlineReply => ({ name: 'x', streams: [], consumers: [], publishers: [], subscribers: [], complete: true, ...more });
const finding = (path: string, more: Partial<CheckFinding> = {}): CheckFinding => ({ code: 'API1', severity: 'error', message: '', path, file: 'weir.yaml', line: 1, col: 1, ...more });

test('cards and links of a design', () => {
  const drawn = topologyOf(outline({ streams: [stream('A')], consumers: [consumer('A', 'c', { workers: 3, work: ['3 × 1'] })], publishers: [publisher('p', ['A'])] }), []);
  expect(drawn.cards.map((card) => `${card.kind} ${card.name}`)).toEqual(['stream A', 'publisher p', 'consumer c', 'workers 3 workers']);
  expect(drawn.links.map((link) => `${link.kind} ${link.from} ${link.to}`)).toEqual([
    'publish publishers.p streams.A', 'deliver streams.A streams.A.consumers.c', 'work streams.A.consumers.c streams.A.consumers.c.workers',
  ]);
  expect([drawn.subjects, drawn.workers]).toEqual([1, 3]);
  expect(drawn.links[0]).toMatchObject({ subject: 'p.*', note: '12.5/s' });
});

test('a copy stands right after what it copies, also in a ring and of an unknown stream', () => {
  const names = (streams: OutlineStream[]) => topologyOf(outline({ streams }), []).cards.map((card) => card.name);
  expect(names([stream('A'), stream('B'), stream('C', { from: ['A'] })])).toEqual(['A', 'C', 'B']);
  expect(names([stream('A', { from: ['B'] }), stream('B', { from: ['A'] })])).toEqual(['A', 'B']);
  expect(names([stream('A', { from: ['A', 'gone'] })])).toEqual(['A']);
});

test('streams of one name in two accounts are not mixed', () => {
  const two = [stream('A'), stream('A', { path: 'accounts.X.streams.A', account: 'X' })];
  const drawn = topologyOf(outline({ streams: two, consumers: [consumer('A', 'c', { path: 'accounts.X.streams.A.consumers.c', account: 'X' })] }), []);
  expect(drawn.links[0]).toMatchObject({ from: 'accounts.X.streams.A' });
});

test('what is refused is drawn so; what nobody stores ends in the air', () => {
  const drawn = topologyOf(outline({ streams: [stream('A')], consumers: [consumer('A', 'c')], publishers: [publisher('p', [])] }), [finding('streams.A.consumers.c.filter_subject', { err_code: 10052 })]);
  expect(drawn.links.find((link) => link.to === 'streams.A.consumers.c')?.kind).toBe('refused');
  expect(drawn.cards.find((card) => card.name === 'c')?.lines.at(-1)).toEqual({ text: 'refused: 10052', as: 'error' });
  expect(drawn.links.find((link) => link.kind === 'publish')).toMatchObject({ to: '', note: '12.5/s, no stream stores it' });
});

test('a finding counts at the nearest card above it', () => {
  const drawn = topologyOf(outline({ streams: [stream('A')], consumers: [consumer('A', 'c', { workers: 1 })] }), []);
  const counts = countsByCard(drawn, [finding('streams.A.max_age'), finding('streams.A.consumers.c.ack_wait', { severity: 'warning' }), finding('streams.A.consumers.c.workers.count', { severity: 'info' }), finding('server.version')]);
  expect(counts.get('streams.A')).toEqual({ error: 1, warning: 0, info: 0 });
  expect(counts.get('streams.A.consumers.c')).toEqual({ error: 0, warning: 1, info: 0 });
  expect(counts.get('streams.A.consumers.c.workers')).toEqual({ error: 0, warning: 0, info: 1 });
  expect(cardOf(new Set(['streams.A']), 'streams.AB.max_age')).toBe('');
});

test('the lab gets every pattern and subject once', () => {
  const lists = labLists(outline({ streams: [stream('A'), stream('A')], consumers: [consumer('A', 'c', { filters: ['a.b', 'a.>'] })], publishers: [publisher('p', []), publisher('p', [])] }));
  expect(lists).toEqual({ patterns: ['a.>', 'a.b'], subjects: ['p.*'] });
});
