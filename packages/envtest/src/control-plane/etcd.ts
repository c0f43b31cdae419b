import { ControlPlaneStartError } from "../errors.ts";
import { probeServer } from "../probe-server.ts";
import { waitUntil } from "../wait-until.ts";
import { freePorts } from "./free-port.ts";
import { startProcess, type ManagedProcess } from "./managed-process.ts";

/** What etcd needs to run. */
export interface EtcdOptions {
  readonly file: string;
  readonly dataDirectory: string;
  readonly startTimeoutMs: number;
  readonly attachOutput?: boolean;
}

/** An etcd that answers. */
export interface Etcd {
  readonly process: ManagedProcess;
  readonly url: string;
}

/** Starts an etcd on loopback ports of its own and waits until it is healthy. Fails: {@link ControlPlaneStartError}. */
export async function startEtcd(options: EtcdOptions): Promise<Etcd> {
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

/** Waits until a program is ready, or fails with its output as soon as it ends or is late. */
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
