import { layoutGraph } from "./layout-graph.ts";
import type { LayoutRequest } from "./object-graph.ts";

const scope = globalThis as unknown as {
  onmessage: (event: MessageEvent<LayoutRequest>) => void;
  postMessage: (message: unknown) => void;
};

scope.onmessage = ({ data }) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has one peer, and no origins.
  scope.postMessage({ id: data.id, layout: layoutGraph(data) });
};
