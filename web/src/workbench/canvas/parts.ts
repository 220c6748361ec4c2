// A graph in the parts that no edge joins. Each is laid out by itself: the work
// grows with the design and not with its square.
import type { Edge, GraphReply, Node } from '../../engine/types';

/** Nodes that are joined, in the order of the graph, with their edges. */
export interface Part {
  nodes: Node[];
  edges: Edge[];
}

/** The parts, in the order of the first stream of each; what has no stream comes last. */
export function partsOf(graph: Pick<GraphReply, 'nodes' | 'edges'>): Part[] {
  const parent = new Map(graph.nodes.map((node) => [node.id, node.id]));
  const root = (id: string): string => {
    let at = id;
    while (parent.get(at) !== at) at = parent.get(at)!;
    for (let next = id; next !== at; ) {
      const up = parent.get(next)!;
      parent.set(next, at);
      next = up;
    }
    return at;
  };
  for (const { from, to } of graph.edges) parent.set(root(from), root(to));
  const parts = new Map<string, Part>();
  const begun = (id: string) => {
    const key = root(id);
    if (!parts.has(key)) parts.set(key, { nodes: [], edges: [] });
    return parts.get(key)!;
  };
  for (const node of graph.nodes) if (node.kind === 'stream') begun(node.id);
  for (const node of graph.nodes) begun(node.id).nodes.push(node);
  for (const edge of graph.edges) begun(edge.from).edges.push(edge);
  return [...parts.values()];
}
