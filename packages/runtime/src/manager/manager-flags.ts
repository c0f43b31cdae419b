import process from "node:process";

import { logFlags, type LogFlagValues, type ProgramFlag } from "../log/log-flags.ts";
import type { ManagerOptions } from "./manager.ts";

type FlagValue = string | number | boolean;

/** Flags by their names on the command line. */
export type ProgramFlags = Readonly<Record<string, ProgramFlag<FlagValue>>>;

const PORT = /^(?:\d{1,4}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])$/u;

const MANAGER_FLAGS: ProgramFlags = {
  "metrics-bind-address": {
    value: "0",
    help: 'address of the metrics endpoint, :8443 for HTTPS or :8080 for HTTP; "0" for none',
  },
  "metrics-secure": { value: true, help: "serve metrics over HTTPS, with authentication and authorization" },
  "metrics-cert-path": { value: "", help: "folder of the metrics server's certificate" },
  "metrics-cert-name": { value: "tls.crt", help: "file name of the metrics server's certificate" },
  "metrics-cert-key": { value: "tls.key", help: "file name of the metrics server's key" },
  "webhook-host": { value: "", help: "host name or IP address of the webhook server; empty for all interfaces" },
  "webhook-port": { value: 9443, help: "port of the webhook server", accepts: PORT },
  "webhook-cert-path": { value: "", help: "folder of the webhook server's certificate" },
  "webhook-cert-name": { value: "tls.crt", help: "file name of the webhook server's certificate" },
  "webhook-cert-key": { value: "tls.key", help: "file name of the webhook server's key" },
  "health-probe-bind-address": { value: ":8081", help: "address of the health and readiness endpoints" },
  "leader-elect": { value: false, help: "enable leader election, so that only one manager is active" },
  kubeconfig: { value: "", help: "path of the kubeconfig file" },
  "enable-http2": {
    value: false,
    help: "ignored; accepted for compatibility: metrics and webhooks use only HTTP/1.1",
  },
  ...logFlags,
};

type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** Values of flags, by the flags' names in camel case. */
export type FlagValues<Flags> = {
  readonly [Name in keyof Flags & string as CamelCase<Name>]: Flags[Name] extends { readonly value: infer Value }
    ? Widened<Value>
    : never;
};

type Widened<Value> = Value extends boolean ? boolean : Value extends number ? number : string;

/** Values of the flags that every manager has. */
export interface ManagerFlags extends LogFlagValues {
  /** The value of `--metrics-bind-address`. */
  readonly metricsBindAddress: string;
  /** The value of `--metrics-secure`. */
  readonly metricsSecure: boolean;
  /** The value of `--metrics-cert-path`. */
  readonly metricsCertPath: string;
  /** The value of `--metrics-cert-name`. */
  readonly metricsCertName: string;
  /** The value of `--metrics-cert-key`. */
  readonly metricsCertKey: string;
  /** The value of `--webhook-host`. */
  readonly webhookHost: string;
  /** The value of `--webhook-port`. */
  readonly webhookPort: number;
  /** The value of `--webhook-cert-path`. */
  readonly webhookCertPath: string;
  /** The value of `--webhook-cert-name`. */
  readonly webhookCertName: string;
  /** The value of `--webhook-cert-key`. */
  readonly webhookCertKey: string;
  /** The value of `--health-probe-bind-address`. */
  readonly healthProbeBindAddress: string;
  /** The value of `--leader-elect`. */
  readonly leaderElect: boolean;
  /** The value of `--kubeconfig`. */
  readonly kubeconfig: string;
  /** The value of `--enable-http2`. */
  readonly enableHttp2: boolean;
}

/** Values of a manager's flags and of the program's own. */
export type ManagerFlagsWith<Own> = Omit<ManagerFlags, keyof FlagValues<Own>> & FlagValues<Own>;

/** The parts of a process that {@link managerFlags} uses. */
export interface FlagProcess {
  /** Receives the help text. */
  readonly stdout: { readonly write: (text: string) => unknown };
  /** Receives error messages. */
  readonly stderr: { readonly write: (text: string) => unknown };
  /** Exits the process with a status. */
  readonly exit: (status: number) => never;
}

/** Settings of {@link managerFlags}. */
export interface ManagerFlagsOptions<Own extends ProgramFlags> {
  /** Flags of the program's own; one with the name of a manager's flag replaces it. */
  readonly flags?: Own;
  /** Where help and errors go, and what ends the program; this process unless given. */
  readonly process?: FlagProcess;
}

/**
 * Parses the command line of a manager: `--name=value`, `--name value`, and `--name` alone for a switch.
 *
 * Prints help and exits with status 0 for `--help`; prints the error and the help, and exits with status 2, for a flag that is unknown or has
 * a value that it cannot have.
 *
 * @example
 * const flags = managerFlags(process.argv.slice(2), { flags: { "sync-period": { value: 60, help: "seconds between syncs" } } });
 * flags.leaderElect; // false
 * flags.syncPeriod; // 60
 */
export function managerFlags(argv: readonly string[], options?: { readonly process?: FlagProcess }): ManagerFlags;
export function managerFlags<Own extends ProgramFlags>(
  argv: readonly string[],
  options: ManagerFlagsOptions<Own>,
): ManagerFlagsWith<Own>;
export function managerFlags(argv: readonly string[], options: ManagerFlagsOptions<ProgramFlags> = {}): unknown {
  const flags: ProgramFlags = { ...MANAGER_FLAGS, ...options.flags };
  const parsed = parseFlags(argv, flags);
  if (parsed.kind === "values") return parsed.values;
  const program = options.process ?? process;
  if (parsed.kind === "help") {
    program.stdout.write(usageOf(flags));
    return program.exit(0);
  }
  program.stderr.write(`${parsed.message}\n${usageOf(flags)}`);
  return program.exit(2);
}

type Parsed =
  | { readonly kind: "values"; readonly values: Readonly<Record<string, FlagValue>> }
  | { readonly kind: "help" }
  | { readonly kind: "error"; readonly message: string };

function parseFlags(argv: readonly string[], flags: ProgramFlags): Parsed {
  const values = Object.fromEntries(Object.entries(flags).map(([name, { value }]) => [camelCase(name), value]));
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? "";
    const { name = "", text } = /^--?(?<name>[a-z][a-z0-9-]*)(?:=(?<text>.*))?$/su.exec(word)?.groups ?? {};
    const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
    if (flag === undefined) {
      if (name === "help" || name === "h") return { kind: "help" };
      return { kind: "error", message: `unknown flag: ${word}` };
    }
    const given = text ?? (typeof flag.value === "boolean" ? "true" : argv[(index += 1)]);
    if (given === undefined) return { kind: "error", message: `flag needs a value: --${name}` };
    const value = convert(flag, given);
    if (value === undefined) return { kind: "error", message: `invalid value "${given}" for --${name}` };
    values[camelCase(name)] = value;
  }
  return { kind: "values", values };
}

function convert({ value, accepts }: ProgramFlag<FlagValue>, text: string): FlagValue | undefined {
  if (accepts?.test(text) === false) return undefined;
  if (typeof value === "string") return text;
  if (typeof value === "boolean") {
    if (/^(?:true|t|1)$/iu.test(text)) return true;
    return /^(?:false|f|0)$/iu.test(text) ? false : undefined;
  }
  const number = Number(text);
  return /^\d+$/u.test(text) && Number.isSafeInteger(number) ? number : undefined;
}

function camelCase(name: string): string {
  return name.replaceAll(/-(?<letter>[a-z])/gu, (_, letter: string) => letter.toUpperCase());
}

function usageOf(flags: ProgramFlags): string {
  const lines = Object.entries(flags).map(
    ([name, { value, help }]) =>
      `  --${name}\n        ${help}${value === "" ? "" : ` (default ${JSON.stringify(value)})`}\n`,
  );
  return `Usage of the manager:\n${lines.join("")}`;
}

/**
 * Returns the options of a manager that its flags set: metrics, webhooks, health probes, and leader election.
 *
 * Metrics over HTTPS are served to authenticated users that RBAC allows to read them.
 */
export function managerOptionsOf(
  flags: ManagerFlags,
): Pick<ManagerOptions, "metrics" | "webhook" | "healthProbeBindAddress" | "leaderElection"> {
  return {
    metrics: {
      bindAddress: flags.metricsBindAddress,
      secureServing: flags.metricsSecure,
      ...(flags.metricsSecure ? { filter: "authentication-and-authorization" } : {}),
      ...certificateOf(flags.metricsCertPath, flags.metricsCertName, flags.metricsCertKey),
    },
    webhook: {
      ...(flags.webhookHost === "" ? {} : { host: flags.webhookHost }),
      port: flags.webhookPort,
      ...certificateOf(flags.webhookCertPath, flags.webhookCertName, flags.webhookCertKey),
    },
    healthProbeBindAddress: flags.healthProbeBindAddress,
    leaderElection: flags.leaderElect,
  };
}

function certificateOf(
  certDir: string,
  certName: string,
  keyName: string,
): { readonly certDir?: string; readonly certName?: string; readonly keyName?: string } {
  return certDir === "" ? {} : { certDir, certName, keyName };
}
