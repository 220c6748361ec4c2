// The drawing of a phone, where five columns do not fit: one column, publishers
// above their stream, readers below it. It needs no elk.
import type { Edge, GraphReply, Line, Node } from '../../engine/types';
import { isCopy, type Drawing, type Drawn, type Placed } from './drawing';
import { heightOf, lineWidth } from './measure';

/** Below this width the columns do not fit. */
export const narrowest = 700;

const [left, indent, spine, gap] = [12, 44, 28, 12];

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const out = new Map<string, T[]>();
  for (const one of all) {
    const group = out.get(keyOf(one));
    if (group) group.push(one);
    else out.set(keyOf(one), [one]);
  }
  return out;
}

/** Lays a graph out in one column. Subjects stand on the cards of their publishers. */
export function layOutNarrow(graph: GraphReply, width: number): Drawing {
  const placed = new Map<string, Placed>();
  const byBand = groupBy(graph.nodes, (node) => node.band ?? '');
  const into = groupBy(graph.edges, (edge) => edge.to);
  const names = new Map(graph.nodes.map((node) => [node.id, node.name]));
  const subjects = new Map(graph.nodes.filter((node) => node.kind === 'subject').map((node) => [node.path, node]));
  const beside = graph.nodes.some((node) => node.kind === 'workers') ? Math.min(150, Math.round(width * 0.36)) : 0;
  let y = left + 6;
  const put = (node: Node, x: number, w: number) => {
    const one = { node, x, y, w, h: heightOf(node, w) };
    placed.set(node.id, one);
    return one;
  };
  const bands = [...graph.nodes.filter((node) => node.kind === 'stream').map((node) => node.id), ...(byBand.has('') ? [''] : [])];
  for (const band of bands) {
    const nodes = byBand.get(band) ?? [];
    for (const node of nodes) {
      if (node.kind !== 'publisher' && node.kind !== 'subscriber') continue;
      const subject = subjects.get(node.path);
      const lines: Line[] = subject ? [{ text: subject.name, as: 'subject' }, ...(subject.lines ?? []), ...(node.lines ?? [])] : (node.lines ?? []);
      y += put({ ...node, lines }, indent, width - indent - left).h + gap;
    }
    for (const node of nodes) {
      if (node.kind !== 'stream') continue;
      const copies = (into.get(node.id) ?? []).filter(isCopy).map((edge) => ({ text: `${edge.text} of ${names.get(edge.from)}` }));
      y += put({ ...node, lines: [...(node.lines ?? []), ...copies] }, left, width - 2 * left).h + gap;
    }
    for (const node of nodes) {
      if (node.kind !== 'consumer' && node.kind !== 'consumers') continue;
      const work = nodes.find((one) => one.kind === 'workers' && into.get(one.id)?.[0]?.from === node.id);
      const reader = put(node, indent, width - indent - left - (beside === 0 ? 0 : beside + 20));
      const worker = work && put(work, width - left - beside, beside);
      const height = Math.max(reader.h, worker?.h ?? 0);
      for (const one of [reader, worker]) if (one) one.y += (height - one.h) / 2;
      y += height + gap;
    }
    y += 14;
  }
  const lines = graph.edges.flatMap((edge) => drawNarrow(edge, placed, subjects) ?? []);
  return { width, height: y + left, nodes: [...placed.values()], lines, columns: [] };
}

function drawNarrow(edge: Edge, placed: ReadonlyMap<string, Placed>, subjects: ReadonlyMap<string, Node>): Drawn | null {
  // An edge from a subject begins at its publisher.
  const publisher = [...subjects.values()].find((node) => node.id === edge.from)?.path;
  const [from, to] = [placed.get(publisher ?? edge.from), placed.get(edge.to)];
  if (!from || !to || isCopy(edge)) return null;
  const [y1, y2] = [from.y + from.h / 2, to.y + to.h / 2];
  const d = publisher !== undefined ? `M${from.x} ${y1}H${spine}V${edge.flow === 'core' ? `${y2}H${to.x}` : to.y}` : from.node.kind === 'stream' ? `M${spine} ${from.y + from.h}V${y2}H${to.x}` : `M${from.x + from.w} ${y1}H${to.x}`;
  return { edge, d, width: Math.min(6, lineWidth(edge.rate)), top: Math.min(y1, y2), bottom: Math.max(y1, y2), label: null, arrow: null };
}
