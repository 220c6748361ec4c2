// Where the parts of a topology stand: five columns from left to right
// (publishers, subjects, streams, consumers, workers), and for each stream a
// band that holds what feeds and what reads it. Nothing here knows NATS: the
// engine says what exists and what is joined.

/** A line of text on a card. */
export interface CardLine {
  text: string;
  /** How it is set: a subject in mono, a number that matters in bold, a refusal in the colour of errors. */
  as?: 'subject' | 'bold' | 'error';
}

/** What a card is, by its column. */
export type CardKind = 'publisher' | 'stream' | 'consumer' | 'workers';

/** A part of the topology. */
export interface Card {
  id: string;
  kind: CardKind;
  name: string;
  lines: CardLine[];
  tags?: string[];
  /** Workers: how many there are. */
  vessels?: number;
  /** The band it stands in: the id of a stream, '' for what no stream stores. */
  band: string;
}

/** How two cards are joined. */
export interface Link {
  from: string;
  to: string;
  kind: 'publish' | 'deliver' | 'work' | 'copy' | 'refused';
  /** Messages a second, 0 when not known. */
  rate: number;
  /** Above the line, set as a subject. */
  subject?: string;
  /** Below the line. */
  note?: string;
}

/** A topology to draw. Streams stand in the order in which they are given. */
export interface Topology {
  cards: Card[];
  links: Link[];
}

/** A card with its place. */
export interface Placed {
  card: Card;
  x: number;
  y: number;
  w: number;
  h: number;
}

/** A line to draw, and the texts on it. */
export interface Drawn {
  link: Link;
  d: string;
  width: number;
  top: number;
  bottom: number;
  /** The box of the texts: its left edge, the height of the line, its width. */
  label: { x: number; y: number; w: number; align: 'left' | 'center' | 'right' } | null;
  /** Where the line ends, and how an arrow that points down has to be turned there. */
  end: { x: number; y: number; turn: number };
}

/** A finished drawing. */
export interface Drawing {
  width: number;
  height: number;
  cards: Placed[];
  lines: Drawn[];
  /** Left edge of each column that has something. */
  columns: Partial<Record<CardKind | 'subjects', number>>;
}

const pad = 20;
const padNarrow = 12;
const top = 40;
const rowGap = 22;
const bandGap = 26;
const copyGap = 56;
/** Widths of a character, rounded up, in the types that cards use. */
const advance = { name: 8, text: 6.6, subject: 7.3 };
const cardPad = { publisher: 22, stream: 34, consumer: 22, workers: 26 };
/** The most workers that are drawn as vessels, and the width of a vessel with its gap. */
export const maxVessels = 6;
export const vesselPitch = (count: number) => (count > 4 ? 8 : 12);

/** The width of a line at a rate: 1.2 + 2.1 log10(msg/s). */
export function lineWidth(rate: number): number {
  return rate > 0 ? Math.max(1.2, Math.min(12, 1.2 + 2.1 * Math.log10(rate))) : 1.6;
}

const textWidth = (text: string, as: keyof typeof advance) => Math.ceil(text.length * advance[as]);
const lineAdvance = (line: CardLine) => (line.as === 'subject' ? 'subject' : line.as === 'bold' ? 'name' : 'text');

function vesselsWidth(card: Card): number {
  const drawn = Math.min(card.vessels ?? 0, maxVessels);
  return drawn === 0 ? 0 : drawn * vesselPitch(drawn) + 6;
}

function wanted(cards: Card[], kind: CardKind): number {
  let most = 0;
  for (const card of cards) {
    if (card.kind !== kind) continue;
    const beside = vesselsWidth(card);
    const tags = (card.tags ?? []).reduce((sum, tag) => sum + textWidth(tag, 'text') + 16, 0);
    most = Math.max(most, textWidth(card.name, 'name') + tags + beside, ...card.lines.map((line) => textWidth(line.text, lineAdvance(line)) + beside));
  }
  return most + cardPad[kind];
}

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const out = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = out.get(key);
    if (group) group.push(one);
    else out.set(key, [one]);
  }
  return out;
}

const between = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value));

interface Widths {
  publisher: number;
  label: number;
  stream: number;
  deliver: number;
  consumer: number;
  work: number;
  workers: number;
}

function widthsOf(topology: Topology, room: number): Widths {
  const { cards, links } = topology;
  const has = (kind: CardKind) => cards.some((card) => card.kind === kind);
  const labels = links.filter((link) => link.kind === 'publish').map((link) => Math.max(textWidth(link.subject ?? '', 'subject'), textWidth(link.note ?? '', 'text')));
  const notes = links.filter((link) => link.kind === 'deliver').map((link) => textWidth(link.note ?? '', 'text'));
  const w: Widths = {
    publisher: has('publisher') ? between(wanted(cards, 'publisher'), 112, 170) : 0,
    label: has('publisher') ? between(Math.max(0, ...labels) + 44, 120, 270) : 0,
    stream: between(wanted(cards, 'stream'), 196, 264),
    deliver: has('consumer') ? between(Math.max(0, ...notes) + 30, 64, 110) : 0,
    consumer: has('consumer') ? between(wanted(cards, 'consumer'), 150, 220) : 0,
    work: has('workers') ? 26 : 0,
    workers: has('workers') ? between(wanted(cards, 'workers'), 112, 164) : 0,
  };
  // What is left goes to the gaps first, where the lines are.
  let left = room - Object.values(w).reduce((sum, part) => sum + part, 0);
  for (const [gap, most] of [['label', 240], ['deliver', 110], ['work', 48], ['stream', 240], ['consumer', 200]] as const) {
    if (w[gap] === 0 || left <= 0) continue;
    const more = Math.min(left, Math.max(0, most - w[gap]));
    w[gap] += more;
    left -= more;
  }
  // What is missing comes from the cards, whose texts can be broken.
  for (const [part, least] of [['stream', 200], ['publisher', 112], ['deliver', 52], ['consumer', 150], ['work', 20], ['stream', 180], ['workers', 118]] as const) {
    if (w[part] === 0 || left >= 0) continue;
    const less = Math.min(-left, Math.max(0, w[part] - least));
    w[part] -= less;
    left += less;
  }
  return w;
}

function heightOf(card: Card, width: number): number {
  const inner = width - cardPad[card.kind] - vesselsWidth(card);
  const tags = (card.tags ?? []).reduce((sum, tag) => sum + textWidth(tag, 'text') + 16, 0);
  const rows = (text: string, as: keyof typeof advance, room: number) => Math.max(1, Math.ceil(textWidth(text, as) / Math.max(40, room)));
  const body = card.lines.reduce((sum, line) => sum + 16 * rows(line.text, lineAdvance(line), inner), 0);
  if (card.kind === 'workers') return Math.max(48, 14 + 16 * rows(card.name, 'name', inner) + body);
  return 14 + 18 * rows(card.name, 'name', inner - tags) + body + (card.kind === 'stream' ? 4 : 0);
}

/** Below this width the five columns do not fit, and a band goes from top to bottom. */
const narrowest = 700;

/** Lays a topology out for a width in px. The drawing is wider when its texts need it. */
export function layOut(topology: Topology, available: number): Drawing {
  if (available < narrowest) return layOutNarrow(topology, available);
  const edge = available < 920 ? padNarrow : pad;
  const w = widthsOf(topology, available - 2 * edge);
  const x = { publisher: edge, stream: edge + w.publisher + w.label, consumer: 0, workers: 0 };
  x.consumer = x.stream + w.stream + w.deliver;
  x.workers = x.consumer + w.consumer + w.work;
  const drawing: Drawing = { width: Math.max(available, x.workers + w.workers + edge), height: 0, cards: [], lines: [], columns: {} };
  const placed = placeBands(topology, x, w, drawing);
  const at = dockAll(topology, placed);
  drawing.lines = topology.links.flatMap((link) => drawLine(link, placed, at, w) ?? []);
  if (w.publisher > 0) Object.assign(drawing.columns, { publisher: x.publisher, subjects: x.publisher + w.publisher + 18 });
  if (topology.cards.some((card) => card.kind === 'stream')) drawing.columns.stream = x.stream;
  if (w.consumer > 0) drawing.columns.consumer = x.consumer;
  if (w.workers > 0) drawing.columns.workers = x.workers;
  return drawing;
}

function placeBands(topology: Topology, x: Record<CardKind, number>, w: Widths, drawing: Drawing): Map<string, Placed> {
  const placed = new Map<string, Placed>();
  const byBand = groupBy(topology.cards, (card) => card.band);
  const streams = topology.cards.filter((card) => card.kind === 'stream');
  const into = new Map(topology.links.filter((link) => link.kind !== 'publish' && link.kind !== 'copy').map((link) => [link.to, link]));
  const copies = new Set(topology.links.filter((link) => link.kind === 'copy').map((link) => `${link.from}>${link.to}`));
  const bands = [...streams.map((card) => card.id), ...(byBand.has('') ? [''] : [])];
  // Each band stands as high as its columns allow: one that uses few of them moves up beside its neighbours.
  const bottoms = { publisher: top - bandGap, stream: top - bandGap, consumer: top - bandGap, workers: top - bandGap };
  bands.forEach((band, i) => {
    const cards = byBand.get(band) ?? [];
    const column = (kind: CardKind) => cards.filter((card) => card.kind === kind).map((card) => ({ card, x: x[kind], y: 0, w: w[kind], h: heightOf(card, w[kind]) }));
    const kinds = ['publisher', 'stream', 'consumer'] as const;
    const columns = kinds.map((kind) => {
      const cells = column(kind);
      const gap = kind === 'publisher' ? Math.max(rowGap, 44 - (cells[0]?.h ?? 0) / 2) : 16;
      return { kind, cells, gap, height: cells.reduce((sum, cell) => sum + cell.h, 0) + gap * Math.max(0, cells.length - 1) };
    });
    const above = copies.has(`${bands[i - 1]}>${band}`) ? copyGap : bandGap;
    if (band === '') bottoms.publisher = Math.max(...Object.values(bottoms));
    const middle = Math.max(...columns.filter(({ cells }) => cells.length > 0).map(({ kind, height }) => bottoms[kind] + (kind === 'stream' ? above : bandGap) + height / 2));
    for (const { kind, cells, gap, height } of columns) {
      let at = middle - height / 2;
      for (const cell of cells) {
        cell.y = Math.round(at);
        at += cell.h + gap;
        placed.set(cell.card.id, cell);
        bottoms[kind] = cell.y + cell.h;
      }
    }
    for (const cell of column('workers')) {
      const reader = into.get(cell.card.id);
      const beside = reader && placed.get(reader.from);
      cell.y = beside ? Math.round(beside.y + (beside.h - cell.h) / 2) : Math.round(middle);
      placed.set(cell.card.id, cell);
    }
  });
  drawing.cards = [...placed.values()];
  drawing.height = Math.max(0, ...drawing.cards.map((one) => one.y + one.h)) + 32;
  return placed;
}

/** The height at which a line meets a card: its lines share the side, in the order of what is on the other end. */
function docks(links: Link[], card: Placed, other: (link: Link) => Placed | undefined): Map<Link, number> {
  const sorted = links.toSorted((a, b) => (other(a)?.y ?? 0) - (other(b)?.y ?? 0));
  const single = sorted.length === 1 && other(sorted[0]!);
  if (single) {
    const middle = single.y + single.h / 2;
    if (middle > card.y + 12 && middle < card.y + card.h - 12) return new Map([[sorted[0]!, middle]]);
  }
  return new Map(sorted.map((link, i) => [link, card.y + (card.h * (i + 1)) / (sorted.length + 1)]));
}

/** Where each line meets the streams it comes from and goes to. */
interface Docks {
  out: Map<Link, number>;
  in: Map<Link, number>;
}

function dockAll(topology: Topology, placed: Map<string, Placed>): Docks {
  const joined = topology.links.filter((link) => link.kind !== 'copy' && placed.has(link.from) && placed.has(link.to));
  const side = (end: 'from' | 'to', other: 'from' | 'to') => {
    const out = new Map<Link, number>();
    for (const [id, links] of groupBy(joined, (link) => link[end])) {
      const card = placed.get(id)!;
      if (card.card.kind === 'stream') for (const [link, y] of docks(links, card, (one) => placed.get(one[other]))) out.set(link, y);
    }
    return out;
  };
  return { out: side('from', 'to'), in: side('to', 'from') };
}

function drawLine(link: Link, placed: Map<string, Placed>, at: Docks, w: Widths): Drawn | null {
  const from = placed.get(link.from);
  const to = placed.get(link.to);
  if (!from) return null;
  const width = lineWidth(link.rate);
  if (!to) {
    // What no stream stores ends in the air.
    const y = from.y + from.h / 2;
    const x1 = from.x + from.w;
    return { link, d: `M${x1} ${y}H${x1 + w.label - 24}`, width, top: y - 40, bottom: y + 40, label: { x: x1 + 18, y, w: w.label - 24, align: 'left' }, end: { x: x1 + w.label - 24, y, turn: -90 } };
  }
  if (link.kind === 'copy') return drawCopy(link, from, to, placed);
  const y1 = at.out.get(link) ?? from.y + from.h / 2;
  const y2 = at.in.get(link) ?? to.y + to.h / 2;
  const x1 = from.x + from.w;
  const x2 = to.x;
  const bend = link.kind === 'publish' ? Math.min(52, w.label / 3) : Math.min(40, (x2 - x1) / 2);
  const flat = Math.abs(y1 - y2) < 0.5;
  // Publishers' lines are level where their text is and bend at the end; consumers' the other way round.
  const d = flat
    ? `M${x1} ${y1}H${x2}`
    : link.kind === 'publish'
      ? `M${x1} ${y1}H${x2 - bend}C${x2 - bend / 2} ${y1} ${x2 - bend / 2} ${y2} ${x2} ${y2}`
      : `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  const label = link.kind === 'publish' ? { x: x1 + 18, y: y1, w: w.label - 26, align: 'left' as const } : { x: x1 + 4, y: y2, w: x2 - x1 - 12, align: 'right' as const };
  return { link, d, width, top: Math.min(y1, y2) - 24, bottom: Math.max(y1, y2) + 24, label: link.subject || link.note ? label : null, end: { x: x2, y: y2, turn: -90 } };
}

function drawCopy(link: Link, from: Placed, to: Placed, placed: Map<string, Placed>): Drawn {
  const x = from.x + from.w / 2;
  const down = to.y >= from.y + from.h;
  const y1 = from.y + from.h;
  const between = [...placed.values()].some((one) => one.card.kind === 'stream' && one.y >= y1 && one.y < to.y);
  if (down && !between) {
    return { link, d: `M${x} ${y1}V${to.y}`, width: 2, top: y1, bottom: to.y, label: { x: from.x, y: (y1 + to.y) / 2 - 2, w: from.w, align: 'center' }, end: { x, y: to.y, turn: 0 } };
  }
  // Streams between them: the line goes round on the left.
  const [leave, y2] = [from.y + from.h - 14, to.y + 14];
  const out = from.x - 22;
  return { link, d: `M${from.x} ${leave}C${out} ${leave} ${out} ${leave} ${out} ${leave + (down ? 16 : -16)}V${y2 + (down ? -16 : 16)}C${out} ${y2} ${out} ${y2} ${to.x} ${y2}`, width: 2, top: Math.min(leave, y2), bottom: Math.max(leave, y2), label: null, end: { x: to.x, y: y2, turn: -90 } };
}

/** One column for a phone: publishers above their stream, readers below it. */
function layOutNarrow(topology: Topology, width: number): Drawing {
  const [left, indent, spine, gap] = [padNarrow, 44, 28, 12];
  const placed = new Map<string, Placed>();
  const byBand = groupBy(topology.cards, (card) => card.band);
  const into = groupBy(topology.links, (link) => link.to);
  const sent = new Map(topology.links.filter((link) => link.kind === 'publish' && link.subject).map((link) => [link.from, link]));
  const hasWorkers = topology.cards.some((card) => card.kind === 'workers');
  const beside = hasWorkers ? Math.min(150, Math.round(width * 0.36)) : 0;
  const put = (card: Card, x: number, y: number, w: number) => {
    const one = { card, x, y, w, h: heightOf(card, w) };
    placed.set(card.id, one);
    return one;
  };
  let y = left + 6;
  for (const band of [...topology.cards.filter((card) => card.kind === 'stream').map((card) => card.id), ...(byBand.has('') ? [''] : [])]) {
    const cards = byBand.get(band) ?? [];
    const of = (kind: CardKind) => cards.filter((card) => card.kind === kind);
    for (const card of of('publisher')) {
      const link = sent.get(card.id);
      const lines: CardLine[] = link ? [{ text: link.subject!, as: 'subject' }, ...(link.note ? [{ text: link.note }] : []), ...card.lines] : card.lines;
      y += put({ ...card, lines }, indent, y, width - indent - left).h + gap;
    }
    for (const card of of('stream')) {
      const copies = (into.get(card.id) ?? []).filter((link) => link.kind === 'copy').map((link) => ({ text: `${link.note} of ${topology.cards.find((one) => one.id === link.from)?.name ?? ''}` }));
      y += put({ ...card, lines: [...card.lines, ...copies] }, left, y, width - 2 * left).h + gap;
    }
    for (const card of of('consumer')) {
      const reader = put(card, indent, y, width - indent - left - (beside === 0 ? 0 : beside + 20));
      const workers = of('workers').find((one) => into.get(one.id)?.[0]?.from === card.id);
      const next = workers && put(workers, width - left - beside, y, beside);
      const height = Math.max(reader.h, next?.h ?? 0);
      reader.y += (height - reader.h) / 2;
      if (next) next.y += (height - next.h) / 2;
      y += height + gap;
    }
    y += 14;
  }
  const lines = topology.links.flatMap((link): Drawn[] => {
    const [from, to] = [placed.get(link.from), placed.get(link.to)];
    if (!from || !to || link.kind === 'copy') return [];
    const [y1, y2] = [from.y + from.h / 2, to.y + to.h / 2];
    const d = link.kind === 'publish' ? `M${from.x} ${y1}H${spine}V${to.y}` : from.card.kind === 'stream' ? `M${spine} ${from.y + from.h}V${y2}H${to.x}` : `M${from.x + from.w} ${y1}H${to.x}`;
    return [{ link, d, width: Math.min(6, lineWidth(link.rate)), top: Math.min(y1, y2), bottom: Math.max(y1, y2), label: null, end: { x: to.x, y: y2, turn: 0 } }];
  });
  return { width, height: y + left, cards: [...placed.values()], lines, columns: {} };
}
