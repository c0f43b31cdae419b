import {
  goJson,
  type GroupVersionResource,
  gvkOf,
  gvkToString,
  invalidField,
  newInternalError,
  StatusError,
} from "@kubescaffold/k8s";

import type { ServerContext } from "../../pipeline/server-context.ts";
import { decodingProblem } from "../../request/decoding-problem.ts";
import { invalid, plainError } from "../../request/failures.ts";
import { textOf } from "../../resources/fields.ts";
import type { ObjectVersions } from "../../resources/object-versions.ts";
import type { ApiObject } from "../../storage/api-object.ts";

/**
 * Returns an object that a mutating webhook has patched with its type: built-in kinds may lose it, and no kind may change it.
 *
 * Fails: with upstream's answers, 422 for another kind of a custom resource, and 500 otherwise.
 */
export function withType({ resources, versions }: ServerContext, patched: ApiObject, before: ApiObject): ApiObject {
  for (const name of ["apiVersion", "kind"] as const) checkText(name, patched[name]);
  const stated = textOf(patched.apiVersion);
  const statedKind = textOf(patched.kind);
  if (stated.split("/").length > 2) throw newInternalError(`unexpected GroupVersion string: ${stated}`);
  const isCustom = resources.findByKind(gvkOf(before))?.isCustom === true;
  if (isCustom) return customType(patched, before, { apiVersion: stated, kind: statedKind });
  const apiVersion = stated === "" ? before.apiVersion : stated;
  const kind = statedKind === "" ? before.kind : statedKind;
  if (apiVersion === before.apiVersion && kind === before.kind) return { ...patched, apiVersion, kind };
  const other = resources.findByKind(gvkOf({ apiVersion, kind }));
  if (other === undefined) {
    throw newInternalError(
      `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  // It is decoded as the other kind first.
  decodeAs(versions, other, { ...patched, apiVersion, kind });
  throw plainError(
    `converting (${versionOf(apiVersion)}.${kind}) to (${internalGroupOf(before)}.${before.kind}): unknown conversion`,
  );
}

function decodeAs(versions: ObjectVersions, resource: GroupVersionResource, object: ApiObject): void {
  try {
    versions.complete(object, resource);
  } catch (error) {
    throw error instanceof StatusError ? newInternalError(decodingProblem(error)) : error;
  }
}

function checkText(name: string, value: unknown): void {
  if (value === undefined || value === null || typeof value === "string") return;
  const found = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
  throw newInternalError(
    `couldn't get version/kind; json parse error: json: cannot unmarshal ${found} into Go struct field .${name} of type string`,
  );
}

function customType(
  patched: ApiObject,
  before: ApiObject,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
): ApiObject {
  if (kind === "") throw newInternalError(`Object 'Kind' is missing in '${goJson(patched)}'`);
  if (apiVersion !== before.apiVersion) {
    const isOfGroup = gvkOf({ apiVersion, kind }).group === gvkOf(before).group;
    throw plainError(
      isOfGroup
        ? `request to convert CR from an invalid group/version: ${apiVersion}`
        : `${apiVersion === "" ? `/, Kind=${kind}` : gvkToString(gvkOf({ apiVersion, kind }))} is unstructured and is not suitable for converting to "${before.apiVersion}"`,
    );
  }
  if (kind === before.kind) return patched;
  const error = invalidField("kind", kind, `must be ${before.kind}`);
  const { group } = gvkOf(before);
  throw invalid({ groupKind: { group, kind }, name: patched.metadata?.name ?? "" }, [error]);
}

function versionOf(apiVersion: string): string {
  return apiVersion.split("/").at(-1) ?? "";
}

function internalGroupOf(object: ApiObject): string {
  const { group } = gvkOf(object);
  return group === "" ? "core" : (group.split(".")[0] ?? "");
}
