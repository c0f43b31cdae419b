import path from "node:path";

import type { Schema } from "@kubescaffold/generators/importer";
import { readYaml, readYamlDocuments } from "@kubescaffold/k8s/yaml";
import { isRecord } from "@kubescaffold/platform";

import type { FileTree } from "../../machinery/file-tree.ts";
import { disableBlock, insertAtMarker } from "../../machinery/insertion-points.ts";
import { textOf, textsOf } from "../manifest-facts.ts";
import type { NotMapped } from "../plan-project.ts";
import { documentOf, KUSTOMIZATION } from "./kustomize-settings.ts";

const CRDS = "config/crd/kustomization.yaml";

/**
 * Makes the kustomizations of an imported project refer to what the project has, after its manifests are generated.
 *
 * `config/crd` lists the generated CRDs. In `config/default`, folders and patches that do not exist, and replacements without an enabled source or
 * target, are switched off. Returns what was switched off.
 */
export function settleKustomizations(tree: FileTree): readonly NotMapped[] {
  listGeneratedCrds(tree);
  if (!tree.exists(KUSTOMIZATION)) return [];
  return [...switchOffMissing(tree), ...switchOffReplacements(tree)];
}

// PROJECT may lack a CRD, or record another plural than the CRD has.
function listGeneratedCrds(tree: FileTree): void {
  if (!tree.exists(CRDS)) return;
  const generated = tree
    .files()
    .flatMap((file) => /^config\/crd\/(?<name>bases\/[^/]+\.yaml)$/u.exec(file)?.groups?.["name"] ?? []);
  const listed = textsOf(documentOf(tree.read(CRDS) ?? "", CRDS)["resources"]);
  const stale = new Set(listed.filter((name) => name.startsWith("bases/") && !generated.includes(name)));
  tree.update(CRDS, (text) => {
    const kept = text.split("\n").filter((line) => !stale.has(line.replace(/^\s*- /u, "")));
    return generated
      .filter((name) => !listed.includes(name))
      .toSorted()
      .reduce(
        (content, name) =>
          insertAtMarker(content, { path: CRDS, marker: "crdkustomizeresource", lines: [`- ${name}`] }),
        kept.join("\n"),
      );
  });
}

function switchOffMissing(tree: FileTree): readonly NotMapped[] {
  const document = documentOf(tree.read(KUSTOMIZATION) ?? "");
  const patches = Array.isArray(document["patches"]) ? document["patches"] : [];
  const resources = textsOf(document["resources"]).filter(
    (name) => objectsAt(tree, beside(KUSTOMIZATION, name)) === undefined,
  );
  const files = patches
    .map((patch) => (isRecord(patch) ? textOf(patch["path"]) : ""))
    .filter((name) => name !== "" && !tree.exists(beside(KUSTOMIZATION, name)));
  const blocks = [
    ...resources.map((name) => ({ name, lines: [`- ${name}`] })),
    ...files.map((name) => ({ name, lines: [`- path: ${name}`, "  target:", "    kind: Deployment"] })),
  ];
  return blocks.flatMap(({ name, lines }) => {
    const text = disableBlock(tree.read(KUSTOMIZATION) ?? "", { path: KUSTOMIZATION, lines });
    if (text === undefined) return [];
    tree.update(KUSTOMIZATION, () => text);
    return [{ what: `${KUSTOMIZATION}: ${name}`, why: "the new project has no such file, so it was switched off" }];
  });
}

function switchOffReplacements(tree: FileTree): readonly NotMapped[] {
  const objects = objectsAt(tree, path.posix.dirname(KUSTOMIZATION)) ?? [];
  const lines = (tree.read(KUSTOMIZATION) ?? "").split("\n");
  return enabledReplacements(lines).flatMap((block): readonly NotMapped[] => {
    const replacement = replacementIn(block);
    const source = isRecord(replacement["source"]) ? replacement["source"] : {};
    const targets: readonly unknown[] = Array.isArray(replacement["targets"]) ? replacement["targets"] : [];
    const isSelected = (selector: unknown): boolean => objects.some((each) => selects(selector, each));
    const hasTarget = targets.some((target) => isRecord(target) && isSelected(target["select"]));
    if (isSelected(source) && hasTarget) return [];
    const text = disableBlock(tree.read(KUSTOMIZATION) ?? "", { path: KUSTOMIZATION, lines: block });
    if (text === undefined) return [];
    tree.update(KUSTOMIZATION, () => text);
    const what = `the replacement of ${textOf(source["fieldPath"])} of ${textOf(source["kind"])} ${textOf(source["name"])}`;
    return [{ what: `${KUSTOMIZATION}: ${what}`, why: "its source or its targets are switched off" }];
  });
}

/** Returns the blocks of lines that begin with `- source:` and are no comments. */
function enabledReplacements(lines: readonly string[]): readonly (readonly string[])[] {
  const blocks: string[][] = [];
  let current: string[] | undefined;
  for (const line of lines) {
    if (line.startsWith("- source:")) blocks.push((current = [line]));
    else if (/^ {2}/u.test(line)) current?.push(line);
    else if (!/^\s*(?:#|$)/u.test(line)) current = undefined;
  }
  return blocks;
}

function replacementIn(block: readonly string[]): Schema {
  const list: unknown = readYaml(block.join("\n"), { file: KUSTOMIZATION });
  const [replacement] = Array.isArray(list) ? list : [];
  return isRecord(replacement) ? replacement : {};
}

function selects(selector: unknown, { kind, name }: PlacedObject): boolean {
  if (!isRecord(selector)) return false;
  const [wantedKind, wantedName] = [textOf(selector["kind"]), textOf(selector["name"])];
  return (wantedKind === "" || wantedKind === kind) && (wantedName === "" || wantedName === name);
}

interface PlacedObject {
  readonly kind: string;
  readonly name: string;
}

/** Returns the objects of a file or of a kustomization, before their names get a prefix; nothing where there is neither. */
function objectsAt(tree: FileTree, place: string): readonly PlacedObject[] | undefined {
  const found: PlacedObject[] = [];
  const waiting = [place];
  const seen = new Set<string>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const kustomization = `${next}/kustomization.yaml`;
    if (tree.exists(kustomization)) {
      const { resources } = documentOf(tree.read(kustomization) ?? "", kustomization);
      waiting.push(...textsOf(resources).map((name) => beside(kustomization, name)));
    } else if (tree.exists(next)) found.push(...objectsIn(tree.read(next) ?? "", next));
    else if (next === place) return undefined;
  }
  return found;
}

function objectsIn(text: string, file: string): readonly PlacedObject[] {
  return readYamlDocuments(text, { file }).flatMap((document: unknown) => {
    if (!isRecord(document)) return [];
    const name = isRecord(document["metadata"]) ? textOf(document["metadata"]["name"]) : "";
    return [{ kind: textOf(document["kind"]), name }];
  });
}

function beside(file: string, name: string): string {
  return path.posix.join(path.posix.dirname(file), name);
}
