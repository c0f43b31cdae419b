import { goQuote, parseApiVersion } from "@kubescaffold/k8s";
import type { OwnerReference } from "@kubescaffold/k8s/meta/v1";
import { deepEqual } from "@kubescaffold/schema/values";

import {
  type AdmissionAttributes,
  type AdmissionPlugin,
  type AuthorizationAttributes,
  checkPermission,
  refusal,
} from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";

/** Requires the permission to delete an object for changes of its owners, and to set finalizers on owners whose deletion it blocks. */
export function ownerReferences(context: ServerContext): AdmissionPlugin {
  return {
    name: "OwnerReferencesPermissionEnforcement",
    validate: async (attributes) => {
      const { operation, resource, subresource, object, oldObject } = attributes;
      if (object === undefined || (operation !== "CREATE" && operation !== "UPDATE")) return;
      // Their strategy keeps the metadata.
      if (resource.resource === "pods" && subresource === "status") return;
      const owners = object.metadata?.ownerReferences ?? [];
      const oldOwners = oldObject?.metadata.ownerReferences ?? [];
      if (deepEqual(owners, oldOwners)) return;
      if (operation !== "CREATE") await requireDelete(context, attributes);
      await requireFinalizers(context, attributes, newlyBlocked(owners, oldOwners));
    },
  };
}

async function requireDelete(context: ServerContext, attributes: AdmissionAttributes): Promise<void> {
  const { resource, subresource, namespace, name, user } = attributes;
  const { group, version, resource: plural } = resource;
  const target = { group, version, resource: plural, subresource, namespace, name };
  const decision = await checkPermission(context, { ...RESOURCE, ...target, verb: "delete", user });
  if (decision.allowed) return;
  throw refusal(attributes, `cannot set an ownerRef on a resource you can't delete: ${decision.reason}, <nil>`);
}

const RESOURCE = { isResourceRequest: true, path: "" } as const;

function newlyBlocked(
  owners: readonly OwnerReference[],
  oldOwners: readonly OwnerReference[],
): readonly OwnerReference[] {
  const blocked = new Set(
    oldOwners.filter(({ blockOwnerDeletion }) => blockOwnerDeletion === true).map(({ uid }) => uid),
  );
  return owners.filter(({ blockOwnerDeletion, uid }) => blockOwnerDeletion === true && !blocked.has(uid));
}

async function requireFinalizers(
  context: ServerContext,
  attributes: AdmissionAttributes,
  owners: readonly OwnerReference[],
): Promise<void> {
  const { user } = attributes;
  if (owners.length === 0) return;
  const anything = { group: "*", version: "*", resource: "*", subresource: "finalizers", namespace: "", name: "*" };
  const update = { ...RESOURCE, verb: "update", user };
  if ((await checkPermission(context, { ...update, ...anything }, { isOptional: true })).allowed) return;
  for (const owner of owners) {
    for (const target of finalizersOf(context, attributes, owner)) {
      const decision = await checkPermission(context, { ...update, ...target });
      if (decision.allowed) continue;
      throw refusal(
        attributes,
        `cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ${decision.reason}, <nil>`,
      );
    }
  }
}

type Target = Omit<AuthorizationAttributes, "user" | "verb" | "isResourceRequest" | "path">;

function finalizersOf(
  { resources }: ServerContext,
  attributes: AdmissionAttributes,
  { apiVersion, kind, name }: OwnerReference,
): readonly Target[] {
  const { group, version } = parseApiVersion(apiVersion);
  const found = resources
    .all()
    .filter((each) => each.group === group && each.version === version && each.kind === kind);
  if (found.length === 0) {
    throw refusal(
      attributes,
      `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: no matches for kind ${goQuote(kind)} in version ${goQuote(apiVersion)}`,
    );
  }
  return found.map(({ resource, isNamespaced }) => ({
    group,
    version,
    resource,
    subresource: "finalizers",
    name,
    // An owner with a namespace is in that of its dependents.
    namespace: isNamespaced ? attributes.namespace : "",
  }));
}
