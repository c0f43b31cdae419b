import { readYamlDocuments } from "@kubescaffold/k8s/yaml";
import { isRecord } from "@kubescaffold/platform";
import type { JsonSchema, KindScope } from "@kubescaffold/schema";

/** What a CRD defines. */
export interface Definition {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: KindScope;
  readonly versions: readonly DefinedVersion[];
}

/** A version of a CRD. */
export interface DefinedVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage?: boolean;
  readonly schema?: { readonly openAPIV3Schema?: JsonSchema };
  readonly subresources?: { readonly status?: object };
}

/** Returns the CRDs in a text. One that was broken by hand is left out: it is reported as what the sources do not generate. */
export function definitionsIn(text: string): readonly Definition[] {
  return readableDocuments(text).flatMap((document) => {
    if (!isDefinition(document)) return [];
    const { group, names, scope, versions } = document.spec;
    const { kind, plural } = names;
    return [{ group, kind, plural, scope, versions: versions.filter((each) => isRecord(each)) }];
  });
}

/** Returns the documents of a text. What is not YAML has none, and is reported separately. */
export function readableDocuments(text: string): readonly unknown[] {
  try {
    return readYamlDocuments(text);
  } catch {
    return [];
  }
}

function isDefinition(document: unknown): document is DefinitionManifest {
  if (!isRecord(document) || document["kind"] !== "CustomResourceDefinition") return false;
  const { spec } = document;
  return isRecord(spec) && isRecord(spec["names"]) && Array.isArray(spec["versions"]);
}

interface DefinitionManifest {
  readonly spec: Omit<Definition, "kind" | "plural"> & { readonly names: Pick<Definition, "kind" | "plural"> };
}
