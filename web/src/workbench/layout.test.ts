import { expect, test } from 'vitest';
import { layOut, lineWidth, type Card, type Link, type Placed, type Topology } from './layout';

const card = (kind: Card['kind'], id: string, band: string, lines = 2): Card => ({ id, kind, name: id, band, lines: Array.from({ length: lines }, () => ({ text: 'a line' })) });
const link = (kind: Link['kind'], from: string, to: string, rate = 0): Link => ({ kind, from, to, rate, subject: kind === 'publish' ? 'orders.*.created' : '', note: '10/s' });

/** A design of streams, each with publishers, consumers and their workers. */
function design(streams: number, each: number): Topology {
  const out: Topology = { cards: [], links: [] };
  for (let s = 0; s < streams; s++) {
    const band = `S${s}`;
    out.cards.push(card('stream', band, band, 4));
    for (let i = 0; i < each; i++) {
      out.cards.push(card('publisher', `${band}p${i}`, band, 1), card('consumer', `${band}c${i}`, band), card('workers', `${band}w${i}`, band, 1));
      out.links.push(link('publish', `${band}p${i}`, band, 100), link('deliver', band, `${band}c${i}`), link('work', `${band}c${i}`, `${band}w${i}`));
    }
    if (s > 0) out.links.push(link('copy', `S${s - 1}`, band));
  }
  return out;
}

const meets = (a: Placed, b: Placed) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

test.each([
  { name: 'wide', width: 1040, topology: design(3, 3) },
  { name: 'narrow', width: 880, topology: design(2, 5) },
  { name: 'a phone', width: 390, topology: design(2, 3) },
  { name: 'one stream alone', width: 600, topology: { cards: [card('stream', 'S', 'S')], links: [] } },
])('no two cards meet and all are inside: $name', ({ width, topology }) => {
  const drawing = layOut(topology, width);
  expect(drawing.cards).toHaveLength(topology.cards.length);
  for (const [i, a] of drawing.cards.entries()) {
    expect(a.x >= 0 && a.y >= 0 && a.x + a.w <= drawing.width && a.y + a.h <= drawing.height, a.card.id).toBe(true);
    for (const b of drawing.cards.slice(i + 1)) expect(meets(a, b), `${a.card.id} ${b.card.id}`).toBe(false);
  }
  expect(drawing.width).toBe(width);
});

test('columns go from left to right, and only those that hold something', () => {
  const { columns } = layOut(design(1, 1), 1040);
  expect(Object.entries(columns).toSorted((a, b) => a[1] - b[1]).map(([name]) => name)).toEqual(['publisher', 'subjects', 'stream', 'consumer', 'workers']);
  expect(Object.keys(layOut({ cards: [card('stream', 'S', 'S')], links: [] }, 800).columns)).toEqual(['stream']);
});

test('workers stand beside their consumer', () => {
  const { cards } = layOut(design(2, 3), 1040);
  const middle = (id: string) => cards.find((one) => one.card.id === id)!;
  for (const id of ['S0', 'S1']) for (let i = 0; i < 3; i++) {
    const [c, w] = [middle(`${id}c${i}`), middle(`${id}w${i}`)];
    expect(Math.abs(c.y + c.h / 2 - w.y - w.h / 2)).toBeLessThanOrEqual(1);
  }
});

test('lines meet a stream at places of their own, in the order of the other ends', () => {
  const { lines, cards } = layOut(design(1, 4), 1040);
  const stream = cards.find((one) => one.card.kind === 'stream')!;
  const ends = lines.filter((one) => one.link.kind === 'publish').map((one) => Number(one.d.split(' ').at(-1)));
  expect(ends).toEqual(ends.toSorted((a, b) => a - b));
  expect(new Set(ends).size).toBe(4);
  expect(ends.every((y) => y > stream.y && y < stream.y + stream.h)).toBe(true);
});

test('laying out again for another width does not remember the first', () => {
  const topology = design(1, 3);
  layOut(topology, 1400);
  expect(layOut(topology, 900)).toEqual(layOut(design(1, 3), 900));
});

test('what no stream stores ends in the air, below the streams', () => {
  const topology: Topology = { cards: [card('stream', 'S', 'S'), card('publisher', 'p', '')], links: [link('publish', 'p', '')] };
  const drawing = layOut(topology, 900);
  const [stream, lost] = [drawing.cards.find((one) => one.card.id === 'S')!, drawing.cards.find((one) => one.card.id === 'p')!];
  expect(lost.y).toBeGreaterThanOrEqual(stream.y + stream.h);
  expect(drawing.lines).toHaveLength(1);
});

test('long texts make the drawing wider than its place rather than lie on each other', () => {
  const topology = design(1, 1);
  topology.cards.forEach((one) => (one.name = 'N'.repeat(60)));
  const drawing = layOut(topology, 760);
  expect(drawing.width).toBeGreaterThan(760);
  for (const one of drawing.cards) expect(one.h).toBeGreaterThan(60);
});

test.each([{ rate: 0, want: 1.6 }, { rate: 1, want: 1.2 }, { rate: 100, want: 5.4 }, { rate: 1e9, want: 12 }])('a line at $rate/s', ({ rate, want }) => {
  expect(lineWidth(rate)).toBeCloseTo(want);
});
