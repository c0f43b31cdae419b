import path from "node:path";

import { readYamlDocuments } from "@kubescaffold/k8s/yaml";

import { errorWithoutPlace, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { CheckInput } from "../generator.ts";
import { asDefinition, type Definition } from "./definition.ts";

/** The CRDs of a former version, by their names, or why they cannot be read. */
export type FormerDefinitions =
  | { readonly kind: "definitions"; readonly definitions: ReadonlyMap<string, Definition> }
  | { readonly kind: "problem"; readonly diagnostic: Diagnostic };

interface FormerFile {
  readonly name: string;
  readonly text: string;
}

/** Reads the CRDs of a folder, a file, or a commit: `v1.2.0` has those of the output folder, `v1.2.0:config/crd/bases` those of another. */
export async function readFormerDefinitions(former: string, input: CheckInput): Promise<FormerDefinitions> {
  const { host, root } = input;
  const place = path.resolve(root, former);
  const kind = host.kindOf(place);
  if (kind === "file") return parse([{ name: former, text: host.readFile(place) ?? "" }], former);
  const files = kind === "directory" ? filesOf(place, input) : [];
  if (files.length > 0) return parse(files, former);
  // A folder of sources may be called like a tag, such as v1.
  const ofCommit = await readRevision(former, input);
  const isUnknown = ofCommit.kind === "problem" && ofCommit.diagnostic.code === "COMPAT_FORMER_MISSING";
  return kind === "directory" && isUnknown ? parse([], former) : ofCommit;
}

function filesOf(folder: string, { host }: CheckInput): readonly FormerFile[] {
  const names = (host.listDirectory(folder) ?? []).filter((each) => each.kind === "file").map((each) => each.name);
  return names.filter(isManifest).map((name) => ({ name, text: host.readFile(path.join(folder, name)) ?? "" }));
}

async function readRevision(former: string, { revisions, outputFolder }: CheckInput): Promise<FormerDefinitions> {
  const colon = former.indexOf(":");
  const revision = colon === -1 ? former : former.slice(0, colon);
  const folder = colon === -1 ? outputFolder : former.slice(colon + 1);
  if (folder === undefined) {
    const hint = `write compat=${revision}:config/crd/bases, with the folder of the CRDs in that commit`;
    return problem("COMPAT_NO_FOLDER", "cannot compare with a commit: the CRDs are not written to a folder", hint);
  }
  const read = await revisions?.readFolder(revision, folder);
  if (read?.kind === "files")
    return parse(
      read.files.filter(({ name }) => isManifest(name)),
      `${folder} at ${revision}`,
    );
  const reason = read === undefined ? "there is no folder of that name" : read.reason;
  const hint = "name a folder or file with CRDs, or a commit, branch or tag of git";
  return problem("COMPAT_FORMER_MISSING", `cannot compare with ${JSON.stringify(former)}: ${reason}`, hint);
}

function parse(files: readonly FormerFile[], what: string): FormerDefinitions {
  const definitions = new Map<string, Definition>();
  for (const { name, text } of files) {
    try {
      for (const document of readYamlDocuments(text)) {
        const definition = asDefinition(document);
        if (definition !== undefined) definitions.set(definition.metadata.name, definition);
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return problem(
        "COMPAT_FORMER_UNREADABLE",
        `cannot read ${name} of ${what}: ${reason}`,
        "correct the file, or name another former version",
      );
    }
  }
  if (definitions.size > 0) return { kind: "definitions", definitions };
  const hint = "name the folder that holds the CRDs, as files that end in .yaml, .yml or .json";
  return problem(
    "COMPAT_FORMER_EMPTY",
    `cannot compare: there is no CustomResourceDefinition of version v1 in ${what}`,
    hint,
  );
}

function isManifest(name: string): boolean {
  return /\.(?:ya?ml|json)$/u.test(name);
}

function problem(code: string, message: string, hint: string): FormerDefinitions {
  return { kind: "problem", diagnostic: errorWithoutPlace({ code, message, hint }) };
}
