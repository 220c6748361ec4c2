import Elk from 'elkjs/lib/elk.bundled.js';
import { expect, test } from 'vitest';
import type { Edge, GraphReply, Node } from '../../engine/types';
import { isCopy, type Drawing, type Placed } from './drawing';
import { assemble, elkGraph, readElk } from './elk';
import { columnsOf, heightOf, lineWidth } from './measure';
import { layOutNarrow } from './narrow';
import { partsOf } from './parts';
import { fitZoom, shownAt, smallest, stepZoom } from './zoom';

const columns: Record<string, number> = { publisher: 0, subject: 1, stream: 2, consumer: 3, workers: 4, subscriber: 4 };
const node = (kind: string, id: string, band: string, lines = 2): Node =>
  ({ id, kind, column: columns[kind]!, name: id, path: kind === 'subject' ? id.replace(/\.subject$/, '') : id, at: {}, band, marks: {}, says: id, lines: Array.from({ length: lines }, () => ({ text: 'a line of text' })) }) as unknown as Node;
const edge = (flow: string, from: string, to: string, text = ''): Edge => ({ flow, from, to, rate: 100, text }) as Edge;

/** A design of streams, each with publishers, consumers and their workers, all of them copies of the first where asked. */
function design(streams: number, each: number, copies = false): GraphReply {
  const nodes: Node[] = [];
  const edges: Edge[] = [];
  for (let s = 0; s < streams; s++) {
    nodes.push(node('stream', `S${s}`, `S${s}`, 4));
    if (copies && s > 0) edges.push(edge('source', `S${s - 1}`, `S${s}`, 'source 6/s'));
    for (let i = 0; i < each; i++) {
      const p = `p${s}x${i}`;
      nodes.push(node('publisher', p, `S${s}`, 1), node('subject', `${p}.subject`, `S${s}`, 1), node('consumer', `c${s}x${i}`, `S${s}`), node('workers', `w${s}x${i}`, `S${s}`, 1));
      edges.push(edge('publish', p, `${p}.subject`), edge('publish', `${p}.subject`, `S${s}`), edge('deliver', `S${s}`, `c${s}x${i}`, '400/s'), edge('work', `c${s}x${i}`, `w${s}x${i}`));
    }
  }
  nodes.sort((a, b) => a.column - b.column);
  return { nodes, edges, heads: [], legend: [], says: '' } as unknown as GraphReply;
}

const elk = new Elk();
async function layOut(graph: GraphReply, width: number): Promise<Drawing> {
  const of = columnsOf(graph.nodes, ['400/s'], width);
  const heights = new Map(graph.nodes.map((one) => [one.id, heightOf(one, of.w[one.column]!)]));
  const parts = partsOf(graph);
  const layouts = await Promise.all(parts.map(async (part) => readElk(await elk.layout(elkGraph(part, heights)), part)));
  return assemble(graph.nodes, parts, layouts, heights, of);
}

const meets = (a: Placed, b: Placed) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
const expectApart = (drawing: Drawing) => {
  for (const [i, a] of drawing.nodes.entries()) {
    expect(a.x >= 0 && a.y >= 0 && a.x + a.w <= drawing.width && a.y + a.h <= drawing.height, a.node.id).toBe(true);
    for (const b of drawing.nodes.slice(i + 1)) expect(meets(a, b), `${a.node.id} ${b.node.id}`).toBe(false);
  }
};

test.each([
  { name: 'wide', width: 1040, graph: design(3, 3) },
  { name: '1280 px', width: 880, graph: design(2, 5) },
  { name: 'copies', width: 1040, graph: design(3, 2, true) },
  { name: 'one stream alone', width: 900, graph: design(1, 0) },
])('no two nodes meet, all are inside, columns stand in order: $name', async ({ width, graph }) => {
  const drawing = await layOut(graph, width);
  expect(drawing.nodes.map((one) => one.node.id)).toEqual(graph.nodes.map((one) => one.id));
  expectApart(drawing);
  expect(drawing.width).toBe(width);
  expect(drawing.lines).toHaveLength(graph.edges.length);
  for (const { node: one, x } of drawing.nodes) expect(x).toBe(drawing.columns[one.column]);
  const filled = drawing.columns.filter((x) => !Number.isNaN(x));
  expect(filled).toEqual(filled.toSorted((a, b) => a - b));
});

test('a copy stands right below its stream, with room for the text between', async () => {
  const drawing = await layOut(design(3, 2, true), 1040);
  const streams = drawing.nodes.filter((one) => one.node.kind === 'stream');
  expect(streams.map((one) => one.node.id)).toEqual(['S0', 'S1', 'S2']);
  for (const [i, one] of streams.slice(1).entries()) expect(one.y - (streams[i]!.y + streams[i]!.h)).toBeGreaterThan(40);
  for (const line of drawing.lines.filter((one) => isCopy(one.edge))) expect(line.d).toMatch(/^M[\d.]+ [\d.]+V[\d.]+$/);
});

test('an edge that crosses columns passes beside the nodes in them', async () => {
  const graph = design(2, 1);
  graph.nodes.push(node('subscriber', 'ui', ''));
  graph.edges.push(edge('core', 'p0x0.subject', 'ui'));
  const drawing = await layOut(graph, 1040);
  expectApart(drawing);
  const line = drawing.lines.find((one) => one.edge.flow === 'core')!;
  const levels = [...line.d.matchAll(/C[\d. ]+ ([\d.]+)H([\d.]+)/g)].map(([, y, x]) => ({ y: Number(y), x: Number(x) }));
  expect(levels.length).toBeGreaterThan(0);
  for (const { x, y } of levels) for (const one of drawing.nodes) if (one.x + one.w <= x && one.x + one.w > x - 12 && [2, 3].includes(one.node.column)) expect(y < one.y || y > one.y + one.h, one.node.id).toBe(true);
});

test('parts are what edges join, in the order of their streams', () => {
  const graph = design(2, 1);
  graph.nodes.unshift(node('publisher', 'lost', ''), node('subject', 'lost.subject', ''));
  graph.edges.unshift(edge('publish', 'lost', 'lost.subject'));
  expect(partsOf(graph).map((part) => part.nodes.map((one) => one.id).join(' '))).toEqual(['p0x0 p0x0.subject S0 c0x0 w0x0', 'p1x0 p1x0.subject S1 c1x0 w1x0', 'lost lost.subject']);
});

test('a phone has one column, with the subjects on their publishers', () => {
  const graph = design(2, 3);
  const drawing = layOutNarrow(graph, 390);
  expectApart(drawing);
  expect(drawing.nodes).toHaveLength(graph.nodes.filter((one) => one.kind !== 'subject').length);
  expect(drawing.nodes.find((one) => one.node.id === 'p0x0')!.node.lines!.map((line) => line.text)).toContain('p0x0.subject');
});

test('what a node needs in height grows when its column narrows', () => {
  const one = node('stream', 'ORDERS', 'ORDERS', 3);
  one.lines = [{ text: 'orders.a.rather.long.subject.that.goes.on.and.on', as: 'subject' }];
  expect(heightOf(one, 180)).toBeGreaterThan(heightOf(one, 420));
});

test('a width follows the rate, and stays drawable', () => {
  expect([0, 1, 10, 100, 1e9].map(lineWidth)).toEqual([1.6, 1.2, 3.3, 5.4, 12]);
});

test('no text is smaller than it can be read at any zoom', () => {
  const placed = { node: node('stream', 'ORDERS', 'ORDERS'), x: 0, y: 0, w: 220, h: 110 };
  expect(shownAt(placed, 1)).toBe('all');
  expect(shownAt(placed, 0.9)).toBe('name');
  expect(shownAt(placed, 0.05)).toBe('none');
  expect(12 * 0.92).toBeGreaterThan(smallest);
  expect([stepZoom(1, false), stepZoom(1, true), stepZoom(0.05, false), stepZoom(0.6, true)]).toEqual([0.85, 1.25, 0.05, 0.7]);
  expect(fitZoom({ width: 1000, height: 2000 }, 1000, 500)).toBe(0.25);
});
