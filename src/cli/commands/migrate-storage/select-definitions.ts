import type { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";
import { nearestName } from "@kubescaffold/platform";

import { crdNameOf } from "../../../project/resource-names.ts";
import { InputError } from "../../command/errors.ts";
import { projectIn } from "../../prompts/prompt-for-resource.ts";

/** A kind of the project. */
export interface ProjectKind {
  readonly kind: string;
  /** The name of its CRD. */
  readonly crd: string;
}

/** Returns the kinds with types in the project of a folder; none without a readable PROJECT file. */
export function projectKinds(folder: string): readonly ProjectKind[] {
  try {
    const project = projectIn(folder);
    const own = (project.resources ?? []).filter(({ api }) => api !== undefined);
    const kinds = own.map((resource): [string, ProjectKind] => {
      const crd = crdNameOf(project, resource);
      return [crd, { kind: resource.kind, crd }];
    });
    return [...new Map(kinds).values()];
  } catch {
    return [];
  }
}

/**
 * Returns the names of the CRDs of a cluster that words name; without words, those of the project's kinds.
 *
 * Fails: {@link InputError} for a word that names none or several, and without words and kinds.
 */
export function selectDefinitions(
  definitions: readonly CustomResourceDefinition[],
  words: readonly string[],
  ofProject: readonly ProjectKind[],
): readonly string[] {
  if (words.length > 0) return [...new Set(words.map((word) => namedBy(definitions, word, ofProject)))];
  if (ofProject.length === 0) {
    throw new InputError("cannot migrate the kinds of the project: there is no project here, or it has no kinds", {
      hint: "name the kinds: `scaffold migrate-storage guestbooks.webapp.example.com`",
    });
  }
  const missing = ofProject.find(({ crd }) => !definitions.some(({ metadata }) => metadata.name === crd));
  if (missing !== undefined) throw notThere(missing.crd);
  return ofProject.map(({ crd }) => crd);
}

function namedBy(
  definitions: readonly CustomResourceDefinition[],
  word: string,
  ofProject: readonly ProjectKind[],
): string {
  const found = definitions.filter((definition) => isNamed(definition, word.toLowerCase())).map(nameOf);
  const own = found.filter((name) => ofProject.some(({ crd }) => crd === name));
  const [name, ...others] = own.length === 1 ? own : found;
  if (name === undefined) throw notThere(word, nearestName(word.toLowerCase(), definitions.map(nameOf)));
  if (others.length === 0) return name;
  throw new InputError(`${word} is the name of several kinds: ${found.join(", ")}`, {
    hint: `pass the name of the CRD: ${name}`,
  });
}

function isNamed({ metadata, spec }: CustomResourceDefinition, word: string): boolean {
  const { kind, plural, singular = "", shortNames = [] } = spec.names;
  const short = [kind.toLowerCase(), plural, singular, ...shortNames];
  return metadata.name === word || short.some((name) => name === word || `${name}.${spec.group}` === word);
}

function nameOf({ metadata }: CustomResourceDefinition): string {
  return metadata.name ?? "";
}

function notThere(name: string, nearest?: string): InputError {
  return new InputError(`cannot find the CRD of ${name} in the cluster`, {
    hint: nearest === undefined ? "install the CRDs with `scaffold install`" : `did you mean ${nearest}?`,
  });
}
