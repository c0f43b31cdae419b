import path from "node:path";

import { canonicalJson, type Schema } from "@kubescaffold/generators/importer";
import { quotedText } from "@kubescaffold/generators/typescript";
import { readYaml } from "@kubescaffold/k8s/yaml";
import { isRecord } from "@kubescaffold/platform";

import { disableBlock, enableBlock } from "../../machinery/insertion-points.ts";
import { isDnsLabel } from "../../project/name-rules.ts";
import { textOf } from "../manifest-facts.ts";
import { withCurrentFields } from "../old-layouts.ts";
import type { NotMapped } from "../plan-project.ts";

/** The file that puts the manifests of a project together. */
export const KUSTOMIZATION = "config/default/kustomization.yaml";

/** The new project's text with the settings of the Go project, and what of them it cannot have. */
export interface KustomizeSettings {
  readonly text: string;
  readonly notMapped: readonly NotMapped[];
}

/** What the folders of `config/default` set by themselves. */
export interface FolderSettings {
  /** The namespace where `config/default` sets none. */
  readonly namespace: string;
  /** Prefixes of names, which replacements repeat. */
  readonly prefixes: readonly string[];
}

/** Gives `config/default` the namespace, the prefix and the parts that are switched on in the Go project. */
export function applyKustomizeSettings(
  own: string,
  go: string,
  folders: FolderSettings = { namespace: "", prefixes: [] },
): KustomizeSettings {
  const current = withCurrentFields(documentOf(go));
  const wanted = textOf(current["namespace"]) === "" ? { ...current, namespace: folders.namespace } : current;
  const notMapped: NotMapped[] = [];
  const report = (what: string): void =>
    void notMapped.push({ what: `${KUSTOMIZATION}: ${what}`, why: "the file has no such section; add it by hand" });
  let text = own;
  for (const key of ["namespace", "namePrefix"]) {
    const value = textOf(wanted[key]);
    if (value === "" || isDnsLabel(value.replace(/-$/u, ""))) text = withValue(text, key, value);
    else
      notMapped.push({
        what: `${KUSTOMIZATION}: ${key} ${quotedText(value)}`,
        why: "it is not a DNS label; it was omitted",
      });
  }
  text = switchEntries(text, {
    wanted: namesIn(wanted["resources"]).map((name) => ownPathOf(name, own)),
    found: (each) => namesIn(documentOf(each)["resources"]),
    blockOf: (name) => [`- ${name}`],
    report,
  });
  text = switchEntries(text, {
    wanted: patchesIn(wanted),
    found: (each) => patchesIn(documentOf(each)),
    blockOf: (name) => [`- path: ${name}`, "  target:", "    kind: Deployment"],
    report,
  });
  text = switchReplacements(text, { wanted, prefixes: folders.prefixes, report });
  for (const key of Object.keys(wanted).filter((each) => !KNOWN.has(each))) report(key);
  return { text, notMapped };
}

// A project may have the folders of the scaffold elsewhere, such as ../components/crd.
function ownPathOf(name: string, own: string): string {
  const entry = `- ../${path.posix.basename(name)}`;
  const isOwn = own.split("\n").some((line) => line === entry || line === `#${entry}`);
  return name.includes("/") && isOwn ? entry.slice("- ".length) : name;
}

const KNOWN = new Set(["apiVersion", "kind", "namespace", "namePrefix", "resources", "patches", "replacements"]);

/** Returns the object that a kustomization is; an empty one for anything else. */
export function documentOf(text: string, file: string = KUSTOMIZATION): Schema {
  const document: unknown = readYaml(text, { file });
  return isRecord(document) ? document : {};
}

function withValue(text: string, key: string, value: string): string {
  const line = new RegExp(`^${key}: .*$`, "mu");
  return text.replace(line, () => (value === "" ? `#${key}:` : `${key}: ${value}`));
}

function namesIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.map(String) : [];
}

function patchesIn({ patches }: Schema): readonly string[] {
  const list: readonly unknown[] = Array.isArray(patches) ? patches : [];
  return list.map((patch) =>
    isRecord(patch) && typeof patch["path"] === "string" ? patch["path"] : canonicalJson(patch),
  );
}

interface Switch {
  readonly wanted: readonly string[];
  readonly found: (text: string) => readonly string[];
  readonly blockOf: (name: string) => readonly string[];
  readonly report: (what: string) => void;
}

function switchEntries(text: string, { wanted, found, blockOf, report }: Switch): string {
  let result = text;
  for (const name of wanted.filter((each) => !found(text).includes(each))) {
    const next = enabled(result, blockOf(name));
    if (next === undefined) report(name);
    result = next ?? result;
  }
  for (const name of found(text).filter((each) => !wanted.includes(each))) {
    const next = disableBlock(result, { path: KUSTOMIZATION, lines: blockOf(name) });
    if (next === undefined) report(`without ${name}`);
    result = next ?? result;
  }
  return result;
}

interface Replacements {
  readonly wanted: Schema;
  readonly prefixes: readonly string[];
  readonly report: (what: string) => void;
}

function switchReplacements(text: string, { wanted, prefixes, report }: Replacements): string {
  const listed = (document: Schema): readonly unknown[] =>
    Array.isArray(document["replacements"]) ? document["replacements"] : [];
  const idOf = (replacement: unknown): string => canonicalJson(withoutPrefixes(replacement, prefixes));
  let result = text;
  for (const replacement of listed(wanted)) {
    const id = idOf(replacement);
    if (listed(documentOf(result)).some((each) => idOf(each) === id)) continue;
    const block = commentedReplacements(result).find((lines) => idOf(replacementIn(lines)) === id);
    const open = enabled(result, ["replacements:"]) ?? result;
    const next = block === undefined ? undefined : enabled(open, block);
    if (next === undefined) report(`the replacement ${summaryOf(replacement)}`);
    result = next ?? result;
  }
  return result;
}

// kustomize finds objects by the names that they have before and after a prefix.
function withoutPrefixes(replacement: unknown, prefixes: readonly string[]): unknown {
  if (!isRecord(replacement)) return replacement;
  const bare = (selector: unknown): unknown => {
    const name = isRecord(selector) ? textOf(selector["name"]) : "";
    const prefix = prefixes.find((each) => name.startsWith(each));
    return isRecord(selector) && prefix !== undefined ? { ...selector, name: name.slice(prefix.length) } : selector;
  };
  const targets = replacement["targets"];
  return {
    ...replacement,
    source: bare(replacement["source"]),
    ...(Array.isArray(targets)
      ? { targets: targets.map((each) => (isRecord(each) ? { ...each, select: bare(each["select"]) } : each)) }
      : {}),
  };
}

// The blocks that begin with `#- source:`, without their comment signs.
function commentedReplacements(text: string): readonly (readonly string[])[] {
  const blocks: string[][] = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("#- source:")) blocks.push([line.slice(1)]);
    else if (/^# {2}/u.test(line)) blocks.at(-1)?.push(line.slice(1));
  }
  return blocks;
}

function replacementIn(lines: readonly string[]): unknown {
  const list: unknown = readYaml(lines.join("\n"), { file: KUSTOMIZATION });
  return Array.isArray(list) ? list[0] : undefined;
}

function summaryOf(replacement: unknown): string {
  const source = isRecord(replacement) && isRecord(replacement["source"]) ? replacement["source"] : {};
  return `of ${textOf(source["fieldPath"])} of ${textOf(source["kind"])} ${textOf(source["name"])}`;
}

function enabled(text: string, lines: readonly string[]): string | undefined {
  try {
    return enableBlock(text, { path: KUSTOMIZATION, lines });
  } catch {
    return undefined;
  }
}
