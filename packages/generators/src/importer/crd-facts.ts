import { resourceNameOf } from "@kubescaffold/k8s";
import { asRecord, isRecord } from "@kubescaffold/platform";

import { InvalidCrdError } from "./errors.ts";
import { normalSchema, type Schema } from "./normal-form.ts";

/** What a CustomResourceDefinition says, in one form. */
export interface CrdFacts {
  /** Where it comes from, for messages. */
  readonly source: string;
  /** The API group. */
  readonly group: string;
  /** The kind. */
  readonly kind: string;
  /** The plural name. */
  readonly plural: string;
  /** The singular name. */
  readonly singular: string;
  /** The kind of lists. */
  readonly listKind: string;
  /** `Namespaced` or `Cluster`. */
  readonly scope: string;
  /** The short names. */
  readonly shortNames: readonly string[];
  /** The categories, such as `all`. */
  readonly categories: readonly string[];
  /** The labels of the definition. */
  readonly labels: Readonly<Record<string, string>>;
  /** The annotations of the definition. */
  readonly annotations: Readonly<Record<string, string>>;
  /** Whether a webhook converts between versions. */
  readonly convertsByWebhook: boolean;
  /** The versions, in order. */
  readonly versions: readonly CrdVersionFacts[];
}

/** What a CustomResourceDefinition says of one version. */
export interface CrdVersionFacts {
  /** The name, such as `v1`. */
  readonly name: string;
  /** Whether the API server serves the version. */
  readonly served: boolean;
  /** Whether objects are stored in the version. */
  readonly storage: boolean;
  /** Whether the version is deprecated. */
  readonly deprecated: boolean;
  /** The warning for clients of a deprecated version; empty for the default one. */
  readonly deprecationWarning: string;
  /** In normal form. */
  readonly schema: Schema;
  /** The columns of `kubectl get`. */
  readonly columns: readonly Schema[];
  /** The paths that field selectors may use. */
  readonly selectableFields: readonly string[];
  /** Whether the version has the status subresource. */
  readonly hasStatus: boolean;
  /** The paths of the scale subresource, if the version has one. */
  readonly scale: Readonly<Record<string, string>> | undefined;
}

/** Returns the CustomResourceDefinitions among the documents of a text, those in lists too. Fails: `InvalidCrdError`. */
export function readCrds(documents: readonly unknown[], source: string): readonly CrdFacts[] {
  return documents.flatMap((document): readonly CrdFacts[] => {
    if (!isRecord(document)) return [];
    const { kind, items } = document;
    if (typeof kind === "string" && kind.endsWith("List") && Array.isArray(items)) return readCrds(items, source);
    return kind === "CustomResourceDefinition" ? [readCrd(document, source)] : [];
  });
}

function readCrd(document: Schema, source: string): CrdFacts {
  const { apiVersion } = document;
  const name = textOf(asRecord(document["metadata"])["name"]);
  const place = name === "" ? source : `${name} of ${source}`;
  if (apiVersion !== "apiextensions.k8s.io/v1") {
    throw new InvalidCrdError(`cannot import ${place}: its apiVersion is ${JSON.stringify(apiVersion ?? "")}`, {
      hint: "convert it to apiextensions.k8s.io/v1; Kubernetes 1.22 and later support no other version",
    });
  }
  const spec = asRecord(document["spec"]);
  const names = asRecord(spec["names"]);
  const kind = needed(names["kind"], "spec.names.kind", place);
  const metadata = asRecord(document["metadata"]);
  const versions = Array.isArray(spec["versions"]) ? spec["versions"] : [];
  if (versions.length === 0) throw lacks("spec.versions", place);
  return {
    source,
    group: needed(spec["group"], "spec.group", place),
    kind,
    plural: textOf(names["plural"]) || resourceNameOf(kind),
    singular: textOf(names["singular"]) || kind.toLowerCase(),
    listKind: textOf(names["listKind"]) || `${kind}List`,
    scope: textOf(spec["scope"]) || "Namespaced",
    shortNames: textsOf(names["shortNames"]),
    categories: textsOf(names["categories"]),
    labels: textMapOf(metadata["labels"]),
    annotations: withoutToolNotes(textMapOf(metadata["annotations"])),
    convertsByWebhook: asRecord(spec["conversion"])["strategy"] === "Webhook",
    versions: versions.map((version: unknown) => readVersion(asRecord(version), place)),
  };
}

function readVersion(version: Schema, place: string): CrdVersionFacts {
  const name = needed(version["name"], "spec.versions[].name", place);
  const schema = asRecord(version["schema"])["openAPIV3Schema"];
  if (!isRecord(schema)) throw lacks(`schema of the version ${name}`, place);
  const subresources = asRecord(version["subresources"]);
  const columns = Array.isArray(version["additionalPrinterColumns"]) ? version["additionalPrinterColumns"] : [];
  const fields = Array.isArray(version["selectableFields"]) ? version["selectableFields"] : [];
  return {
    name,
    served: version["served"] === true,
    storage: version["storage"] === true,
    deprecated: version["deprecated"] === true,
    deprecationWarning: textOf(version["deprecationWarning"]),
    schema: normalSchema(schema),
    columns: columns.map((column: unknown) => readColumn(asRecord(column))),
    selectableFields: fields.map((field: unknown) => textOf(asRecord(field)["jsonPath"])),
    hasStatus: isRecord(subresources["status"]),
    scale: isRecord(subresources["scale"]) ? textMapOf(subresources["scale"]) : undefined,
  };
}

function readColumn(column: Schema): Schema {
  return Object.fromEntries(
    Object.entries(column).filter(([, value]) => value !== "" && value !== 0 && value !== null),
  );
}

// Who made the manifest is no fact about the kind.
function withoutToolNotes(annotations: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => !TOOL_NOTES.has(key)));
}

const TOOL_NOTES = new Set([
  "controller-gen.kubebuilder.io/version",
  "kubescaffold.dev/version",
  "kubectl.kubernetes.io/last-applied-configuration",
]);

function needed(value: unknown, what: string, place: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw lacks(what, place);
}

function lacks(what: string, place: string): InvalidCrdError {
  return new InvalidCrdError(`cannot import ${place}: it has no ${what}`, {
    hint: "use the original manifest of the project, or fix it",
  });
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function textMapOf(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(asRecord(value)).map(([key, each]) => [key, String(each)]));
}
