import type { FileTree } from "../machinery/file-tree.ts";
import {
  disableBlock,
  enableBlock,
  containsLines,
  type Fragment,
  hasMarker,
  insertAtMarker,
} from "../machinery/insertion-points.ts";
import { addTypeMarker } from "../machinery/type-markers.ts";
import type { Contributions } from "../plugin/contributions.ts";
import type { ProjectConfig, ProjectResource } from "../project/project-config.ts";
import { namesOf, typesFile } from "../project/resource-names.ts";

/** Something about a project that is not as it should be. */
export interface Finding {
  /** An error breaks the project or a later command; a note may be what the user wants. */
  readonly severity: "error" | "note";
  readonly path: string;
  /** Counted from 1. */
  readonly line?: number;
  readonly message: string;
  /** How a person fixes it. */
  readonly hint: string;
  /** Plans in the tree what fixes it, where that loses nothing. */
  readonly fix?: (tree: FileTree) => void;
}

/** What a project should hold by its PROJECT file. */
interface Expected {
  /** What `init` made: most of it is the user's to keep or to delete. */
  readonly foundation: Contributions;
  /** What APIs, controllers and webhooks made. */
  readonly parts: Contributions;
}

// Without these nothing builds or runs.
const VITAL = new Set(["cmd/main.ts", "package.json", "tsconfig.json", "config/default/kustomization.yaml"]);

/** Compares the files of a project with what its parts contribute, and returns what is missing. */
export function diagnoseFiles(tree: FileTree, { foundation, parts }: Expected): readonly Finding[] {
  return [
    ...missingFoundation(tree, foundation.files),
    ...missingFiles(tree, parts.files),
    ...missingMarkers(
      tree,
      [...foundation.files.values(), ...parts.files.values()],
      [...foundation.files.keys(), ...parts.files.keys()],
    ),
    ...missingLines(tree, parts.fragments),
    ...sleepingBlocks(tree, parts),
  ];
}

function missingFoundation(tree: FileTree, files: ReadonlyMap<string, string>): readonly Finding[] {
  return [...files.keys()]
    .filter((path) => !tree.exists(path))
    .map((path) =>
      VITAL.has(path)
        ? { severity: "error", path, message: "the file is missing", hint: "restore it from version control" }
        : { severity: "note", path, message: "the file does not exist", hint: "ignore this if you deleted it" },
    );
}

function missingFiles(tree: FileTree, files: ReadonlyMap<string, string>): readonly Finding[] {
  return [...files]
    .filter(([path]) => !tree.exists(path))
    .map(([path, content]) => ({
      severity: "error",
      path,
      message: "the file is missing, but PROJECT records it as scaffolded",
      hint: "restore it from version control, or run with --fix to scaffold it",
      fix: (fixed) => fixed.create(path, content, { ifExists: "skip" }),
    }));
}

function missingMarkers(tree: FileTree, contents: readonly string[], paths: readonly string[]): readonly Finding[] {
  return paths.flatMap((path, index) => {
    const present = tree.read(path);
    if (present === undefined) return [];
    return markersIn(contents[index] ?? "")
      .filter((marker) => !hasMarker(present, marker))
      .map((marker): Finding => ({
        severity: "error",
        path,
        message: `the insertion marker +kubebuilder:scaffold:${marker} is missing`,
        hint: "restore the comment at the place of insertion; commands that insert there fail without it",
      }));
  });
}

function markersIn(content: string): readonly string[] {
  return [...content.matchAll(/\+kubebuilder:scaffold:(?<name>[\w-]+)/gu)].map((match) => match.groups?.["name"] ?? "");
}

function missingLines(tree: FileTree, fragments: readonly Fragment[]): readonly Finding[] {
  // Versions of a kind share lines.
  const different = [...new Map(fragments.map((each) => [JSON.stringify(each), each])).values()];
  return different.flatMap((fragment): readonly Finding[] => {
    const present = tree.read(fragment.path);
    if (present === undefined || isThere(present, fragment.lines) || isReplaced(present, fragment, different))
      return [];
    const shown = fragment.lines.map((line) => `\n    ${line}`).join("");
    const canInsert = hasMarker(present, fragment.marker);
    return [
      {
        severity: "error",
        path: fragment.path,
        message: `these lines are missing:${shown}`,
        hint: canInsert
          ? "run with --fix to insert them"
          : `insert them, and the marker +kubebuilder:scaffold:${fragment.marker}`,
        ...(canInsert
          ? { fix: (fixed) => fixed.update(fragment.path, (content) => insertAtMarker(content, fragment)) }
          : {}),
      },
    ];
  });
}

// A registration may have been given more arguments, a class may have been filled in: each is there when what it names is.
function isThere(content: string, lines: readonly string[]): boolean {
  if (containsLines(content, lines)) return true;
  const declared = lines.map((line) => /^export class (?<name>\w+)/u.exec(line)?.groups?.["name"]);
  const name = declared.find((each) => each !== undefined);
  if (name !== undefined) return new RegExp(String.raw`\bclass ${name}\b`, "u").test(content);
  const names = lines.join("\n").match(/[A-Z][A-Za-z0-9]{3,}|(?<![\w.-])[\w.-]+(?:\/[\w.-]+)+/gu) ?? [];
  // What is only imported is not registered.
  const place = lines[0]?.startsWith("import ") === true ? content : content.replaceAll(IMPORT, "");
  return names.length > 0 && names.every((each) => place.includes(each));
}

const IMPORT = /^import\b[^;]*?\bfrom\s*["'][^"']+["'];?$/gmu;

const NAMED_IMPORT = /^import \{(?<names>[^}]*)\} from ["'](?<module>[^"']+)["'];?$/gmu;

// A function may register what the scaffolded class does, if it is from the same file and is called.
function isReplaced(content: string, { path, lines }: Fragment, fragments: readonly Fragment[]): boolean {
  const imported = fragments.filter((each) => each.path === path).flatMap((each) => importsIn(each.lines.join("\n")));
  const wanted = imported.find(({ name }) => new RegExp(String.raw`\b${name}\b`, "u").test(lines.join("\n")));
  const code = content.replaceAll(IMPORT, "");
  return importsIn(content).some(
    ({ name, module }) => module === wanted?.module && name !== wanted.name && code.includes(`${name}(`),
  );
}

function importsIn(text: string): readonly { readonly name: string; readonly module: string }[] {
  return [...text.matchAll(NAMED_IMPORT)].flatMap(({ groups: { names = "", module = "" } = {} }) =>
    names.split(",").map((each) => ({ name: each.trim().split(/\s+/u).at(-1) ?? "", module })),
  );
}

function sleepingBlocks(tree: FileTree, { blocks }: Contributions): readonly Finding[] {
  const asleep = blocks.filter(({ path, lines }) => {
    const present = tree.read(path);
    return present !== undefined && disableBlock(present, { path, lines }) === undefined;
  });
  const byText = new Map(asleep.map((block) => [JSON.stringify(block), block]));
  return [...byText.values()].map(({ path, lines }) => ({
    severity: "note",
    path,
    message: `the block \`${lines[0]?.trim() ?? ""}\` is not enabled`,
    hint: "ignore this if you disabled it, or run with --fix to enable it",
    fix: (fixed) => fixed.update(path, (content) => enableBlock(content, { path, lines })),
  }));
}

const MARKER = "+kubebuilder:ac:generate=true";

/** Compares what PROJECT says of server-side apply with the markers above the types. */
export function diagnoseApply(tree: FileTree, project: ProjectConfig): readonly Finding[] {
  return (project.resources ?? [])
    .filter((each) => each.api !== undefined)
    .flatMap((resource) => diagnoseKind(tree, { project, resource }));
}

function diagnoseKind(
  tree: FileTree,
  { project, resource }: { readonly project: ProjectConfig; readonly resource: ProjectResource },
): readonly Finding[] {
  const { apiFolder, kind } = namesOf(project, resource);
  const file = typesFile(project, resource);
  const text = tree.read(file);
  if (text === undefined) return [];
  const isAsked = [text, tree.read(`${apiFolder}/groupversion_info.ts`) ?? ""].some((each) => each.includes(MARKER));
  if (isAsked === (resource.api?.ssa === true)) return [];
  return [isAsked ? unrecorded(file, kind) : unmarked(file, kind)];
}

function unrecorded(path: string, kind: string): Finding {
  return {
    severity: "note",
    path,
    message: `${kind} is marked for server-side apply, but PROJECT does not record it`,
    hint: "add `ssa: true` to its api in PROJECT, so that the project can be regenerated, or remove the marker",
  };
}

function unmarked(path: string, kind: string): Finding {
  return {
    severity: "error",
    path,
    message: `PROJECT enables apply configurations for ${kind}, but its type has no marker`,
    hint: `put ${MARKER} above the type, remove \`ssa\` from PROJECT, or run with --fix`,
    fix: (tree) => tree.update(path, (text) => addTypeMarker(text, { type: kind, marker: MARKER }) ?? text),
  };
}

// Files of former scaffolds, and what does their work now.
const RETIRED: Readonly<Record<string, string>> = {
  "cmd/flags.ts": "managerFlags of @kubescaffold/runtime parses the flags of the manager",
  "hack/debug.mjs": "`scaffold debug` replaces it",
  "hack/deploy.mjs": "`scaffold deploy`, `undeploy`, `install`, `uninstall`, and `build-installer` replace it",
  "hack/docker-context.mjs": "`scaffold docker-context` does its work",
  "hack/docker.mjs": "`scaffold docker-build`, `docker-push`, and `docker-buildx` replace it",
  "hack/e2e.mjs": "`scaffold test-e2e`, `setup-test-e2e`, `cleanup-test-e2e`, and `install-kind` replace it",
};

const CALLERS = ["Makefile", "package.json"];

/** Looks for files of former scaffolds that commands and packages replaced, and for calls of scripts that no longer exist. */
export function diagnoseScripts(tree: FileTree): readonly Finding[] {
  const left = Object.entries(RETIRED).filter(([file]) => tree.exists(file));
  const missing = Object.keys(RETIRED).filter((file) => file.startsWith("hack/") && !tree.exists(file));
  return [
    ...left.map(([file, instead]): Finding => ({
      severity: "note",
      path: file,
      message: "new projects no longer have this file",
      hint: `${instead}: run \`npx kubescaffold alpha update\`, or delete the file once nothing uses it`,
    })),
    ...CALLERS.flatMap((caller) =>
      missing
        .filter((file) => tree.read(caller)?.includes(`node ${file}`) === true)
        .map((file): Finding => ({
          severity: "error",
          path: caller,
          message: `it runs ${file}, which does not exist`,
          hint: `${RETIRED[file] ?? ""}: call the command instead`,
        })),
    ),
  ];
}
