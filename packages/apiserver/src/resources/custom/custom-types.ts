import { printServerJson } from "@kubescaffold/k8s";
import type { JsonSchema } from "@kubescaffold/schema/values";

import type { Release } from "../../release/release.ts";
import { readAll } from "../fields.ts";
import {
  once,
  type ResourceType,
  type SubresourceType,
  type ColumnDefinition,
  type TableColumns,
} from "../registry.ts";
import { NAME, printAge } from "../table/columns.ts";
import { createConverter, type ConversionParts, type ConvertObjects } from "./convert-objects.ts";
import { hasCondition, type CrdObject, type CrdVersion, type CrdColumn } from "./crd-object.ts";
import { createCustomStrategy } from "./custom-strategy.ts";

const VERBS = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"] as const;
const VERBS_WHILE_TERMINATING = ["delete", "deletecollection", "get", "list", "watch"] as const;
const UNLISTED_WHILE_TERMINATING = ["patch", "create", "update"] as const;
const SUBRESOURCE_VERBS = ["get", "patch", "update"] as const;

const known = new WeakMap<CrdObject, readonly ResourceType[]>();

/** Returns the resource types that a CRD serves on a server of a release: one for each served version. */
export function customTypes(release: Release, crd: CrdObject, conversion: ConversionParts): readonly ResourceType[] {
  let types = known.get(crd);
  if (types === undefined) {
    const convert = createConverter(crd, conversion);
    types = crd.spec.versions
      .filter(({ served }) => served)
      .map((version) => customType(release, crd, { version, convert }));
    known.set(crd, types);
  }
  return types;
}

function customType(
  release: Release,
  crd: CrdObject,
  { version, convert }: { readonly version: CrdVersion; readonly convert: ConvertObjects | undefined },
): ResourceType {
  const { group, scope } = crd.spec;
  const names = { ...crd.spec.names, ...crd.status?.acceptedNames };
  const subresourceTypes = subresourcesOf(crd, version);
  const isTerminating = hasCondition(crd, "Terminating");
  const isDeleted = release.since("1.37") && crd.metadata.deletionTimestamp !== undefined;
  const warning = deprecationOf(crd, version);
  return {
    release,
    group,
    version: version.name,
    resource: names.plural,
    kind: names.kind,
    listKind: names.listKind ?? `${names.kind}List`,
    singular: names.singular ?? names.kind.toLowerCase(),
    isNamespaced: scope === "Namespaced",
    isCustom: true,
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    verbs: isTerminating ? VERBS_WHILE_TERMINATING : VERBS,
    subresources: subresourceTypes.map(({ name }) => name),
    subresourceTypes,
    storedAs: { group, resource: names.plural },
    strategy: once(() => createCustomStrategy(release, crd, { version, convert })),
    columns: once(() => Promise.resolve(customColumns(version))),
    schema: () => version.schema?.openAPIV3Schema,
    schemaIdentity: `${crd.metadata.uid ?? ""}/${crd.metadata.generation ?? 0}`,
    selectableFields: (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath.replace(/^\./u, "")),
    ...(warning === undefined ? {} : { deprecationWarning: warning }),
    ...(isTerminating ? { unlistedVerbs: UNLISTED_WHILE_TERMINATING } : {}),
    ...(isTerminating || isDeleted
      ? { createsRefusedFor: "create not allowed while custom resource definition is terminating" }
      : {}),
  };
}

function subresourcesOf({ spec }: CrdObject, version: CrdVersion): readonly SubresourceType[] {
  const { status, scale } = version.subresources ?? {};
  const own = { group: spec.group, version: version.name, kind: spec.names.kind, verbs: SUBRESOURCE_VERBS };
  const scaleKind = { group: "autoscaling", version: "v1", kind: "Scale", verbs: SUBRESOURCE_VERBS };
  return [
    ...(status === undefined ? [] : [{ name: "status", ...own }]),
    ...(scale === undefined ? [] : [{ name: "scale", ...scaleKind }]),
  ];
}

function deprecationOf({ spec }: CrdObject, version: CrdVersion): string | undefined {
  if (version.deprecated !== true) {
    return undefined;
  }
  const newer = spec.versions.find((other) => other.deprecated !== true && other.served);
  const advice = newer === undefined ? "" : `; use ${spec.group}/${newer.name} ${spec.names.kind}`;
  return version.deprecationWarning ?? `${spec.group}/${version.name} ${spec.names.kind} is deprecated${advice}`;
}

const AGE: CrdColumn = { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp", description: "" };

/** Returns the columns of a version of a custom resource. */
function customColumns({ additionalPrinterColumns }: CrdVersion): TableColumns {
  const columns =
    additionalPrinterColumns === undefined || additionalPrinterColumns.length === 0 ? [AGE] : additionalPrinterColumns;
  return {
    definitions: [NAME.definition, ...columns.map((entry) => definitionOf(entry))],
    cells: (object, nowMs) => [nameOf(object), ...columns.map((entry) => cellOf(entry, object, nowMs))],
  };
}

function definitionOf({
  name,
  type,
  format = "",
  description = "",
  priority = 0,
  jsonPath,
}: CrdColumn): ColumnDefinition {
  const text = description === "" ? `Custom resource definition column (in JSONPath format): ${jsonPath}` : description;
  return { name, type, format, priority, description: text };
}

function nameOf(object: { readonly [field: string]: unknown }): unknown {
  return (object["metadata"] as { readonly name?: string } | undefined)?.name;
}

function cellOf({ type, jsonPath }: CrdColumn, object: unknown, nowMs: number): unknown {
  const values = readAll(object, jsonPath);
  const [value] = values;
  if (value === undefined || value === null) {
    return null;
  }
  switch (type) {
    case "integer":
      if (typeof value === "bigint") return value;
      return typeof value === "number" ? Math.trunc(value) : null;
    case "number":
      return typeof value === "number" || typeof value === "bigint" ? Number(value) : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      return typeof value === "string" ? printAge(value, nowMs) : "<invalid>";
    default:
      return values.map((item) => (typeof item === "string" ? item : printServerJson(item))).join(" ");
  }
}

const OPEN: JsonSchema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const OBJECT_META: JsonSchema = { $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta" };
const TEXT: JsonSchema = { type: "string" };

const completed = new WeakMap<JsonSchema, JsonSchema>();

/** Returns the schema by which custom resources are merged: their own says nothing of what all objects have. */
export function mergedCustomSchema(schema: JsonSchema = OPEN): JsonSchema {
  let whole = completed.get(schema);
  if (whole === undefined) {
    whole = { ...schema, properties: { ...schema.properties, apiVersion: TEXT, kind: TEXT, metadata: OBJECT_META } };
    completed.set(schema, whole);
  }
  return whole;
}
