import type { Duplex } from "node:stream";

import { SpdySession, type SpdyStream, type SpdyTransport } from "@kubescaffold/k8s/spdy";
import { PORT_FORWARD_HEADERS } from "@kubescaffold/k8s/streams";
import { type Clock, type Timer, whenAborted } from "@kubescaffold/platform/clock";

import { CREATION_TIMEOUT_MS, idleTimers } from "./channels/stream-timeouts.ts";
import type { ContainerRuntime } from "./container-runtime.ts";

const LARGEST_PORT = 65_535;

/** The Pod whose ports are forwarded, and the clock of its node. */
export interface ForwardTarget {
  readonly uid: string;
  readonly name: string;
  readonly clock: Clock;
}

/**
 * Forwards connections of a client to the ports of a Pod, until one of them closes the connection, or it is idle for 4 hours.
 *
 * The two streams of a forwarded connection must be opened within 30 seconds; otherwise, the one that was opened fails.
 */
export async function servePortForward(
  transport: SpdyTransport,
  runtime: ContainerRuntime,
  target: ForwardTarget,
): Promise<void> {
  const pairs = new StreamPairs(target.clock, (pair) => forward(runtime, target, pair));
  const session = new SpdySession(transport, {
    role: "server",
    accept: (stream) => pairs.add(stream),
    startIdleTimer: idleTimers(target.clock),
  });
  await whenAborted(session.closed);
}

interface StreamPair {
  readonly error: SpdyStream;
  readonly data: SpdyStream;
}

interface IncompletePair {
  readonly type: "error" | "data";
  readonly stream: SpdyStream;
  readonly timer: Timer;
}

/** The streams that wait for their counterparts, by the ID of their request, which can be used again for another pair. */
class StreamPairs {
  readonly #clock: Clock;
  readonly #onPair: (pair: StreamPair) => void;
  readonly #waiting = new Map<string, IncompletePair>();

  constructor(clock: Clock, onPair: (pair: StreamPair) => void) {
    this.#clock = clock;
    this.#onPair = onPair;
  }

  /** Returns whether a stream is accepted: whether it has a port and a type, and its request still lacks this type. */
  add(stream: SpdyStream): boolean {
    const type = header(stream, PORT_FORWARD_HEADERS.type);
    if (portOf(stream) === undefined || (type !== "error" && type !== "data")) return false;
    const id = requestIdOf(stream, type);
    const other = this.#waiting.get(id);
    if (other === undefined) {
      this.#wait(id, type, stream);
      return true;
    }
    if (other.type === type) return false;
    this.#remove(id, other);
    const pair = type === "data" ? { error: other.stream, data: stream } : { error: stream, data: other.stream };
    // The session resets only streams that it has accepted.
    queueMicrotask(() => this.#onPair(pair));
    return true;
  }

  #wait(id: string, type: "error" | "data", stream: SpdyStream): void {
    const timer = this.#clock.setTimeout(() => this.#expire(id, incomplete), CREATION_TIMEOUT_MS).unref();
    const incomplete: IncompletePair = { type, stream, timer };
    this.#waiting.set(id, incomplete);
    stream.once("close", () => this.#remove(id, incomplete));
  }

  #expire(id: string, incomplete: IncompletePair): void {
    this.#remove(id, incomplete);
    const { type, stream } = incomplete;
    // Nobody else reads it.
    stream.resume();
    if (type === "error") stream.end(`(request=${id}) timed out waiting for streams`);
    else stream.destroy();
  }

  #remove(id: string, incomplete: IncompletePair): void {
    incomplete.timer.cancel();
    if (this.#waiting.get(id) === incomplete) this.#waiting.delete(id);
  }
}

function forward(runtime: ContainerRuntime, target: ForwardTarget, { error, data }: StreamPair): void {
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
