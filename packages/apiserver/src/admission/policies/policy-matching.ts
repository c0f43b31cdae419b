import type { GroupResource } from "@kubescaffold/k8s";
import type { MatchResources } from "@kubescaffold/k8s/admissionregistration/v1";

import type { AdmissionAttributes } from "../../pipeline/extension-points.ts";
import type { ServerContext } from "../../pipeline/server-context.ts";
import type { ApiObject } from "../../storage/api-object.ts";
import { isNamespace, matchesNamespace, matchesObjects, matchRules, type RuleMatch } from "../rule-matching.ts";

const NAMESPACES: GroupResource = { group: "", resource: "namespaces" };

/** The match constraints of a policy or a binding, of any kind. */
type Constraints = Omit<MatchResources, "matchPolicy"> & { readonly matchPolicy?: string };

interface Binding {
  readonly spec?: { readonly policyName?: string };
}

/** Where policies of a kind and their bindings are stored. */
interface PolicyStorage {
  readonly policies: GroupResource;
  readonly bindings: GroupResource;
}

/** Lists the policies that have bindings, in the order of their names, with these. */
export function policiesInUse<P, B extends Binding>(
  { objects }: ServerContext,
  storage: PolicyStorage,
): readonly (readonly [P, readonly B[]])[] {
  const bindings = objects.list(storage.bindings) as unknown as readonly B[];
  const names = new Set(bindings.map(({ spec }) => spec?.policyName ?? ""));
  return [...names].toSorted().flatMap((name) => {
    const policy = objects.get(storage.policies, { namespace: "", name }) as P | undefined;
    return policy === undefined ? [] : [[policy, bindings.filter(({ spec }) => spec?.policyName === name)] as const];
  });
}

/** Reports whether match constraints concern a write, and in which version; rules that are absent concern everything. */
export function matchResources(
  context: ServerContext,
  resources: Constraints,
  attributes: AdmissionAttributes,
): RuleMatch | undefined {
  const { namespaceSelector, objectSelector, resourceRules = [], excludeResourceRules = [], matchPolicy } = resources;
  if (!matchesNamespace(context, namespaceSelector, attributes)) return undefined;
  if (!matchesObjects(objectSelector, attributes)) return undefined;
  const policy = matchPolicy === undefined ? {} : { matchPolicy };
  if (matchRules(context, { rules: excludeResourceRules, ...policy }, attributes) !== undefined) return undefined;
  if (resourceRules.length === 0) return { resource: attributes.resource, kind: attributes.kind };
  return matchRules(context, { rules: resourceRules, ...policy }, attributes);
}

/** Returns the namespace that the expressions of a policy see; undefined for cluster-scoped objects and for namespaces. */
export function namespaceOf({ objects }: ServerContext, attributes: AdmissionAttributes): ApiObject | undefined {
  const name = isNamespace(attributes) ? "" : attributes.namespace;
  return name === "" ? undefined : objects.get(NAMESPACES, { namespace: "", name });
}
