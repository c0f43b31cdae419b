import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

import { handledLater } from "@kubescaffold/platform";
import { execa } from "execa";

import { probeServer, waitUntil } from "../eventually/wait-until.ts";
import { ControlPlaneStartError, ControlPlaneStopError } from "../failures/errors.ts";

const KEPT_OUTPUT_CHARACTERS = 8_000;

/** A running program of the control plane; it exits with this process. */
export interface ManagedProcess {
  /** The name of the program. */
  readonly name: string;
  /** Rejects when the program exits unexpectedly; never resolves. */
  readonly unexpectedEnd: Promise<never>;
  /** Returns the end of the program's output. */
  readonly output: () => string;
  /**
   * Terminates the program and waits for its exit.
   *
   * Fails: {@link ControlPlaneStopError} when the program had to be killed.
   */
  readonly stop: (timeoutMs: number) => Promise<void>;
}

/** Starts a program. */
export function startProcess(options: {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Shows all of the program's output on this process's standard error. */
  readonly attachOutput?: boolean;
}): ManagedProcess {
  const child = execa(options.file, options.args, {
    env: options.env ?? {},
    stdin: "ignore",
    all: true,
    buffer: false,
    reject: false,
  });
  const output = keepOutput(child.all, options.attachOutput === true);
  let isStopping = false;
  const ended = child.then((result) => result);
  // The wait for readiness observes the rejection; later ones are irrelevant.
  const unexpectedEnd = handledLater(
    ended.then((result): never => {
      const why =
        result.exitCode === undefined
          ? (result.shortMessage ?? "it exited")
          : `it exited with status ${String(result.exitCode)}`;
      throw new ControlPlaneStartError(options.name, isStopping ? "it was stopped" : why, { output: output() });
    }),
  );
  const stop = async (timeoutMs: number): Promise<void> => {
    isStopping = true;
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    if (await endsWithin(ended, timeoutMs)) return;
    child.kill("SIGKILL");
    await ended;
    throw new ControlPlaneStopError(options.name, timeoutMs);
  };
  return { name: options.name, unexpectedEnd, output, stop };
}

function keepOutput(stream: NodeJS.ReadableStream, isAttached: boolean): () => string {
  let kept = "";
  stream.on("data", (chunk: Buffer) => {
    kept = (kept + chunk.toString("utf8")).slice(-KEPT_OUTPUT_CHARACTERS);
    if (isAttached) process.stderr.write(chunk);
  });
  return () => kept;
}

async function endsWithin(ended: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  try {
    return await Promise.race([ended.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A running etcd. */
interface Etcd {
  readonly process: ManagedProcess;
  readonly url: string;
}

/** Starts etcd on free loopback ports and waits until it is healthy. Fails: {@link ControlPlaneStartError}. */
export async function startEtcd(options: {
  readonly file: string;
  readonly dataDirectory: string;
  /** Additional arguments; etcd uses the last of equal flags. */
  readonly extraArgs: readonly string[];
  readonly startTimeoutMs: number;
  readonly attachOutput?: boolean;
}): Promise<Etcd> {
  const [clientPort, peerPort] = await freePorts(2);
  const url = `http://127.0.0.1:${String(clientPort)}`;
  const peerUrl = `http://127.0.0.1:${String(peerPort)}`;
  const process = startProcess({
    name: "etcd",
    file: options.file,
    args: [
      `--data-dir=${options.dataDirectory}`,
      `--listen-client-urls=${url}`,
      `--advertise-client-urls=${url}`,
      `--listen-peer-urls=${peerUrl}`,
      `--initial-advertise-peer-urls=${peerUrl}`,
      `--initial-cluster=default=${peerUrl}`,
      "--unsafe-no-fsync",
      "--log-level=warn",
      ...options.extraArgs,
    ],
    attachOutput: options.attachOutput === true,
  });
  await waitUntilReady(
    process,
    async () => (await probeServer({ server: url }, "/health"))?.includes('"true"') === true,
    options.startTimeoutMs,
  );
  return { process, url };
}

/** Waits until a program is ready; fails with its output when it exits or the timeout expires. */
export async function waitUntilReady(
  process: ManagedProcess,
  isReady: () => Promise<boolean>,
  timeoutMs: number,
): Promise<void> {
  const ready = waitUntil(isReady, { what: `${process.name} to be ready`, timeoutMs, intervalMs: 50 });
  try {
    await Promise.race([ready, process.unexpectedEnd]);
  } catch (error) {
    await process.stop(timeoutMs).catch(() => undefined);
    if (error instanceof ControlPlaneStartError) throw error;
    throw new ControlPlaneStartError(process.name, "it was not ready in time", {
      output: process.output(),
      cause: error,
    });
  }
}

/**
 * Returns distinct free ports of a host.
 *
 * Another process may take a port before it is used, so callers retry with a new one.
 */
export async function freePorts(count: number, host = "127.0.0.1"): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  try {
    await Promise.all(
      servers.map(async (server) => {
        server.listen(0, host);
        await once(server, "listening");
      }),
    );
    return servers.map((server) => (server.address() as AddressInfo).port);
  } finally {
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}
