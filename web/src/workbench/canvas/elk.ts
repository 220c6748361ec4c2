// Elk in a worker of its own: it says at which height nodes stand and how edges
// reach them. The columns and their widths are ours.
import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js';
import type { GraphReply, Node } from '../../engine/types';
import { drawCopy, drawEdge, isCopy, type Drawing, type Placed, type Route } from './drawing';
import { columnsOf, heightOf, type Columns } from './measure';
import { partsOf, type Part } from './parts';

const top = 40;
const rowGap = 22;
const partGap = 26;
/** The room between a stream and its copy, where the text of the edge stands. */
const copyRoom = 22;
/** Columns are told apart by their left edges; any distance wider than a node will do. */
const columnStep = 1000;
/** From so many nodes on the quicker of two placements is taken. */
const manyNodes = 120;

interface Layouter {
  layout(graph: ElkNode): Promise<ElkNode>;
}

let layouter: Promise<Layouter> | null = null;

/** Starts loading elk; later calls do nothing. */
export function loadElk(): Promise<Layouter> {
  return (layouter ??= (async () => {
    const [{ default: Elk }, { default: url }] = await Promise.all([import('elkjs/lib/elk-api.js'), import('elkjs/lib/elk-worker.min.js?url')]);
    return new Elk({ workerFactory: () => new Worker(url, { name: 'weir-layout' }) });
  })().catch((err: unknown) => {
    layouter = null;
    throw err;
  }));
}

const options: Record<string, string> = {
  'elk.algorithm': 'layered',
  'elk.direction': 'RIGHT',
  'elk.separateConnectedComponents': 'false',
  'elk.layered.layering.strategy': 'INTERACTIVE', // a node's layer is its column
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.spacing.nodeNode': String(rowGap),
  'elk.spacing.edgeNode': '14',
  'elk.spacing.edgeEdge': '12',
  'elk.padding': '[top=0,left=0,bottom=0,right=0]',
};

/** What elk is asked about one part of a graph. */
export function elkGraph(part: Part, heights: ReadonlyMap<string, number>): ElkNode {
  const children: ElkNode[] = [];
  const seen = new Set<string>();
  for (const node of part.nodes) {
    // Between a stream and the copy right below it stands the text of the edge.
    if (node.column === 2 && part.edges.some((edge) => isCopy(edge) && edge.to === node.id && seen.has(edge.from))) children.push({ id: `above ${node.id}`, x: 2 * columnStep, y: children.length, width: 100, height: copyRoom });
    seen.add(node.id);
    children.push({ id: node.id, x: node.column * columnStep, y: children.length, width: 100, height: heights.get(node.id)! });
  }
  const edges: ElkExtendedEdge[] = part.edges.flatMap((edge, i) => (isCopy(edge) ? [] : [{ id: String(i), sources: [edge.from], targets: [edge.to] }]));
  const ordered = part.edges.some(isCopy);
  return {
    id: 'part', children, edges,
    layoutOptions: {
      ...options,
      'elk.layered.nodePlacement.strategy': part.nodes.length > manyNodes ? 'BRANDES_KOEPF' : 'NETWORK_SIMPLEX',
      // Copies stay where they stand in the order; else crossings decide.
      ...(ordered ? { 'elk.layered.crossingMinimization.forceNodeModelOrder': 'true' } : {}),
    },
  };
}

/** What elk said about a part, from its own top. */
export interface PartLayout {
  y: Map<string, number>;
  routes: (Route | null)[];
  height: number;
}

/** Reads elk's answer. Of x it is asked only in which column a height holds. */
export function readElk(answer: ElkNode, part: Part): PartLayout {
  const at = new Map((answer.children ?? []).map((child) => [child.id, child]));
  const first = Math.min(...part.nodes.map((node) => at.get(node.id)!.y!));
  const y = new Map(part.nodes.map((node) => [node.id, at.get(node.id)!.y! - first]));
  const columnX = new Map(part.nodes.map((node) => [node.column, at.get(node.id)!.x! + 50]));
  const columnOf = new Map(part.nodes.map((node) => [node.id, node.column]));
  const routes: (Route | null)[] = part.edges.map(() => null);
  for (const edge of answer.edges ?? []) {
    const section = edge.sections?.[0];
    const { from, to } = part.edges[Number(edge.id)]!;
    if (!section) continue;
    const points = [section.startPoint, ...(section.bendPoints ?? []), section.endPoint];
    const heightAt = (x: number) => points.findLast((point) => point.x <= x)?.y ?? section.startPoint.y;
    const through = [...columnX].filter(([column]) => column > columnOf.get(from)! && column < columnOf.get(to)!).sort(([a], [b]) => a - b).map(([column, x]) => ({ column, y: heightAt(x) - first }));
    routes[Number(edge.id)] = { from: section.startPoint.y - first, to: section.endPoint.y - first, through };
  }
  return { y, routes, height: Math.max(...part.nodes.map((node) => y.get(node.id)! + at.get(node.id)!.height!)) };
}

/** Layouts by what elk was asked: an edit of one stream leaves the others as they are. */
const known = new Map<string, PartLayout>();
const mostKnown = 2_000;

async function layOutPart(elk: Layouter, part: Part, heights: ReadonlyMap<string, number>): Promise<PartLayout> {
  const graph = elkGraph(part, heights);
  const key = JSON.stringify([graph.children, graph.edges]);
  const before = known.get(key);
  if (before) return before;
  const layout = readElk(await elk.layout(graph), part);
  if (known.size >= mostKnown) known.clear();
  known.set(key, layout);
  return layout;
}

/** Lays a graph out for a width in px. */
export async function layOut(graph: GraphReply, available: number): Promise<Drawing> {
  const elk = await loadElk();
  const columns = columnsOf(graph.nodes, graph.edges.flatMap((edge) => (edge.flow === 'deliver' && edge.text ? [edge.text] : [])), available);
  const heights = new Map(graph.nodes.map((node) => [node.id, heightOf(node, columns.w[node.column]!)]));
  const parts = partsOf(graph);
  const layouts = await Promise.all(parts.map((part) => layOutPart(elk, part, heights)));
  return assemble(graph.nodes, parts, layouts, heights, columns);
}

/** Puts the parts below each other, as high as each column allows. */
export function assemble(nodes: readonly Node[], parts: readonly Part[], layouts: readonly PartLayout[], heights: ReadonlyMap<string, number>, columns: Columns): Drawing {
  const drawing: Drawing = { width: columns.width, height: 0, nodes: [], lines: [], columns: columns.x.map((x, i) => (columns.w[i]! > 0 ? x : NaN)) };
  let at = top;
  parts.forEach((part, i) => {
    const { y, routes, height } = layouts[i]!;
    const placed = new Map<string, Placed>(part.nodes.map((node) => [node.id, { node, x: columns.x[node.column]!, y: at + Math.round(y.get(node.id)!), w: columns.w[node.column]!, h: heights.get(node.id)! }]));
    const streams = [...placed.values()].filter((one) => one.node.column === 2);
    drawing.nodes.push(...placed.values());
    part.edges.forEach((edge, k) => {
      const [from, to, route] = [placed.get(edge.from)!, placed.get(edge.to)!, routes[k]];
      if (isCopy(edge)) drawing.lines.push(drawCopy(edge, from, to, streams));
      else if (route) drawing.lines.push(drawEdge(edge, from, to, { from: at + route.from, to: at + route.to, through: route.through.map((one) => ({ ...one, y: at + one.y })) }, columns));
    });
    at += height + partGap;
  });
  const order = new Map(nodes.map((node, i) => [node.id, i]));
  drawing.nodes.sort((a, b) => order.get(a.node.id)! - order.get(b.node.id)!);
  drawing.height = at - partGap + 32;
  return drawing;
}
