import { graphlib, layout } from "@dagrejs/dagre";

import { NODE, type GraphLayout, type LayoutRequest } from "./object-graph.ts";

const GAP = { rank: 56, node: 10, family: 28 } as const;
/** Families are placed in a row until it is this wide. */
const ROW_WIDTH = 1120;

/** Lays out each connected part of a graph from left to right, and the parts in rows. Pure, and slow for hundreds of nodes: a worker runs it. */
export function layoutGraph({ nodes, edges }: Omit<LayoutRequest, "id">): GraphLayout {
  const positions: Record<string, { x: number; y: number }> = {};
  const size = { width: 0, height: 0 };
  const cursor = { x: 0, y: 0, rowHeight: 0 };
  for (const part of connectedParts(nodes, edges)) {
    const placed = layoutPart(part.nodes, part.edges);
    if (cursor.x > 0 && cursor.x + placed.width > ROW_WIDTH) {
      cursor.x = 0;
      cursor.y += cursor.rowHeight + GAP.family;
      cursor.rowHeight = 0;
    }
    const shift = ({ x, y }: { readonly x: number; readonly y: number }) => ({ x: x + cursor.x, y: y + cursor.y });
    for (const [id, point] of Object.entries(placed.positions)) positions[id] = shift(point);
    cursor.x += placed.width + GAP.family;
    cursor.rowHeight = Math.max(cursor.rowHeight, placed.height);
    size.width = Math.max(size.width, cursor.x - GAP.family);
    size.height = Math.max(size.height, cursor.y + cursor.rowHeight);
  }
  return { ...size, positions };
}

interface Part {
  readonly nodes: readonly string[];
  readonly edges: LayoutRequest["edges"];
}

function connectedParts(nodes: readonly string[], edges: LayoutRequest["edges"]): readonly Part[] {
  const neighbors = new Map<string, string[]>(nodes.map((node) => [node, []]));
  for (const { from, to } of edges) {
    neighbors.get(from)?.push(to);
    neighbors.get(to)?.push(from);
  }
  const partOf = new Map<string, number>();
  const parts: string[][] = [];
  for (const node of nodes) {
    if (partOf.has(node)) continue;
    const part: string[] = [];
    const open = [node];
    partOf.set(node, parts.length);
    for (let current = open.pop(); current !== undefined; current = open.pop()) {
      part.push(current);
      for (const next of neighbors.get(current) ?? []) {
        if (partOf.has(next)) continue;
        partOf.set(next, parts.length);
        open.push(next);
      }
    }
    parts.push(part);
  }
  return parts.map((part, index) => ({ nodes: part, edges: edges.filter(({ from }) => partOf.get(from) === index) }));
}

function layoutPart(nodes: readonly string[], edges: LayoutRequest["edges"]): GraphLayout {
  const graph = new graphlib.Graph();
  graph.setGraph({ rankdir: "LR", ranksep: GAP.rank, nodesep: GAP.node, marginx: 0, marginy: 0 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) graph.setNode(node, { ...NODE });
  for (const { from, to } of edges) graph.setEdge(from, to);
  layout(graph);
  const positions = Object.fromEntries(
    nodes.map((node) => {
      const { x, y } = graph.node(node) as { readonly x: number; readonly y: number };
      return [node, { x, y }];
    }),
  );
  const { width = 0, height = 0 } = graph.graph() as { readonly width?: number; readonly height?: number };
  return { width, height, positions };
}
