import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";

import { createEmbeddedCluster } from "@kubescaffold/cluster";
import type { RestConfig } from "@kubescaffold/k8s";

import { startControlPlane } from "../../src/control-plane/control-plane.ts";
import { readOptions } from "../../src/kube-apiserver/read-options.ts";
import { startKubeApiServerStandIn } from "../../src/kube-apiserver/server.ts";
import type { RowContext } from "./row.ts";
import { selectedRelease } from "./selected-release.ts";
import type { ConformanceTarget } from "./target.ts";

const START_TIMEOUT_MS = 120_000;

/** A row about a server with flags. */
export interface FlagRow {
  readonly row: number;
  /** A sentence about behavior. */
  readonly title: string;
  /** Runs the controllers of kube-controller-manager. Default: false. */
  readonly hasControllers?: boolean;
  /** Writes files to the folder, and returns the flags that name them. */
  readonly flags: (folder: string) => Promise<readonly string[]>;
  readonly run: (context: RowContext, folder: string) => Promise<void>;
}

/** Starts the real kube-apiserver with flags, optionally with kube-controller-manager. */
export async function startRealServer(
  flags: readonly string[],
  controllerManager: boolean,
): Promise<ConformanceTarget> {
  const { apiServer, stop } = await startControlPlane({
    apiServerArgs: flags,
    controllerManager,
    startTimeoutMs: START_TIMEOUT_MS,
  });
  return targetOf("real", apiServer.config, stop);
}

/** Starts the embedded server with the same flags, those that the real one always has, and its files in the folder. */
export async function startStandIn(flags: readonly string[], folder: string): Promise<ConformanceTarget> {
  const token = randomBytes(16).toString("hex");
  const tokens = path.join(folder, "tokens.csv");
  await writeFile(tokens, `${token},admin,admin,"system:masters"\n`, { mode: 0o600 });
  const { url, stop } = await startKubeApiServerStandIn([
    "--secure-port=0",
    `--cert-dir=${folder}`,
    `--token-auth-file=${tokens}`,
    "--authorization-mode=RBAC",
    `--kubernetes=${selectedRelease().minor}`,
    ...flags,
  ]);
  const ca = await readFile(path.join(folder, "apiserver.crt"), "utf8");
  return targetOf("embedded", { server: url, credentials: { kind: "token", token }, tls: { ca } }, stop);
}

/** Starts an embedded cluster, which has controllers, with the options of the flags. */
export async function startCluster(flags: readonly string[]): Promise<ConformanceTarget> {
  const { cluster: options } = await readOptions([`--kubernetes=${selectedRelease().minor}`, ...flags]);
  const cluster = createEmbeddedCluster({ ...options, authorizationModes: ["RBAC"], lifecycleControllers: true });
  const { config } = await cluster.listen({ tls: true });
  return targetOf("embedded", config, async () => await cluster.close());
}

function targetOf(kind: ConformanceTarget["kind"], admin: RestConfig, stop: () => Promise<void>): ConformanceTarget {
  return {
    kind,
    admin,
    features: new Set(),
    user: async () => await Promise.reject(new TypeError("rows about flags impersonate users")),
    stop,
  };
}
