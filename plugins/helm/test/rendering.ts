import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

import { resolveAsset } from "@kubescaffold/envtest";
import { readYamlDocuments } from "@kubescaffold/k8s/yaml";
import type { Manifest } from "kubescaffold/plugin";

import { ROOT } from "../../../test/architecture/source-files.ts";
import { runProgram } from "../../../test/support/run-program.ts";

/** The helm that `node scripts/pinned-go-tool.mjs helm` builds, or the one that KUBESCAFFOLD_HELM names; nothing where there is none. */
export const HELM: string | undefined = findHelm();
/** The kubectl of the control plane, or the one of the PATH; nothing where there is none. */
export const KUBECTL: string | undefined = await resolveAsset("kubectl").catch(() => undefined);

if (HELM === undefined)
  console.warn(
    "SKIPPED: charts were NOT rendered, since there is no helm; `node scripts/pinned-go-tool.mjs helm` builds it",
  );

function findHelm(): string | undefined {
  const version = /^\s*helm\.sh\/helm\/v4 (v\S+)/mu.exec(
    readFileSync(path.join(ROOT, "hack/helm/go.mod"), "utf8"),
  )?.[1];
  const cache = process.env["XDG_CACHE_HOME"] || path.join(homedir(), ".cache");
  const name = process.platform === "win32" ? "helm.exe" : "helm";
  const built = path.join(cache, "kubescaffold", "helm", version ?? "", name);
  return [process.env["KUBESCAFFOLD_HELM"], built].find((file) => file !== undefined && existsSync(file));
}

/** How a chart is rendered. */
export interface Rendering {
  readonly release?: string;
  readonly namespace?: string;
  /** Values, as `--set` takes them. */
  readonly set?: readonly string[];
}

/** What helm made of a chart. */
export interface Rendered {
  readonly status: number | undefined;
  readonly output: string;
  readonly objects: readonly Manifest[];
}

/** Renders the chart in a folder. */
export async function render(chart: string, rendering: Rendering = {}): Promise<Rendered> {
  const { release = "demo", namespace = "demo-system", set = [] } = rendering;
  const values = set.flatMap((each) => ["--set", each]);
  const args = ["template", release, chart, "--namespace", namespace, ...values];
  const { status, output } = await runProgram(HELM ?? "helm", args, { cwd: chart });
  return { status, output, objects: status === 0 ? documents(output) : [] };
}

/** Checks a chart as helm does. */
export async function lint(chart: string, set: readonly string[] = []): Promise<Pick<Rendered, "status" | "output">> {
  const values = set.flatMap((each) => ["--set", each]);
  return runProgram(HELM ?? "helm", ["lint", "--strict", chart, ...values], { cwd: chart });
}

/** Returns what kubectl's kustomize makes of a folder of a project. */
export async function kustomize(root: string, folder = "config/default"): Promise<readonly Manifest[]> {
  const { status, output } = await runProgram(KUBECTL ?? "kubectl", ["kustomize", folder], { cwd: root });
  if (status !== 0) throw new Error(output);
  return documents(output);
}

/** Returns the objects of a text by kind, namespace and name. Fails when two have the same. */
export function byKey(objects: readonly Manifest[]): Readonly<Record<string, Manifest>> {
  const keyed: Record<string, Manifest> = {};
  for (const each of objects) {
    const { name, namespace = "" } = each.metadata as { readonly name: string; readonly namespace?: string };
    const key = `${each.kind} ${namespace}/${name}`;
    if (key in keyed) throw new Error(`two objects are ${key}`);
    keyed[key] = each;
  }
  return keyed;
}

function documents(text: string): readonly Manifest[] {
  const all = readYamlDocuments(text, { file: "rendered" }) as readonly (Manifest | null)[];
  return all.filter((each): each is Manifest => each !== null && each !== undefined);
}
