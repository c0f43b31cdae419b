/*
 * Of the Acme lagoon office. All rights reserved.
 */

import process from "node:process";

import { logFlags, type ProgramFlag } from "@kubescaffold/runtime";

/** The flags of the manager, with the values they have unless given. */
const FLAGS = {
  "metrics-bind-address": {
    value: "0",
    help: 'address of the metrics endpoint, :8443 for HTTPS or :8080 for HTTP; "0" for none',
  },
  "metrics-secure": { value: true, help: "serves metrics over HTTPS, to those who may read them" },
  "metrics-cert-path": { value: "", help: "folder of the certificate of the metrics endpoint" },
  "metrics-cert-name": { value: "tls.crt", help: "file name of that certificate" },
  "metrics-cert-key": { value: "tls.key", help: "file name of its key" },
  "webhook-port": { value: 9443, help: "port of the webhook server" },
  "webhook-cert-path": { value: "", help: "folder of the certificate of the webhook server" },
  "webhook-cert-name": { value: "tls.crt", help: "file name of that certificate" },
  "webhook-cert-key": { value: "tls.key", help: "file name of its key" },
  "health-probe-bind-address": { value: ":8081", help: "address of the health and readiness endpoints" },
  "leader-elect": { value: false, help: "lets only one of several managers be active" },
  kubeconfig: { value: "", help: "file that says how to reach the cluster" },
  "enable-http2": {
    value: false,
    help: "known for the manifests that set it: metrics and webhooks speak HTTP/1.1 only",
  },
  ...logFlags,
};

type FlagName = keyof typeof FLAGS;
type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** The values of the flags, by their names in camel case. */
export type Flags = { readonly [Name in FlagName as CamelCase<Name>]: (typeof FLAGS)[Name]["value"] };

/** Reads the command line: `--name=value`, `--name value`, and `--name` alone for a switch. Prints help or the mistake and ends the program. */
export function parseFlags(args: readonly string[]): Flags {
  const values: Record<string, string | number | boolean> = {};
  for (const [name, flag] of Object.entries(FLAGS)) values[camelCase(name)] = flag.value;
  for (let index = 0; index < args.length; index += 1) {
    const match = /^--?(?<name>[a-z][a-z0-9-]*)(?:=(?<text>.*))?$/su.exec(args[index] ?? "");
    const name = match?.groups?.["name"] ?? "";
    if (name === "help" || name === "h") exitWithUsage(0);
    if (!isFlag(name)) exitWithUsage(2, `unknown flag: ${args[index] ?? ""}`);
    const flag: ProgramFlag<string | number | boolean> = FLAGS[name];
    let text = match?.groups?.["text"];
    if (text === undefined) text = typeof flag.value === "boolean" ? "true" : args[(index += 1)];
    values[camelCase(name)] = convert(name, flag, text);
  }
  return values as Flags;
}

function isFlag(name: string): name is FlagName {
  return Object.hasOwn(FLAGS, name);
}

function convert(
  name: string,
  { value, accepts = /^/u }: ProgramFlag<string | number | boolean>,
  text: string | undefined,
): string | number | boolean {
  if (text === undefined) return exitWithUsage(2, `flag needs a value: --${name}`);
  if (typeof value === "string") {
    if (accepts.test(text)) return text;
  } else if (typeof value === "boolean") {
    if (/^(?:true|t|1)$/iu.test(text)) return true;
    if (/^(?:false|f|0)$/iu.test(text)) return false;
  } else if (/^\d+$/u.test(text)) {
    return Number(text);
  }
  return exitWithUsage(2, `invalid value "${text}" for --${name}`);
}

function camelCase(name: string): string {
  return name.replaceAll(/-(?<letter>[a-z])/gu, (_, letter: string) => letter.toUpperCase());
}

function exitWithUsage(status: number, mistake?: string): never {
  const lines = Object.entries(FLAGS).map(([name, { value, help }]) => {
    return `  --${name}\n        ${help}${value === "" ? "" : ` (default ${JSON.stringify(value)})`}`;
  });
  const usage = `Usage of the manager:\n${lines.join("\n")}\n`;
  if (mistake === undefined) process.stdout.write(usage);
  else process.stderr.write(`${mistake}\n${usage}`);
  process.exit(status);
}
