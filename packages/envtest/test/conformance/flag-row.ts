import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";

import type { RestConfig } from "@kubescaffold/k8s";

import { startControlPlane } from "../../src/control-plane/control-plane.ts";
import { startKubeApiServerStandIn } from "../../src/kube-apiserver/server.ts";
import type { RowContext } from "./row.ts";
import type { ConformanceTarget } from "./target.ts";

const START_TIMEOUT_MS = 120_000;

/** A row about a server with flags, which has no controllers. */
export interface FlagRow {
  readonly row: number;
  /** A sentence about behavior. */
  readonly title: string;
  /** Writes files to the folder, and returns the flags that name them. */
  readonly flags: (folder: string) => Promise<readonly string[]>;
  readonly run: (context: RowContext, folder: string) => Promise<void>;
}

/** Starts the real kube-apiserver with flags. */
export async function startRealServer(flags: readonly string[]): Promise<ConformanceTarget> {
  const { apiServer, stop } = await startControlPlane({ apiServerArgs: flags, startTimeoutMs: START_TIMEOUT_MS });
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
    ...flags,
  ]);
  const ca = await readFile(path.join(folder, "apiserver.crt"), "utf8");
  return targetOf("embedded", { server: url, credentials: { kind: "token", token }, tls: { ca } }, stop);
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
