import path from "node:path";

import type { KubernetesMinor } from "@kubescaffold/k8s";
import type { BuiltInApi } from "@kubescaffold/k8s/schemas";

import type { GeneratorInput } from "../contract/generator.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { readBuiltInUses } from "../loader/read-built-in-uses.ts";
import { checkFormats } from "./check-formats.ts";
import { checkPermissions } from "./check-permissions.ts";
import { checkWrittenUses } from "./check-written-values.ts";
import { loadApi, minorsFrom } from "./supported-apis.ts";

/** The sources of a run, and the oldest minor version of Kubernetes that the project supports. */
interface CheckedSources extends Pick<GeneratorInput, "model" | "marked" | "host" | "root" | "kubernetesVersion"> {
  /** The codes that are not reported. */
  readonly relaxed: ReadonlySet<string>;
}

/**
 * Finds what sources use of the built-in API, and what a supported minor version of Kubernetes lacks: types, fields, resources, verbs, and formats.
 *
 * Guarantees: a project for the newest minor version has no findings, and no table is loaded for it.
 */
export async function checkReleases(sources: CheckedSources): Promise<readonly Diagnostic[]> {
  const minors = minorsFrom(sources.kubernetesVersion);
  if (minors.length < 2) return [];
  const apis = await Promise.all(minors.map((minor: KubernetesMinor) => loadApi(minor)));
  const found = [
    ...checkPermissions(sources.marked, apis),
    ...checkFormats(sources.marked, minors),
    ...checkFiles(sources, apis),
  ];
  const texts = new Map<string, readonly string[]>();
  return found.filter((each) => !sources.relaxed.has(each.code) && !isRelaxed(each, sources, texts));
}

function checkFiles({ model, host, root }: CheckedSources, apis: readonly BuiltInApi[]): readonly Diagnostic[] {
  const files = model.packages.flatMap((each) => each.files).filter(({ isRoot }) => isRoot);
  return files.flatMap(({ path: file }) => {
    const text = host.readFile(path.resolve(root, file));
    return text === undefined ? [] : checkWrittenUses(readBuiltInUses(file, text), apis);
  });
}

// A comment in the line of a finding or in the one above; markers are not read within functions.
function isRelaxed(
  { code, file, line }: Diagnostic,
  { host, root }: CheckedSources,
  texts: Map<string, readonly string[]>,
): boolean {
  const lines = texts.get(file) ?? host.readFile(path.resolve(root, file))?.split(/\r?\n/u) ?? [];
  texts.set(file, lines);
  return [lines[line - 2], lines[line - 1]].some(
    (text = "") =>
      /\+kubescaffold:relax=(?<codes>[\w;,]+)/u.exec(text)?.groups?.["codes"]?.split(/[;,]/u).includes(code) === true,
  );
}
