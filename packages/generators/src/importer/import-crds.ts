import { quotedText } from "../typescript/literals.ts";
import type { CrdFacts } from "./crd-facts.ts";
import { InvalidCrdError, KindNameError } from "./errors.ts";
import { writeKindFile } from "./kind-file.ts";
import { canonicalJson } from "./normal-form.ts";
import { namesOfKinds } from "./type-names.ts";
import type { OverrideUse } from "./type-writer.ts";
import { createWellKnownTypes, type StructLookup } from "./well-known-types.ts";

/** What is imported, and how it is written. */
export interface ImportOptions {
  /** The definitions to import. */
  readonly crds: readonly CrdFacts[];
  /** Returns the folder of a group and version, relative to where the files go. */
  readonly folderOf: (group: string, version: string) => string;
  /** Returns the schema of a built-in struct by its name. */
  readonly structSchema: StructLookup;
  /** Whether types of `@kubescaffold/k8s` are used even though the texts of their properties get lost. */
  readonly losesTexts?: boolean;
  /** Whether generators are to leave the kinds alone, since another project owns their definitions. */
  readonly isExternal?: boolean;
  /** The comment at the top of each file, with an empty line behind it. */
  readonly header?: string;
}

/** A file of an import. */
export interface ImportedFile {
  /** The path, relative to where the files go. */
  readonly path: string;
  /** The text of the file. */
  readonly content: string;
  /** Whether the file has types, or the group and version. */
  readonly kind: "types" | "group";
}

/** A schema keyword that only the raw marker can say, and of which kind. */
export interface ImportOverride extends OverrideUse {
  /** The API group. */
  readonly group: string;
  /** The kind. */
  readonly kind: string;
  /** The version. */
  readonly version: string;
}

/** What an import writes. */
export interface ImportResult {
  /** The generated files. */
  readonly files: readonly ImportedFile[];
  /** The keywords that only the raw marker can express. */
  readonly overrides: readonly ImportOverride[];
  /** What the sources cannot say of the definitions. */
  readonly notes: readonly string[];
}

/**
 * Turns CustomResourceDefinitions into TypeScript sources from which the generator makes the same definitions again.
 *
 * Fails: `KindNameError`, `InvalidCrdError` for two definitions of one kind.
 */
export function importCrds(options: ImportOptions): ImportResult {
  const { folderOf, header = "", structSchema, losesTexts = false } = options;
  const crds = distinct(options.crds);
  const wellKnown = createWellKnownTypes({ structSchema, losesTexts });
  const files = new Map<string, ImportedFile>();
  const overrides: ImportOverride[] = [];
  const taken = takenNames(crds, folderOf);
  for (const crd of crds) {
    const { group, kind } = crd;
    if (!isTypeName(kind)) throw new KindNameError(kind, crd.source);
    for (const version of crd.versions) {
      const folder = folderOf(group, version.name);
      const groupPath = `${folder}/groupversion_info.ts`;
      files.set(groupPath, { path: groupPath, content: groupFile(options, group, version.name), kind: "group" });
      const written = writeKindFile({ crd, version, wellKnown, header, taken: taken.get(folder) ?? new Set() });
      const path = freePath(files, `${folder}/${kind.toLowerCase()}`);
      files.set(path, { path, content: written.content, kind: "types" });
      overrides.push(...written.overrides.map((use) => ({ ...use, group, kind, version: version.name })));
    }
  }
  return { files: [...files.values()], overrides, notes: crds.flatMap((crd) => notesOn(crd)) };
}

// Generators write one file for the types of a folder, as a Go package has one name for each.
function takenNames(crds: readonly CrdFacts[], folderOf: ImportOptions["folderOf"]): ReadonlyMap<string, Set<string>> {
  const kinds = new Map<string, string[]>();
  for (const { group, kind, versions } of crds) {
    for (const { name } of versions) {
      const folder = folderOf(group, name);
      kinds.set(folder, [...(kinds.get(folder) ?? []), kind]);
    }
  }
  return new Map([...kinds].map(([folder, names]) => [folder, namesOfKinds(names)]));
}

// The same definition from two places is one.
function distinct(crds: readonly CrdFacts[]): readonly CrdFacts[] {
  const seen = new Map<string, CrdFacts>();
  for (const crd of crds) {
    const name = `${crd.kind}.${crd.group}`;
    const before = seen.get(name);
    if (before === undefined) seen.set(name, crd);
    else if (canonicalJson({ ...before, source: "" }) !== canonicalJson({ ...crd, source: "" })) {
      throw new InvalidCrdError(
        `cannot import ${name} twice: its definitions in ${before.source} and in ${crd.source} differ`,
        { hint: "specify only one of the two, or choose kinds with --kind" },
      );
    }
  }
  return [...seen.values()];
}

const NO_TYPE_NAMES = new Set(
  (
    "any bigint boolean never null number object string symbol undefined unknown void break case catch class const continue debugger default " +
    "delete do else enum export extends false finally for function if import in instanceof new return super switch this throw true try typeof " +
    "var while with implements interface let package private protected public static yield await arguments eval"
  ).split(" "),
);

function isTypeName(kind: string): boolean {
  return /^[A-Za-z_]\w*$/u.test(kind) && !NO_TYPE_NAMES.has(kind);
}

// Kinds that differ only in their capitals need files that differ in more.
function freePath(files: ReadonlyMap<string, ImportedFile>, stem: string): string {
  let path = `${stem}_types.ts`;
  for (let number = 2; files.has(path); number += 1) path = `${stem}${number}_types.ts`;
  return path;
}

function groupFile({ header = "", isExternal = false }: ImportOptions, group: string, version: string): string {
  return [
    `${header}// Package ${version} holds the API of the group ${group}.`,
    "// +kubebuilder:object:generate=true",
    `// +groupName=${group}`,
    ...(isExternal ? ["// +kubebuilder:skip"] : []),
    'import type { GroupVersion as ApiGroupVersion } from "@kubescaffold/k8s";',
    "",
    "/** GroupVersion is the group and the version of the kinds in this folder. */",
    `export const GroupVersion: ApiGroupVersion = { group: ${quotedText(group)}, version: ${quotedText(version)} };`,
    "",
  ].join("\n");
}

function notesOn({ kind, listKind, group, convertsByWebhook }: CrdFacts): readonly string[] {
  const name = `${kind}.${group}`;
  return [
    ...(convertsByWebhook
      ? [`${name} has a conversion webhook, which the types do not express: keep that part of the CRD`]
      : []),
    ...(listKind === `${kind}List` ? [] : [`${name} has the list kind ${listKind}, which the types do not express`]),
  ];
}
