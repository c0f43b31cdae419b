import { type Duplex, PassThrough } from "node:stream";

import { connectionPair } from "@kubescaffold/apiserver/cluster-api";
import type { Container, Pod } from "@kubescaffold/k8s/core/v1";
import type { Clock } from "@kubescaffold/platform/clock";

import type { ContainerConfig } from "./container-config.ts";
import { exitCodeOf } from "./container-exec.ts";
import { type AttachedClient, ContainerLog, OutputStream } from "./container-log.ts";
import type { ContainerNetwork, ImageDefinition, MainProcess, PortProtocol } from "./image-definitions.ts";
import type { ContainerHealth } from "./probes/probes.ts";

// The exit code of runc for a process that cannot be executed.
const NOT_EXECUTED = 255;

// The exit code that kubelets report for a process that was not started.
const NOT_STARTED = 128;

/** One run of the main process of a container. */
export interface Instance {
  readonly number: number;
  readonly startedAt: number;
  readonly log: ContainerLog;
  readonly aborted: AbortController;
  readonly stdin: PassThrough;
  readonly clients: Set<AttachedClient>;
  /** By the protocol and the number. */
  readonly ports: Map<string, (connection: Duplex) => void>;
  readonly connections: Set<Duplex>;
  readonly health: ContainerHealth;
  /** Why the process cannot be started. */
  readonly startError: string | undefined;
  /** Whether its hook `postStart` runs, until which the container is not reported as running. */
  isStarting: boolean;
  endProbes: () => void;
  terminationMessage: string;
  exit: { readonly code: number; readonly at: number } | undefined;
  /** Resolves when the process has ended. */
  readonly ended: PromiseWithResolvers;
}

interface PromiseWithResolvers {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

/** What the main process of a container gets. */
export interface ProcessParts {
  readonly spec: Container;
  readonly pod: Pod;
  readonly definition: ImageDefinition;
  readonly config: ContainerConfig;
  readonly network: ContainerNetwork;
}

/** Returns a run of a container that has no process yet. */
export function newInstance(
  { spec }: Pick<ProcessParts, "spec">,
  {
    number,
    clock,
    health,
    startError,
    isStarting,
  }: Pick<Instance, "number" | "health" | "isStarting" | "startError"> & { readonly clock: Clock },
): Instance {
  const stdin = new PassThrough();
  if (spec.stdin !== true) stdin.end();
  return {
    number,
    startedAt: clock.now(),
    log: new ContainerLog(clock),
    aborted: new AbortController(),
    stdin,
    clients: new Set<AttachedClient>(),
    ports: new Map(),
    connections: new Set(),
    health,
    startError,
    isStarting,
    endProbes: () => undefined,
    terminationMessage: "",
    exit: undefined,
    ended: promiseWithResolvers(),
  };
}

/** Runs the main process; resolves with its exit code when its output is complete. */
export async function runProcess(instance: Instance, parts: ProcessParts): Promise<number> {
  const { log, clients, stdin, aborted, ports } = instance;
  const stdout = new OutputStream("stdout", log, clients);
  const stderr = new OutputStream("stderr", log, clients);
  const process: MainProcess = {
    pod: parts.pod,
    container: parts.spec.name,
    ...parts.config,
    ...parts.network,
    signal: aborted.signal,
    stdin,
    stdout,
    stderr,
    log: (line) => {
      stdout.write(`${line}\n`);
    },
    setTerminationMessage: (message: unknown) => {
      if (typeof message !== "string")
        throw new TypeError(`setTerminationMessage takes a text, not a value of the type ${typeof message}`);
      instance.terminationMessage = message;
    },
    ports: {
      listen: (port, handler, { protocol = "TCP" } = {}) => {
        const key = portKey(port, protocol);
        ports.set(key, handler);
        return () => {
          if (ports.get(key) === handler) ports.delete(key);
        };
      },
    },
  };
  const code = await exitCodeOf(async () => {
    // The process starts after the container is known to those who created it.
    await Promise.resolve();
    if (instance.startError !== undefined) return NOT_STARTED;
    const { execError } = parts.config;
    if (execError === undefined) return await (parts.definition.run ?? untilStopped)(process);
    process.stderr.write(`${execError}\n`);
    return NOT_EXECUTED;
  }, stderr);
  await Promise.all([ended(stdout), ended(stderr)]);
  return code;
}

/** Opens a connection to a port of a run; returns undefined if nothing listens there. */
export function openConnection(
  { ports, connections }: Instance,
  port: number,
  protocol: PortProtocol,
): Duplex | undefined {
  const handler = ports.get(portKey(port, protocol));
  if (handler === undefined) return undefined;
  const [ours, theirs] = connectionPair();
  for (const side of [ours, theirs]) {
    connections.add(side);
    side.once("close", () => connections.delete(side));
    // A broken connection ends both sides; their owners notice by the end of the stream.
    side.on("error", () => undefined);
  }
  handler(theirs);
  return ours;
}

/** Ends a run: its output, its ports, and its connections. */
export function endInstance(instance: Instance, exit: NonNullable<Instance["exit"]>): void {
  instance.exit = exit;
  instance.endProbes();
  instance.log.end();
  instance.aborted.abort();
  instance.ports.clear();
  instance.stdin.destroy();
  for (const connection of instance.connections) connection.destroy();
}

/** Runs until the container must stop. */
export async function untilStopped({ signal }: Pick<MainProcess, "signal">): Promise<void> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function ended(stream: OutputStream): Promise<void> {
  await new Promise<void>((resolve) => {
    stream.once("error", () => resolve());
    stream.once("close", () => resolve());
    stream.end();
    if (stream.closed) resolve();
  });
}

/** Returns the key of a port of a run. */
export function portKey(port: number, protocol: PortProtocol): string {
  return `${protocol}/${String(port)}`;
}

function promiseWithResolvers(): PromiseWithResolvers {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
