import { isJsonObject, type JsonSchema } from "@kubescaffold/schema";

/** A CustomResourceDefinition, as far as it is compared; it may come from any generator. */
export interface Definition {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: DefinitionNames;
    readonly preserveUnknownFields?: boolean;
    readonly versions: readonly DefinitionVersion[];
  };
  /** In a cluster, with the versions in which objects may be stored. */
  readonly status?: { readonly storedVersions?: readonly string[] };
}

interface DefinitionNames {
  readonly kind: string;
  readonly plural: string;
  readonly singular?: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

/** A version of a definition. */
export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema?: { readonly openAPIV3Schema?: JsonSchema };
  readonly subresources?: { readonly status?: unknown; readonly scale?: Readonly<Record<string, string>> };
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
  readonly additionalPrinterColumns?: readonly { readonly name: string; readonly priority?: number }[];
}

/** Returns a document as a definition of `apiextensions.k8s.io/v1`; undefined when it is something else. */
export function asDefinition(document: unknown): Definition | undefined {
  if (!isObject(document) || document["kind"] !== "CustomResourceDefinition") return undefined;
  const { apiVersion, metadata, spec } = document;
  const isWhole =
    apiVersion === "apiextensions.k8s.io/v1" &&
    isObject(metadata) &&
    isObject(spec) &&
    isObject(spec["names"]) &&
    Array.isArray(spec["versions"]);
  return isWhole ? (document as unknown as Definition) : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isJsonObject(value);
}
