import { type ChildProcess, spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";

import type { ExecCredentialConfig, RestConfig } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";

import { ExecCredentialError } from "./errors.ts";
import { isHeaderValue, UNFIT_CHARACTER } from "./headers.ts";
import type { ClientCertificate } from "./wire.ts";

/** The output of an exec credential plugin. */
export interface ExecCredential {
  /** The bearer token. */
  readonly token: string | undefined;
  /** The client certificate. */
  readonly certificate: ClientCertificate | undefined;
  /** The expiry in milliseconds since 1970; undefined means that it never expires. */
  readonly expiresAt: number | undefined;
}

const API_VERSIONS = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"];

/**
 * Runs the exec credential plugin of a kubeconfig user and parses its output.
 *
 * Fails: {@link ExecCredentialError} when it cannot be started, exits with a status other than 0, or prints invalid output.
 *
 * client-go: plugin/pkg/client/auth/exec.Authenticator
 */
export async function runExecCredential(exec: ExecCredentialConfig, config: RestConfig): Promise<ExecCredential> {
  if (!API_VERSIONS.includes(exec.apiVersion)) {
    throw new ExecCredentialError(exec.command, {
      detail: `its apiVersion ${JSON.stringify(exec.apiVersion)} is not supported`,
      hint: `use ${API_VERSIONS.join(" or ")} in the kubeconfig`,
    });
  }
  const interactive = isInteractive(exec);
  const output = await run(exec, { interactive, info: execInfo(exec, { interactive, config }) });
  return readCredential(exec, output);
}

function isInteractive(exec: ExecCredentialConfig): boolean {
  if (exec.interactiveMode === "Always" && !process.stdin.isTTY) {
    throw new ExecCredentialError(exec.command, {
      detail: "it is interactive, and standard input is not a terminal",
      hint: "log in with it in a terminal first, or use other credentials",
    });
  }
  return exec.interactiveMode !== "Never" && process.stdin.isTTY;
}

function execInfo(
  exec: ExecCredentialConfig,
  { interactive, config }: { readonly interactive: boolean; readonly config: RestConfig },
): string {
  const cluster = exec.provideClusterInfo ? { cluster: clusterInfo(exec, config) } : {};
  return JSON.stringify({ kind: "ExecCredential", apiVersion: exec.apiVersion, spec: { ...cluster, interactive } });
}

function clusterInfo(exec: ExecCredentialConfig, config: RestConfig): Record<string, unknown> {
  const { ca, serverName, insecureSkipTlsVerify } = config.tls ?? {};
  return {
    server: config.server,
    ...(serverName === undefined ? {} : { "tls-server-name": serverName }),
    ...(insecureSkipTlsVerify === true ? { "insecure-skip-tls-verify": true } : {}),
    ...(ca === undefined ? {} : { "certificate-authority-data": Buffer.from(ca).toString("base64") }),
    ...(config.proxyUrl === undefined ? {} : { "proxy-url": config.proxyUrl }),
    ...(exec.clusterConfig === undefined ? {} : { config: exec.clusterConfig }),
  };
}

async function run(
  exec: ExecCredentialConfig,
  { interactive, info }: { readonly interactive: boolean; readonly info: string },
): Promise<string> {
  const extra = Object.fromEntries(exec.env.map(({ name, value }) => [name, value]));
  const child = start(exec, {
    stdin: interactive ? "inherit" : "ignore",
    env: { ...extra, KUBERNETES_EXEC_INFO: info },
  });
  const output = collect(child.stdout);
  const errors = collect(child.stderr, (text) => process.stderr.write(text));
  const end = await new Promise<string>((resolve, reject) => {
    child.once("error", (cause) => reject(startError(exec, cause)));
    child.once("close", (code, signal) => resolve(code === null ? String(signal) : String(code)));
  });
  if (end !== "0") {
    const said = errors().trim().slice(-2048);
    const detail = `it exited with ${end}${said === "" ? "" : `: ${said}`}`;
    throw new ExecCredentialError(exec.command, { detail, hint: installHintOf(exec) });
  }
  return output();
}

type Started = ChildProcess & { readonly stdout: NodeJS.ReadableStream; readonly stderr: NodeJS.ReadableStream };

function start(
  exec: ExecCredentialConfig,
  { stdin, env }: { readonly stdin: "inherit" | "ignore"; readonly env: Readonly<Record<string, string>> },
): Started {
  try {
    return spawn(exec.command, [...exec.args], {
      env: { ...process.env, ...env },
      stdio: [stdin, "pipe", "pipe"],
      windowsHide: true,
    });
  } catch (cause) {
    // Node throws for arguments with a NUL byte.
    throw startError(exec, cause as NodeJS.ErrnoException);
  }
}

// The kubeconfig may come from others, and the hint is printed on a terminal.
function installHintOf({ installHint }: ExecCredentialConfig): string | undefined {
  return installHint === undefined ? undefined : stripVTControlCharacters(installHint);
}

function collect(stream: NodeJS.ReadableStream, alsoTo?: (text: string) => void): () => string {
  let text = "";
  stream.setEncoding("utf8");
  stream.on("data", (piece: string) => {
    text += piece;
    alsoTo?.(piece);
  });
  return () => text;
}

function startError(exec: ExecCredentialConfig, cause: NodeJS.ErrnoException): ExecCredentialError {
  const isMissing = cause.code === "ENOENT";
  return new ExecCredentialError(exec.command, {
    detail: isMissing ? "no such program" : `it cannot be started: ${cause.message}`,
    hint: installHintOf(exec) ?? "install it, or add its folder to PATH",
    cause,
  });
}

function readCredential(exec: ExecCredentialConfig, output: string): ExecCredential {
  const fail = (detail: string): never => {
    throw new ExecCredentialError(exec.command, { detail });
  };
  const printed = parsePrinted(exec, output);
  if (printed["kind"] !== "ExecCredential" || printed["apiVersion"] !== exec.apiVersion) {
    return fail(
      `it printed ${String(printed["apiVersion"])} ${String(printed["kind"])} where ${exec.apiVersion} was expected`,
    );
  }
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = statusOf(exec, printed);
  if (!cert !== !key) {
    return fail("it printed only one of certificate and key");
  }
  if (!token && !cert) {
    return fail("it printed neither a token nor a certificate");
  }
  if (!isHeaderValue(token ?? "")) {
    return fail(`it printed a token with ${UNFIT_CHARACTER}`);
  }
  const expiresAt = expirationTimestamp === undefined ? undefined : Date.parse(expirationTimestamp);
  if (Number.isNaN(expiresAt)) {
    return fail(`it printed the expirationTimestamp ${JSON.stringify(expirationTimestamp)}, which is not a time`);
  }
  return {
    token: token || undefined,
    certificate: cert === undefined || key === undefined || cert === "" ? undefined : { cert, key },
    expiresAt,
  };
}

const STATUS_FIELDS = ["token", "clientCertificateData", "clientKeyData", "expirationTimestamp"] as const;

type PrintedStatus = { readonly [field in (typeof STATUS_FIELDS)[number]]?: string };

function statusOf(exec: ExecCredentialConfig, printed: Readonly<Record<string, unknown>>): PrintedStatus {
  const status = printed["status"] ?? {};
  const invalid = isRecord(status)
    ? STATUS_FIELDS.filter((field) => typeof (status[field] ?? "") !== "string")
    : ["status"];
  if (invalid.length > 0) {
    throw new ExecCredentialError(exec.command, { detail: `it printed an invalid ${invalid.join(", ")}` });
  }
  const entries = Object.entries(status).filter(([, value]) => value !== null);
  return Object.fromEntries(entries);
}

function parsePrinted(exec: ExecCredentialConfig, output: string): Readonly<Record<string, unknown>> {
  let printed: unknown;
  try {
    printed = JSON.parse(output);
  } catch (cause) {
    throw new ExecCredentialError(exec.command, { detail: "its output is not JSON", cause });
  }
  if (!isRecord(printed)) throw new ExecCredentialError(exec.command, { detail: "its output is not a JSON object" });
  return printed;
}
