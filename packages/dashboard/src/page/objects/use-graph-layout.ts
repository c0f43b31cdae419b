import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import type { GraphLayout, LayoutRequest, OwnerGraph } from "./object-graph.ts";

/** Returns the layout of a graph, which a worker computes; that of the graph before it until then. There is none without a graph. */
export function useGraphLayout(graph: OwnerGraph | undefined): GraphLayout | undefined {
  const [layout, setLayout] = useState<GraphLayout>();
  const worker = useRef<Worker>(undefined);
  const latest = useRef(0);
  const shape = useMemo(() => (graph === undefined ? "" : shapeOf(graph)), [graph]);
  useEffect(() => {
    const created = new Worker(new URL("./layout-worker.ts", import.meta.url), { type: "module" });
    created.addEventListener(
      "message",
      ({ data }: MessageEvent<{ readonly id: number; readonly layout: GraphLayout }>) => {
        if (data.id === latest.current) setLayout(data.layout);
      },
    );
    worker.current = created;
    return () => created.terminate();
  }, []);
  useEffect(() => {
    if (shape === "") return;
    latest.current += 1;
    const { nodes, edges } = JSON.parse(shape) as Omit<LayoutRequest, "id">;
    const request: LayoutRequest = { id: latest.current, nodes, edges };
    worker.current?.postMessage(request);
  }, [shape]);
  return layout;
}

// Most changes of objects leave the graph as it is.
function shapeOf({ nodes, edges }: OwnerGraph): string {
  return JSON.stringify({
    nodes: nodes.map(({ summary }) => summary.uid),
    edges: edges.map(({ from, to }) => ({ from, to })),
  });
}
