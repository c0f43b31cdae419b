import { labelSelectorMatcher, StatusError } from "@kubescaffold/k8s";
import type { ParamKind, ParamRef } from "@kubescaffold/k8s/admissionregistration/v1";

import type { ServerContext } from "../../pipeline/server-context.ts";
import type { ServedResource } from "../../resources/registry.ts";
import type { ApiObject } from "../../storage/api-object.ts";

/** The parameters of a policy, one evaluation each; undefined for an evaluation without one. */
export type PolicyParams = readonly (ApiObject | undefined)[];

/** Thrown where a policy or binding cannot be used; it never leaves the evaluation of policies. */
export class PolicyConfigurationError extends Error {}

/** Returns the error of a configuration instead of throwing it. */
export function usable<T>(work: () => T): T | PolicyConfigurationError {
  try {
    return work();
  } catch (error) {
    if (error instanceof PolicyConfigurationError) return error;
    throw error;
  }
}

/** Returns the resource of a policy's parameters. Fails: {@link PolicyConfigurationError} where it is not served. */
export function paramResource({ resources }: ServerContext, paramKind: ParamKind): ServedResource {
  const { apiVersion = "", kind = "" } = paramKind;
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  const served = resources.findByKind({ group: group ?? "", version: version ?? "", kind });
  if (served !== undefined) return served;
  throw new PolicyConfigurationError(
    `failed to find resource referenced by paramKind: '${apiVersion.includes("/") ? apiVersion : `/${apiVersion}`}, Kind=${kind}'`,
  );
}

/** The user that reads parameters. */
const SERVER = { name: "system:apiserver", groups: ["system:masters"] };

/**
 * Returns the parameters that a binding selects for a write in a namespace, in the version of the policy's kind; none where they
 * may be missing.
 *
 * Fails: {@link PolicyConfigurationError}.
 */
export async function collectParams(
  context: ServerContext,
  resource: ServedResource | undefined,
  { paramRef, namespace }: { readonly paramRef: ParamRef | undefined; readonly namespace: string },
): Promise<PolicyParams> {
  if (resource === undefined || paramRef === undefined) return [undefined];
  const inNamespace = namespaceOf(resource, paramRef, namespace);
  const found = selected(context, resource, { paramRef, namespace: inNamespace });
  if (found.length === 0 && paramRef.parameterNotFoundAction === "Deny") {
    throw new PolicyConfigurationError("no params found for policy binding with `Deny` parameterNotFoundAction");
  }
  const client = context.clientFor(SERVER);
  const params: ApiObject[] = [];
  for (const { metadata } of found) {
    const target = { ...resource, namespace: metadata.namespace ?? "", name: metadata.name ?? "" };
    params.push(await client.get(target).catch(configurationError));
  }
  return params;
}

function configurationError(error: unknown): never {
  throw error instanceof StatusError ? new PolicyConfigurationError(error.message, { cause: error }) : error;
}

function namespaceOf({ isNamespaced }: ServedResource, paramRef: ParamRef, namespace: string): string | undefined {
  const { namespace: wanted = "" } = paramRef;
  if (!isNamespaced) {
    if (wanted === "") return undefined;
    throw new PolicyConfigurationError("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
  }
  if (wanted !== "") return wanted;
  if (namespace !== "") return namespace;
  throw new PolicyConfigurationError(
    "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources",
  );
}

function selected(
  { objects }: ServerContext,
  { storedAs }: ServedResource,
  { paramRef, namespace }: { readonly paramRef: ParamRef; readonly namespace: string | undefined },
): readonly ApiObject[] {
  const { name = "", selector } = paramRef;
  if (name !== "") {
    const found = objects.get(storedAs, { namespace: namespace ?? "", name });
    return found === undefined ? [] : [found];
  }
  const isMatch = labelSelectorMatcher(selector ?? {});
  return objects.list(storedAs, namespace).filter(({ metadata }) => isMatch(metadata.labels));
}
