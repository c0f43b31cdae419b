import { apiVersionOf, groupKindToString, type JSONValue } from "@kubescaffold/k8s";
import type { BuiltInApi } from "@kubescaffold/k8s/schemas";
import {
  typedError,
  type FieldNode,
  type FieldSet,
  type OwnershipOptions,
  withoutBelow,
} from "@kubescaffold/schema/patches";
import { resolveSchema, type JsonObject, type JsonSchema, type SchemaOptions } from "@kubescaffold/schema/values";

import { builtInJsonSchema, publishedResolver } from "../../resources/built-in/built-in-json-schema.ts";
import { mergedCustomSchema } from "../../resources/custom/custom-types.ts";
import type { ResourceType } from "../../resources/registry.ts";

/** Facts about a kind whose objects are merged. */
export type MergedType = Pick<ResourceType, "release" | "group" | "version" | "kind" | "schema" | "subresourceTypes">;

/** Returns by which schema the objects of a resource are merged, and which fields requests to a resource or subresource cannot own. */
export function mergeOptionsOf(type: MergedType, subresource: string): OwnershipOptions {
  if (type.schema !== undefined) return newOptions(type, subresource, mergedCustomSchema(type.schema()));
  const known = builtInOptions.get(type)?.get(subresource);
  if (known !== undefined) return known;
  const options = newOptions(type, subresource, builtInJsonSchema(type.release.api, type).schema);
  const bySubresource = builtInOptions.get(type) ?? new Map<string, OwnershipOptions>();
  builtInOptions.set(type, bySubresource.set(subresource, options));
  return options;
}

const builtInOptions = new WeakMap<MergedType, Map<string, OwnershipOptions>>();

function newOptions(type: MergedType, subresource: string, schema: JsonSchema): OwnershipOptions {
  return { schema, resolve: publishedResolver(type.release.api), filter: filterOf(type, subresource) };
}

/**
 * Returns why the values of a stored or written object cannot be merged; undefined when they can be.
 *
 * A custom resource may have been stored by an earlier schema of its definition, and lists of built-in kinds may have elements without their keys.
 */
export function untypedProblem(type: MergedType, object: JsonObject): string | undefined {
  const { schema, resolve } = mergeOptionsOf(type, "");
  return typedError(object, schema, { resolve, allowsDuplicates: true });
}

/** Fields of a resource or a subresource that its requests cannot own, where they differ from the usual ones. */
const RESET: Readonly<Record<string, readonly string[]>> = {
  "APIService.apiregistration.k8s.io/status": ["metadata", "spec"],
  "CertificateSigningRequest.certificates.k8s.io/": ["spec", "status"],
  "CertificateSigningRequest.certificates.k8s.io/approval": ["spec", "status.certificate"],
  "CertificateSigningRequest.certificates.k8s.io/status": ["spec", "status.conditions"],
  "Deployment.apps/status": ["spec", "metadata.labels"],
  "FlowSchema.flowcontrol.apiserver.k8s.io/status": ["metadata", "spec"],
  "Namespace/finalize": ["status"],
  "Pod/status": ["spec", "metadata.deletionTimestamp", "metadata.ownerReferences"],
  "PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io/status": ["metadata", "spec"],
  "ResourceClaim.resource.k8s.io/status": ["metadata", "spec"],
  "CSINode.storage.k8s.io/status": ["metadata", "spec"],
  "ValidatingAdmissionPolicy.admissionregistration.k8s.io/status": ["metadata", "spec"],
  "VolumeAttachment.storage.k8s.io/status": ["metadata", "spec"],
};

// Until 1.35, upstream states them for a group that does not exist.
const RESET_RANGES: Readonly<Record<string, readonly string[]>> = {
  "ServiceCIDR.networking.k8s.io/": ["status"],
  "ServiceCIDR.networking.k8s.io/status": ["metadata", "spec"],
};

const RESET_OF_DEFINITIONS = "CustomResourceDefinition.apiextensions.k8s.io/status";

function resetFieldsOf(place: string, { release }: MergedType): readonly string[] | undefined {
  if (place === RESET_OF_DEFINITIONS) return release.since("1.36") ? ["spec"] : ["metadata", "spec"];
  if (RESET_RANGES[place] === undefined) return RESET[place];
  return release.isEnabled("ServiceCIDRStatusFieldWiping") ? RESET_RANGES[place] : [];
}

/** The only fields that requests to a subresource can own. */
const INCLUDED: Readonly<Record<string, FieldFilter>> = {
  "Pod/ephemeralcontainers": (set) => pick(set, ["f:spec", "f:ephemeralContainers"]),
  "Pod/resize": (set) => pickContainerFields(set),
};

type FieldFilter = (set: FieldSet) => FieldSet;

const filters = new Map<string, FieldFilter>();

function filterOf(type: MergedType, subresource: string): FieldFilter {
  const place = `${groupKindToString(type)}/${subresource}`;
  const included = INCLUDED[place];
  if (included !== undefined) return included;
  const hasStatus = type.subresourceTypes.some(({ name }) => name === "status");
  const ofStatus = type.schema !== undefined && type.release.since("1.36") ? ["metadata", "spec"] : ["spec"];
  const usual = subresource === "status" ? ofStatus : subresource === "" && hasStatus ? ["status"] : [];
  const paths = (type.schema === undefined ? resetFieldsOf(place, type) : undefined) ?? usual;
  if (paths.length === 0) return (set) => set;
  const key = paths.join(",");
  let filter = filters.get(key);
  if (filter === undefined) {
    const reset = setOfPaths(paths);
    filter = (set) => (set.size === 0 ? set : withoutBelow(set, reset));
    filters.set(key, filter);
  }
  return filter;
}

const WHOLE: FieldNode = { isMember: true, children: new Map() };

function setOfPaths(paths: readonly string[]): FieldSet {
  const set = new Map<string, FieldNode>();
  for (const path of paths) {
    const [first = "", second] = path.split(".");
    const children = new Map(set.get(`f:${first}`)?.children);
    if (second !== undefined) children.set(`f:${second}`, WHOLE);
    set.set(`f:${first}`, second === undefined ? WHOLE : { isMember: false, children });
  }
  return set;
}

function pick(set: FieldSet, [first = "", ...rest]: readonly string[]): FieldSet {
  const node = set.get(first);
  if (node === undefined) return new Map();
  if (rest.length === 0) return new Map([[first, node]]);
  const children = pick(node.children, rest);
  return children.size === 0 ? children : new Map([[first, { isMember: false, children }]]);
}

const RESIZED: readonly string[] = ["f:resources", "f:resizePolicy"];

function pickContainerFields(set: FieldSet): FieldSet {
  const spec = set.get("f:spec")?.children;
  const lists = ["f:containers", "f:initContainers"].flatMap((name): readonly (readonly [string, FieldNode])[] => {
    const containers = [...(spec?.get(name)?.children ?? [])].flatMap(([element, { children }]) => {
      const kept = [...children].filter(([field]) => RESIZED.includes(field));
      return kept.length === 0 ? [] : [[element, { isMember: false, children: new Map(kept) }] as const];
    });
    return containers.length === 0 ? [] : [[name, { isMember: false, children: new Map(containers) }]];
  });
  return lists.length === 0 ? new Map() : new Map([["f:spec", { isMember: false, children: new Map(lists) }]]);
}

const empties = new WeakMap<BuiltInApi, Map<string, JsonObject>>();

/** Returns the object of a kind without any content: that of a built-in kind has the fields that Go never leaves out. */
export function emptyObjectOf(type: MergedType): JsonObject {
  const apiVersion = apiVersionOf(type);
  if (type.schema !== undefined) return { apiVersion, kind: type.kind };
  const { api } = type.release;
  const known = empties.get(api) ?? new Map<string, JsonObject>();
  empties.set(api, known);
  const key = `${apiVersion}/${type.kind}`;
  let empty = known.get(key);
  if (empty === undefined) {
    const { schema, resolve } = builtInJsonSchema(api, type);
    empty = { ...emptyOf(schema, { resolve }), apiVersion, kind: type.kind };
    known.set(key, empty);
  }
  return empty;
}

function emptyOf(unresolved: JsonSchema, options: SchemaOptions): JsonObject {
  const { required, properties = {} } = resolveSchema(unresolved, options);
  const fields = Object.entries(properties).flatMap(([name, property]): readonly (readonly [string, JSONValue])[] => {
    const { default: value, type, format } = resolveSchema(property, options);
    if (format === "date-time") return [[name, null]];
    if (typeof value === "object" && value !== null) return [[name, emptyOf(property, options)]];
    if (value === "" || value === 0 || value === false) return [[name, value]];
    return required?.includes(name) === true && (type === "array" || type === "object") ? [[name, null]] : [];
  });
  return Object.fromEntries(fields);
}
