import { generateKeyPairSync } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";

import type { RestConfig } from "@kubescaffold/k8s";

import { probeServer } from "../eventually/wait-until.ts";
import { freePorts, type ManagedProcess, startProcess, waitUntilReady } from "./managed-process.ts";

const START_ATTEMPTS = 5;
const PORT_TAKEN = /address already in use/u;

/** Options of {@link startKubeApiServer}. */
export interface KubeApiServerOptions {
  /** The path of the binary. */
  readonly file: string;
  /** A folder for keys and certificates. */
  readonly directory: string;
  /** The URL of etcd. */
  readonly etcdUrl: string;
  /** The authorization mode. */
  readonly authorizationMode: "RBAC" | "AlwaysAllow";
  /** The token of the administrator. */
  readonly adminToken: string;
  /** The CA of client certificates as PEM text. Default: none. */
  readonly clientCa?: string;
  /** Additional arguments. */
  readonly extraArgs: readonly string[];
  /** Milliseconds that the server may take to start. */
  readonly startTimeoutMs: number;
  /** Prints the output on standard error. Default: false. */
  readonly attachOutput?: boolean;
}

/** A ready kube-apiserver. */
export interface KubeApiServer {
  /** The process. */
  readonly process: ManagedProcess;
  /** The config of a member of `system:masters`. */
  readonly config: RestConfig;
  /** The path of the CA that signed the server's certificate. */
  readonly caFile: string;
  /** The path of the key that signs service account tokens. */
  readonly serviceAccountKeyFile: string;
}

/** Starts a kube-apiserver on a free loopback port and waits until it is ready. Fails: ControlPlaneStartError. */
export async function startKubeApiServer(options: KubeApiServerOptions): Promise<KubeApiServer> {
  const serviceAccountKeyFile = await writeServiceAccountKey(options.directory);
  const tokenFile = path.join(options.directory, "tokens.csv");
  await writeFile(tokenFile, `${options.adminToken},admin,admin,"system:masters"\n`, { mode: 0o600 });
  const clientCaFile = options.clientCa === undefined ? undefined : path.join(options.directory, "client-ca.crt");
  if (clientCaFile !== undefined) await writeFile(clientCaFile, options.clientCa ?? "");
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryToStart(options, { serviceAccountKeyFile, tokenFile, clientCaFile });
    } catch (error) {
      const isPortTaken = error instanceof Error && PORT_TAKEN.test(error.message);
      if (!isPortTaken || attempt === START_ATTEMPTS) throw error;
    }
  }
}

interface Files {
  readonly serviceAccountKeyFile: string;
  readonly tokenFile: string;
  readonly clientCaFile: string | undefined;
}

async function tryToStart(options: KubeApiServerOptions, files: Files): Promise<KubeApiServer> {
  const [port = 0] = await freePorts(1);
  const process = startProcess({
    name: "kube-apiserver",
    file: options.file,
    args: [...serverArgs(options, files, port), ...options.extraArgs],
    attachOutput: options.attachOutput === true,
  });
  const caFile = path.join(options.directory, "apiserver.crt");
  const server = `https://127.0.0.1:${String(port)}`;
  const credentials = { kind: "token", token: options.adminToken } as const;
  let config: RestConfig = { server, credentials };
  const isReady = async (): Promise<boolean> => {
    const ca = await readFile(caFile, "utf8").catch(() => undefined);
    if (ca === undefined) return false;
    if (config.tls?.ca !== ca) config = { server, credentials, tls: { ca } };
    return (await probeServer(config, "/readyz")) === "ok";
  };
  await waitUntilReady(process, isReady, options.startTimeoutMs);
  return { process, config, caFile, serviceAccountKeyFile: files.serviceAccountKeyFile };
}

// The server creates its serving certificate in --cert-dir, for the bind address.
function serverArgs(options: KubeApiServerOptions, files: Files, port: number): readonly string[] {
  return [
    `--etcd-servers=${options.etcdUrl}`,
    "--bind-address=127.0.0.1",
    "--advertise-address=127.0.0.1",
    // The Service `kubernetes` cannot have a loopback address as its endpoint: older servers log that, and those since 1.37 refuse to start.
    "--endpoint-reconciler-type=none",
    `--secure-port=${String(port)}`,
    `--cert-dir=${options.directory}`,
    ...(files.clientCaFile === undefined ? [] : [`--client-ca-file=${files.clientCaFile}`]),
    `--token-auth-file=${files.tokenFile}`,
    `--authorization-mode=${options.authorizationMode}`,
    "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
    `--service-account-key-file=${files.serviceAccountKeyFile}`,
    `--service-account-signing-key-file=${files.serviceAccountKeyFile}`,
    "--service-cluster-ip-range=10.0.0.0/24",
    "--disable-admission-plugins=ServiceAccount",
    "--allow-privileged=true",
  ];
}

async function writeServiceAccountKey(directory: string): Promise<string> {
  const file = path.join(directory, "service-account.key");
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  await writeFile(file, privateKey.export({ type: "pkcs1", format: "pem" }), { mode: 0o600 });
  return file;
}
