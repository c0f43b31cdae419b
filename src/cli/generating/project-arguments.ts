import { type GeneratorOptions, printGenerator } from "@kubescaffold/generators/arguments";
import type { Diagnostic } from "@kubescaffold/generators/diagnostics";

import type { FileTree } from "../../machinery/file-tree.ts";
import { BOILERPLATE_FILE } from "../../project/boilerplate-file.ts";
import { PROJECT_FILE } from "../../project/project-config.ts";
import { ProjectDocument } from "../../project/project-file.ts";
import { changeOptions, type OptionChanges, optionPath, readGeneratorOptions } from "./generator-options.ts";

const NO_CHANGES: OptionChanges = { added: {}, removed: [] };

/** The sources of a project. */
const SOURCES = "paths=./...";

/**
 * Returns the generators of a project's manifests with the options of PROJECT and of flags, as upstream's Makefile calls them.
 *
 * Fails: `ProjectInvalidError` for options in PROJECT that no generator has.
 */
export function manifestArguments(tree: FileTree, changes: OptionChanges = NO_CHANGES): readonly string[] {
  return manifestWords(optionsOf(tree, changes));
}

/** Returns the generators of a project's code with their options, and the sources it reads. Fails: as {@link manifestArguments}. */
export function schemaArguments(tree: FileTree, changes: OptionChanges = NO_CHANGES): readonly string[] {
  return [...codeWords(tree, optionsOf(tree, changes)), SOURCES];
}

/** Returns the comparison of a project's CRDs with an earlier version. Fails: as {@link manifestArguments}. */
export function compatArguments(tree: FileTree, changes: OptionChanges, compat: string): readonly string[] {
  return [printGenerator("crd", { ...optionsOf(tree, changes)["crd"], compat }), SOURCES, "output:none"];
}

/** Returns the generators of everything that is generated in a project, for one run over its sources. Fails: as {@link manifestArguments}. */
export function allArguments(tree: FileTree, changes: OptionChanges = NO_CHANGES): readonly string[] {
  const options = optionsOf(tree, changes);
  return [...codeWords(tree, options), ...manifestWords(options)];
}

/** Returns diagnostics with the place in PROJECT of the options that they are about. */
export function placeOptions(
  diagnostics: readonly Diagnostic[],
  { tree, args }: { readonly tree: FileTree; readonly args: readonly string[] },
): readonly Diagnostic[] {
  const isAboutOption = diagnostics.some((each) => each.file === "" && OPTIONS_OF.has(each.code));
  const isEdited = tree.actions().some((each) => each.path === PROJECT_FILE);
  const text = isAboutOption && !isEdited ? tree.read(PROJECT_FILE) : undefined;
  if (text === undefined) return diagnostics;
  const document = ProjectDocument.parse(text);
  const words = Object.entries(readGeneratorOptions(document)).flatMap(([name, options]) =>
    Object.entries(options).map(([option, value]) => ({
      name,
      option,
      word: printGenerator(name, { [option]: value }),
    })),
  );
  return diagnostics.map((each) => {
    const found = words.find(({ name, option, word }) => {
      const printed = word.slice(name.length + 1);
      return (
        option === OPTIONS_OF.get(each.code) && args.some((arg) => arg.startsWith(`${name}:`) && arg.includes(printed))
      );
    });
    if (each.file !== "" || found === undefined) return each;
    const place = document.placeOf(optionPath([found.name, found.option]));
    return { ...each, file: PROJECT_FILE, ...place };
  });
}

const OPTIONS_OF: ReadonlyMap<string, string> = new Map([
  ["CRD_RELAX_UNKNOWN", "relax"],
  ["GENERATE_CRD_VERSION", "crdVersions"],
  ["GENERATE_DESCRIPTIONS_FILE", "descriptionsFile"],
  ["GENERATE_HEADER_FILE", "headerFile"],
  ["COMPAT_FORMER_EMPTY", "compat"],
  ["COMPAT_FORMER_UNREADABLE", "compat"],
  ["COMPAT_FORMER_MISSING", "compat"],
]);

function manifestWords({ crd, rbac, webhook }: GeneratorOptions): readonly string[] {
  return [
    printGenerator("rbac", { roleName: "manager-role", ...rbac }),
    printGenerator("crd", crd),
    printGenerator("webhook", webhook),
    SOURCES,
    "output:crd:artifacts:config=config/crd/bases",
  ];
}

function codeWords(tree: FileTree, options: GeneratorOptions): readonly string[] {
  const header = tree.exists(BOILERPLATE_FILE)
    ? { headerFile: BOILERPLATE_FILE, year: String(new Date().getFullYear()) }
    : {};
  return ["object", "applyconfiguration", "conversion"].map((name) =>
    printGenerator(name, { ...header, ...options[name] }),
  );
}

function optionsOf(tree: FileTree, changes: OptionChanges): GeneratorOptions {
  const text = tree.read(PROJECT_FILE);
  const recorded = text === undefined ? {} : readGeneratorOptions(ProjectDocument.parse(text));
  return changeOptions(recorded, changes);
}
