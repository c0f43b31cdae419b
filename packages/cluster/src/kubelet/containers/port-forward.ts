import type { Duplex } from "node:stream";

import { SpdySession, type SpdyStream, type SpdyTransport } from "@kubescaffold/k8s/spdy";
import { PORT_FORWARD_HEADERS } from "@kubescaffold/k8s/streams";

import type { ContainerRuntime } from "./container-runtime.ts";

const LARGEST_PORT = 65_535;

/** The Pod whose ports are forwarded. */
export interface ForwardTarget {
  readonly uid: string;
  readonly name: string;
}

/** Forwards connections of a client to the ports of a Pod, until one of them closes the connection. */
export async function servePortForward(
  transport: SpdyTransport,
  runtime: ContainerRuntime,
  target: ForwardTarget,
): Promise<void> {
  const pairs = new Map<string, Partial<Record<"error" | "data", SpdyStream>>>();
  const accept = (stream: SpdyStream): boolean => {
    const type = header(stream, PORT_FORWARD_HEADERS.type);
    if (portOf(stream) === undefined || (type !== "error" && type !== "data")) return false;
    const id = requestIdOf(stream, type);
    const pair = pairs.get(id) ?? {};
    if (pair[type] !== undefined) return false;
    pair[type] = stream;
    pairs.set(id, pair);
    stream.once("close", () => {
      if (pairs.get(id) === pair) pairs.delete(id);
    });
    const { error, data } = pair;
    // The session resets only streams that it has accepted.
    if (error !== undefined && data !== undefined) queueMicrotask(() => forward(runtime, target, { error, data }));
    return true;
  };
  const session = new SpdySession(transport, { role: "server", accept });
  await new Promise<void>((resolve) => {
    if (session.closed.aborted) resolve();
    else session.closed.addEventListener("abort", () => resolve(), { once: true });
  });
}

function forward(
  runtime: ContainerRuntime,
  target: ForwardTarget,
  { error, data }: { readonly error: SpdyStream; readonly data: SpdyStream },
): void {
  // Clients do not write to it.
  error.resume();
  const port = portOf(data) ?? 0;
  const connection = connectTo(runtime, target.uid, port);
  if (connection === undefined) {
    error.end(refusedConnection(target, port));
    data.destroy();
    return;
  }
  data.pipe(connection).pipe(data);
  // When one end breaks off, the other one cannot go on.
  connection.once("close", () => {
    error.end();
    if (!data.writableEnded) data.destroy();
  });
  data.once("close", () => connection.destroy());
}

/** Returns the text about a port on which no container listens. */
export function refusedConnection({ uid, name }: ForwardTarget, port: number): string {
  const detail = `failed to connect to localhost:${String(port)} inside the pod: connection refused: no container listens on the port`;
  return `error forwarding port ${String(port)} to pod ${name}, uid ${uid}: ${detail}`;
}

/** Connects to the container that listens on a port; returns undefined if there is none. */
export function connectTo(runtime: ContainerRuntime, uid: string, port: number): Duplex | undefined {
  for (const container of runtime.containersOf(uid)) {
    const connection = container.isRunning ? container.connect(port) : undefined;
    if (connection !== undefined) return connection;
  }
  return undefined;
}

// Clients without request IDs open the stream of errors right before that of data, as kubelets assume.
function requestIdOf(stream: SpdyStream, type: "error" | "data"): string {
  const id = header(stream, PORT_FORWARD_HEADERS.requestId);
  return id === "" ? String(type === "error" ? stream.id : stream.id - 2) : id;
}

function portOf(stream: SpdyStream): number | undefined {
  const text = header(stream, PORT_FORWARD_HEADERS.port);
  const port = /^\d{1,5}$/u.test(text) ? Number(text) : 0;
  return port >= 1 && port <= LARGEST_PORT ? port : undefined;
}

function header({ headers }: SpdyStream, name: string): string {
  return headers.get(name)?.[0] ?? "";
}
