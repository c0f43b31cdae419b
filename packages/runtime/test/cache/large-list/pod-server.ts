import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A server of Pods, and how much JSON it sends. */
export interface PodServer {
  readonly url: string;
  /** The bytes of all Pods. */
  readonly bytes: number;
  readonly stop: () => Promise<void>;
}

const VERSION = "1000000";

/** Starts an API server that streams a number of Pods of about 9 KB as initial events; all texts differ. */
export async function startPodServer(count: number): Promise<PodServer> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://pods.invalid");
    response.setHeader("content-type", "application/json");
    if (!url.pathname.endsWith("/pods")) response.end(JSON.stringify(discovery(url.pathname)));
    else if (url.searchParams.has("sendInitialEvents")) void sendPods(response, count);
    else response.flushHeaders();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const bytes = Array.from({ length: count }, (_, index) => podText(index).length).reduce((sum, each) => sum + each, 0);
  return { url: `http://127.0.0.1:${String(port)}`, bytes, stop: () => close(server) };
}

// The connection stays open, as that of a watch.
async function sendPods(response: ServerResponse, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await send(response, `{"type":"ADDED","object":${podText(index)}}\n`);
  const metadata = { resourceVersion: VERSION, annotations: { "k8s.io/initial-events-end": "true" } };
  const object = { apiVersion: "v1", kind: "Pod", metadata };
  await send(response, `${JSON.stringify({ type: "BOOKMARK", object })}\n`);
}

async function send(response: ServerResponse, text: string): Promise<void> {
  if (response.write(text) || response.destroyed) return;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      response.off("drain", end).off("close", end);
      resolve();
    };
    response.on("drain", end).on("close", end);
  });
}

function podText(index: number): string {
  const id = String(index).padStart(6, "0");
  const text = (field: string): string => `${field} of pod ${id} `.repeat(8);
  const env = Array.from({ length: 25 }, (_, each) => ({
    name: `VARIABLE_${String(each)}`,
    value: text(`v${String(each)}`),
  }));
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: `pod-${id}`,
      namespace: `namespace-${String(index % 10)}`,
      uid: `00000000-0000-4000-8000-000000${id}`,
      resourceVersion: String(index + 1),
      labels: { app: `app-${String(index % 100)}`, instance: `instance-${id}` },
      annotations: { first: text("first"), second: text("second") },
    },
    spec: {
      nodeName: `node-${String(index % 500)}`,
      containers: ["main", "sidecar"].map((name) => ({ name, image: `registry.example.com/${name}:${id}`, env })),
    },
    status: { phase: "Running", podIP: `10.0.${String(index >> 8)}.${String(index % 256)}` },
  });
}

function discovery(pathname: string): object {
  if (pathname === "/api") return { kind: "APIVersions", versions: ["v1"] };
  if (pathname === "/apis") return { kind: "APIGroupList", apiVersion: "v1", groups: [] };
  const pods = { name: "pods", singularName: "pod", namespaced: true, kind: "Pod", verbs: ["get", "list", "watch"] };
  return { kind: "APIResourceList", groupVersion: "v1", resources: [pods] };
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
