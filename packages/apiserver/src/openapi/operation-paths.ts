import type { GroupVersion, GroupVersionKind } from "@kubescaffold/k8s";
import type { BuiltInApi } from "@kubescaffold/k8s/schemas";
import type { JsonObject } from "@kubescaffold/schema/values";

import type { ResourceType } from "../resources/registry.ts";
import { answerTypes, DOCUMENT_TYPES, requestTypes } from "./media-types.ts";
import { pathParameters, queryParameters } from "./operation-parameters.ts";
import { type PathOperation, pathItem } from "./path-item.ts";
import { META, REFERENCE } from "./references.ts";
import {
  type Action,
  groupTitle,
  groupVersionPath,
  operationsOf,
  type ResourceOperation,
  versionTitle,
} from "./resource-operations.ts";

/** Returns the paths of a group-version with their operations: the list of its resources, and its resources. */
export function pathsOf(groupVersion: GroupVersion, types: readonly ResourceType[]): JsonObject {
  const paths = new Map<string, PathOperation[]>();
  for (const type of types) {
    for (const each of operationsOf(type)) {
      const { path, method, action } = each;
      const parameters = [...pathParameters(path, action !== "connect"), ...queryParameters(path, action, type)];
      const known = paths.get(path) ?? [];
      paths.set(path, [...known, { method, parameters, operation: resourceOperation(each, type) }]);
    }
  }
  const isBuiltIn = types.some(({ isCustom }) => !isCustom);
  const list = isBuiltIn ? { [`${groupVersionPath(groupVersion)}/`]: resourceList(groupVersion) } : {};
  return { ...list, ...Object.fromEntries([...paths].map(([path, operations]) => [path, pathItem(operations)])) };
}

/** Returns the name of the schema of a kind in its document, given the built-in API. */
export function schemaNameOf(api: BuiltInApi, gvk: GroupVersionKind): string {
  return api.definitionNameOf(gvk) ?? `${gvk.group.split(".").toReversed().join(".")}.${gvk.version}.${gvk.kind}`;
}

/** Returns an operation that only reads a document: of a group, of the version, or another one. */
export function documentOperation(operation: {
  readonly id: string;
  readonly tag: string;
  /** Those of documents about the server if absent. */
  readonly mediaTypes?: readonly string[];
  /** A text if absent. */
  readonly schema?: string;
}): JsonObject {
  const { id, tag, mediaTypes = DOCUMENT_TYPES, schema } = operation;
  return {
    operationId: id,
    tags: [tag],
    responses: responses({ "200": "OK" }, schema === undefined ? TEXT : { $ref: REFERENCE + schema }, mediaTypes),
  };
}

/** Returns the tag of the operations of a group or group-version, such as `rbacAuthorization_v1`. */
export function tagOf(group: string, version?: string): string {
  const name = groupTitle(group);
  const tag = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  return version === undefined ? tag : `${tag}_${version}`;
}

function resourceList({ group, version }: GroupVersion): JsonObject {
  const id = `get${versionTitle({ group, version })}APIResources`;
  return { get: documentOperation({ id, tag: tagOf(group, version), schema: `${META}.APIResourceList` }) };
}

function resourceOperation(operation: ResourceOperation, type: ResourceType): JsonObject {
  const { path, action, id, gvk } = operation;
  const body = bodyOf(operation, type);
  const { group, version, kind } = type.isCustom ? type : gvk;
  return {
    "x-kubernetes-action": action,
    "x-kubernetes-group-version-kind": { group, version, kind },
    operationId: id,
    tags: [tagOf(type.group, type.version)],
    ...(body === undefined ? {} : { requestBody: body }),
    responses: responses(
      codesOf(action, type),
      answerSchema(operation, type),
      answerTypes(action, path.endsWith("/log"), type.isCustom),
    ),
  };
}

// Custom resources are not said to be created by an apply.
function codesOf(action: Action, { isCustom }: ResourceType): Readonly<Record<string, string>> {
  return action === "patch" && isCustom ? OK : (CODES[action] ?? OK);
}

const OK = { "200": "OK" } as const;
const CREATED = { ...OK, "201": "Created" } as const;
const CODES: Readonly<Partial<Record<Action, Readonly<Record<string, string>>>>> = {
  post: { ...CREATED, "202": "Accepted" },
  put: CREATED,
  patch: CREATED,
  delete: { "200": "OK", "202": "Accepted" },
};

function responses(
  codes: Readonly<Record<string, string>>,
  schema: JsonObject,
  mediaTypes: readonly string[],
): JsonObject {
  const content = contentOf(mediaTypes, schema);
  const answers = Object.entries(codes).map(([code, description]): [string, JsonObject] => [
    code,
    { description, content },
  ]);
  return { ...Object.fromEntries(answers), "401": { description: "Unauthorized" } };
}

// As Go prints maps, whose keys are sorted.
function contentOf(mediaTypes: readonly string[], schema: JsonObject): JsonObject {
  return Object.fromEntries(mediaTypes.toSorted().map((type) => [type, { schema }]));
}

const TEXT = { type: "string" } as const;

function answerSchema({ path, action, gvk }: ResourceOperation, type: ResourceType): JsonObject {
  const nameOf = (kind: GroupVersionKind): string => schemaNameOf(type.release.api, kind);
  switch (action) {
    case "connect":
      return TEXT;
    case "watch":
    case "watchlist":
      return { $ref: `${REFERENCE}${META}.WatchEvent` };
    case "delete":
      return { $ref: REFERENCE + (RETURNED.has(type.resource) ? nameOf(gvk) : `${META}.Status`) };
    case "deletecollection":
      return { $ref: `${REFERENCE}${META}.Status` };
    case "list":
      return { $ref: REFERENCE + nameOf({ ...gvk, kind: type.listKind }) };
    case "get":
      return path.endsWith("/log") ? TEXT : { $ref: REFERENCE + nameOf(gvk) };
    case "patch":
    case "post":
    case "put":
      return { $ref: REFERENCE + nameOf(gvk) };
  }
}

// Resources whose deletion is answered with the object.
const RETURNED: ReadonlySet<string> = new Set([
  "csidrivers",
  "csinodes",
  "deviceclasses",
  "persistentvolumeclaims",
  "persistentvolumes",
  "pods",
  "podtemplates",
  "resourceclaims",
  "resourceclaimtemplates",
  "resourcequotas",
  "resourceslices",
  "serviceaccounts",
  "services",
  "storageclasses",
  "volumeattachments",
  "volumeattributesclasses",
]);

function bodyOf({ action, gvk }: ResourceOperation, { isCustom, release }: ResourceType): JsonObject | undefined {
  const hasObject = action === "post" || action === "put";
  const name = BODIES[action] ?? (hasObject ? schemaNameOf(release.api, gvk) : undefined);
  if (name === undefined || (isCustom && action === "deletecollection")) return undefined;
  const isRequired = action !== "delete" && action !== "deletecollection";
  const content = contentOf(requestTypes(action, isCustom), { $ref: REFERENCE + name });
  return { ...(isRequired ? { required: true } : {}), content };
}

const BODIES: Readonly<Partial<Record<Action, string>>> = {
  delete: `${META}.DeleteOptions`,
  deletecollection: `${META}.DeleteOptions`,
  patch: `${META}.Patch`,
};
