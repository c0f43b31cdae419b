import { apiVersionOf, type GroupVersionResource } from "@kubescaffold/k8s";
import type { ReadonlyObject } from "@kubescaffold/k8s/meta/v1";

import { callSignal } from "../log/call-scope.ts";
import type { RestRequest } from "../rest/rest-client.ts";
import { MissingFieldOwnerError } from "./errors.ts";
import type {
  ApplyOptions,
  CallOptions,
  DeleteOptions,
  ListOptions,
  PatchOptions,
  Selection,
  WatchOptions,
  WriteOptions,
} from "./options.ts";
import type { Patch } from "./patch.ts";

/** A request for an object, without its path. */
export interface ObjectRequest extends Omit<RestRequest, "path"> {
  /** The subresource. Default: the object itself. */
  readonly subresource?: string | undefined;
}

/** Returns the signal of a call, or of the reconcile that it belongs to, as a field of a request. */
export function signalOf(options: CallOptions): { readonly signal?: AbortSignal } {
  const signal = callSignal(options.signal);
  return signal === undefined ? {} : { signal };
}

/** Returns the `Accept` header of metadata requests, or nothing. */
export function acceptOf(
  { metadataOnly }: { readonly metadataOnly?: boolean },
  form: string,
): { readonly accept?: string } {
  return metadataOnly === true ? { accept: `application/json;as=${form};g=meta.k8s.io;v=v1,application/json` } : {};
}

/** Returns the request of a watch. */
export function watchRequest(
  gvr: GroupVersionResource,
  options: WatchOptions & { readonly timeoutSeconds: number },
): RestRequest {
  return {
    method: "GET",
    path: resourcePath({ gvr, namespace: options.namespace ?? "", name: "" }),
    query: {
      watch: "true",
      ...selectionQuery(options),
      allowWatchBookmarks: options.allowWatchBookmarks === false ? undefined : "true",
      resourceVersion: options.resourceVersion,
      resourceVersionMatch: options.resourceVersionMatch,
      sendInitialEvents: options.sendInitialEvents === undefined ? undefined : String(options.sendInitialEvents),
      timeoutSeconds: String(options.timeoutSeconds),
    },
    ...acceptOf(options, "PartialObjectMetadata"),
    ...signalOf(options),
  };
}

/** Returns the request of a patch. */
export function patchRequest(object: ReadonlyObject, patch: Patch, options: PatchOptions): ObjectRequest {
  return {
    method: "PATCH",
    query: writeQuery(options),
    body: patch.data(options.body ?? object),
    contentType: patch.type,
    ...signalOf(options),
  };
}

/** Returns the request of a server-side apply. Fails: {@link MissingFieldOwnerError}. */
export function applyRequest(configuration: object, options: ApplyOptions): ObjectRequest {
  const { kind, metadata } = configuration as ReadonlyObject;
  if (options.fieldOwner === undefined || options.fieldOwner === "") {
    throw new MissingFieldOwnerError(`${kind} ${metadata.name ?? ""}`);
  }
  return {
    method: "PATCH",
    query: writeQuery(options),
    body: configuration,
    contentType: "application/apply-patch+yaml",
    ...signalOf(options),
  };
}

/** Returns the body of a deletion; none without options. */
export function deleteBody(options: DeleteOptions): { readonly body?: object } {
  const { dryRun, gracePeriodSeconds, propagationPolicy, preconditions } = options;
  const fields = {
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(preconditions === undefined ? {} : { preconditions }),
    ...(dryRun === true ? { dryRun: ["All"] } : {}),
  };
  return Object.keys(fields).length === 0 ? {} : { body: { kind: "DeleteOptions", apiVersion: "v1", ...fields } };
}

/** Returns the query parameters of a list. */
export function listQuery(options: ListOptions): CallQuery {
  return {
    ...selectionQuery(options),
    limit: options.limit === undefined ? undefined : String(options.limit),
    continue: options.continue,
    resourceVersion: options.resourceVersion,
    resourceVersionMatch: options.resourceVersionMatch,
  };
}

/** Query parameters; undefined values are omitted. */
export type CallQuery = Readonly<Record<string, string | undefined>>;

/** Returns the query parameters of a write. */
export function writeQuery(options: WriteOptions & Pick<PatchOptions, "forceOwnership">): CallQuery {
  return {
    dryRun: options.dryRun === true ? "All" : undefined,
    fieldManager: options.fieldOwner === "" ? undefined : options.fieldOwner,
    fieldValidation: options.fieldValidation,
    force: options.forceOwnership === true ? "true" : undefined,
  };
}

/** Returns the query parameters of a selection. */
export function selectionQuery(selection: Selection): CallQuery {
  return { labelSelector: labelSelectorOf(selection), fieldSelector: fieldSelectorOf(selection) };
}

/** Joins all conditions on labels into one selector; undefined without conditions. */
export function labelSelectorOf({ labels, hasLabels, labelSelector }: Selection): string | undefined {
  return joinConditions([
    ...Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`),
    ...(hasLabels ?? []),
    labelSelector ?? "",
  ]);
}

/** Joins all conditions on fields into one selector; undefined without conditions. */
export function fieldSelectorOf({ fields, fieldSelector }: Selection): string | undefined {
  return joinConditions([
    ...Object.entries(fields ?? {}).map(([path, value]) => `${path}=${escapeFieldValue(value)}`),
    fieldSelector ?? "",
  ]);
}

function joinConditions(conditions: readonly string[]): string | undefined {
  const selector = conditions.filter((condition) => condition !== "").join(",");
  return selector === "" ? undefined : selector;
}

function escapeFieldValue(value: string): string {
  return value.replaceAll(/[\\,=]/gu, String.raw`\$&`);
}

/** Returns the path of an endpoint, each segment encoded. */
export function resourcePath({
  gvr,
  namespace,
  name,
  subresource,
}: {
  readonly gvr: GroupVersionResource;
  /** Empty for cluster-scoped objects and for all namespaces. */
  readonly namespace: string;
  /** Empty for the collection. */
  readonly name: string;
  readonly subresource?: string;
}): string {
  const root = gvr.group === "" ? `/api/${gvr.version}` : `/apis/${apiVersionOf(gvr)}`;
  const segments = [
    ...(namespace === "" ? [] : ["namespaces", namespace]),
    gvr.resource,
    ...(name === "" ? [] : [name]),
    ...(subresource === undefined ? [] : subresource.split("/")),
  ];
  return [root, ...segments.map(encodeURIComponent)].join("/");
}
