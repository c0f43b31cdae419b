import type { GroupVersionResource } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { RestRequest } from "../rest/rest-client.ts";
import { selectionQuery, writeQuery, type CallQuery } from "./call-query.ts";
import { MissingFieldOwnerError } from "./errors.ts";
import type { ApplyOptions, CallOptions, DeleteOptions, ListOptions, PatchOptions, WatchOptions } from "./options.ts";
import type { Patch } from "./patch.ts";
import { resourcePath } from "./resource-path.ts";

/** A request about one object, whose path the client finds. */
export interface ObjectRequest extends Omit<RestRequest, "path"> {
  readonly subresource?: string | undefined;
}

/** Returns the signal of a call, for a request. */
export function signalOf({ signal }: CallOptions): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

/** Returns the `Accept` header by which a server sends the metadata alone, or none. */
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

/** Returns the request that makes a patch of an object. */
export function patchRequest(object: KubernetesObject, patch: Patch, options: PatchOptions): ObjectRequest {
  return {
    method: "PATCH",
    query: writeQuery(options),
    body: patch.data(options.body ?? object),
    contentType: patch.type,
    ...signalOf(options),
  };
}

/** Returns the request that applies a configuration. Fails: {@link MissingFieldOwnerError}. */
export function applyRequest(configuration: object, options: ApplyOptions): ObjectRequest {
  const { kind, metadata } = configuration as KubernetesObject;
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

/** Returns the body of a deletion; none where nothing is asked of it. */
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

/** Returns the parameters of a list. */
export function listQuery(options: ListOptions): CallQuery {
  return {
    ...selectionQuery(options),
    limit: options.limit === undefined ? undefined : String(options.limit),
    continue: options.continue,
    resourceVersion: options.resourceVersion,
    resourceVersionMatch: options.resourceVersionMatch,
  };
}
