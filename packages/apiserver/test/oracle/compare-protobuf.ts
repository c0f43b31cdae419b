// Compares our readers and writers of protocol buffers and of CBOR with Go's, and runs a Go program against the embedded server:
//   node scripts/protobuf-oracle.mjs
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

import { parseServerJson, printServerJson } from "@kubescaffold/k8s";
import type { PodTemplateSpec } from "@kubescaffold/k8s/core/v1";

import { templateText } from "../../../cluster/src/controllers/workload/template-hash/template-text.ts";
import { defaultRelease } from "../../src/release/release.ts";
import { createApiServer } from "../../src/server/create-api-server.ts";
import { cborDifferencesOf, differenceOfItem, variedItems } from "./cbor-case.ts";
import { differencesOf, type ProtobufCase } from "./protobuf-case.ts";
import { differenceOfMutant, type GoAnswer, mutantsOf } from "./protobuf-mutants.ts";

const [program = "", seed = "1", objects = "4", ...apiVersions] = process.argv.slice(2);
const MOST_OUTPUT = 2 ** 30;
const TIMES: ReadonlySet<string> = new Set(["creationTimestamp", "deletionTimestamp", "managedFields"]);

const cases = linesOf<ProtobufCase>(ask(["cases", seed, objects, ...apiVersions]));
const counts = [
  report("objects", cases.length, cases.flatMap(differencesOf)),
  compareMutants(),
  report("objects in CBOR", cases.length, cases.flatMap(cborDifferencesOf)),
  compareItems(),
  compareTemplates(),
  report("steps of a Go client", 1, await runGoClient()),
];
process.exit(cases.length > 0 && counts.every((count) => count === 0) ? 0 : 1);

function compareMutants(): number {
  const mutants = mutantsOf(
    cases.map(({ protobuf }) => Buffer.from(protobuf, "base64")),
    Number(seed),
  );
  const input = mutants.map((bytes) => bytes.toString("base64")).join("\n");
  const answers = linesOf<GoAnswer>(ask(["decode"], input));
  const found = mutants.flatMap((bytes, index) => differenceOfMutant(bytes, answers[index] ?? {}));
  return report("changed messages", answers.length, found);
}

// Data items of all types, and what is left of them after a change.
function compareItems(): number {
  const items = [...cases.map(({ cbor }) => Buffer.from(cbor, "base64")), ...variedItems()];
  const all = [...items, ...mutantsOf(items, Number(seed)), ...mutantsOf(items, Number(seed) + 1)];
  const answers = linesOf<GoAnswer>(ask(["cbor"], all.map((bytes) => bytes.toString("base64")).join("\n")));
  const found = all.flatMap((bytes, index) => differenceOfItem(bytes, answers[index] ?? {}));
  return report("data items", answers.length, found);
}

// The texts by whose hashes controllers name revisions.
function compareTemplates(): number {
  const templates = cases.flatMap(({ json }) => {
    const { spec } = withoutTimes(json) as { readonly spec?: { readonly template?: PodTemplateSpec } };
    return spec?.template?.spec?.containers === undefined ? [] : [spec.template];
  });
  const answers = linesOf<{ readonly text: string }>(
    ask(["templates"], templates.map((template) => printServerJson(template)).join("\n")),
  );
  const found = templates.filter((template, index) => templateText(template, defaultRelease) !== answers[index]?.text);
  return report(
    "pod templates",
    answers.length,
    found.map((template) => printServerJson(template)),
  );
}

// Servers set them, and templates have none.
function withoutTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !TIMES.has(key));
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutTimes(item)]));
}

// All of it in protocol buffers: objects, watches, informers, metadata, discovery, collections.
async function runGoClient(): Promise<readonly string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "kubescaffold-protobuf-"));
  const server = createApiServer();
  try {
    const { url } = await server.listen();
    const kubeconfig = path.join(folder, "kubeconfig.json");
    const cluster = { name: "c", cluster: { server: url } };
    const context = { name: "c", context: { cluster: "c", user: "" } };
    const config = { clusters: [cluster], contexts: [context], "current-context": "c" };
    writeFileSync(kubeconfig, JSON.stringify({ kind: "Config", apiVersion: "v1", ...config }));
    await promisify(execFile)(program, ["client", kubeconfig]);
    return [];
  } catch (error) {
    return [String((error as { stderr?: unknown }).stderr ?? error)];
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function ask(args: readonly string[], input: string = ""): string {
  return execFileSync(program, args, { input, encoding: "utf8", maxBuffer: MOST_OUTPUT });
}

function linesOf<Line>(text: string): readonly Line[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => parseServerJson(line) as Line);
}

function report(what: string, count: number, differences: readonly string[]): number {
  for (const difference of differences.slice(0, 20)) process.stdout.write(`${difference}\n`);
  process.stdout.write(`protobuf: ${String(count)} ${what}, ${String(differences.length)} differences\n`);
  return differences.length;
}
