import { normalizeRules, type RbacRule } from "@kubescaffold/generators";
import { canonicalJson, type Schema } from "@kubescaffold/generators/importer";

import { controllerNames } from "../project/plans/plan-controllers.ts";
import { type ProjectConfig, type ProjectResource, qualifiedGroupOf } from "../project/project-config.ts";
import { pluralOf } from "../project/resource-names.ts";
import { type RoleFacts, textsOf } from "./manifest-facts.ts";
import { listWord, markerLine, word } from "./marker-words.ts";

/** The markers from which the generator makes given roles. */
export interface RbacMarkers {
  /** Those of the controllers of a resource, about its own kind. */
  readonly of: (resource: ProjectResource) => readonly string[];
  /** Those about everything else. */
  readonly others: readonly string[];
}

/** The name that a role has unless its markers say another. */
const ROLE_NAME = "manager-role";

/**
 * Makes markers of roles.
 *
 * Guarantees: the markers allow what the roles allow. The generator makes of them the rules of the roles, one for one, where it makes those rules of
 * themselves, as it does of nearly all that a generator made. What a controller may do with its own kind is with the controller, as long as that keeps
 * the rules as they are.
 */
export function planRbacMarkers(roles: readonly RoleFacts[], project: ProjectConfig): RbacMarkers {
  const owners = new Map(
    (project.resources ?? [])
      .filter((resource) => controllerNames(resource).length > 0)
      .map(
        (resource) =>
          [keyOf(qualifiedGroupOf(resource), resource.plural ?? pluralOf(resource.kind)), resource] as const,
      ),
  );
  const own = new Map<ProjectResource, string[]>();
  const others: string[] = [];
  for (const role of roles) {
    const rules = role.rules.map((rule) => readRule(rule));
    const parts = rules.map((rule) => splitRule(rule, owners));
    const split = parts.flatMap(({ owned, rest }) => [...owned.map((each) => each.rule), ...rest]);
    if (!isSame(normalizeRules(split.flatMap((rule) => perResource(rule))), rules)) {
      others.push(...rules.map((rule) => ruleMarker(role, rule)));
      continue;
    }
    for (const { owned, rest } of parts) {
      for (const { owner, rule } of owned) own.set(owner, [...(own.get(owner) ?? []), ruleMarker(role, rule)]);
      others.push(...rest.map((rule) => ruleMarker(role, rule)));
    }
  }
  return { of: (resource) => own.get(resource) ?? [], others };
}

function readRule(rule: Schema): RbacRule {
  return {
    groups: textsOf(rule["apiGroups"]),
    resources: textsOf(rule["resources"]),
    resourceNames: textsOf(rule["resourceNames"]),
    urls: textsOf(rule["nonResourceURLs"]),
    verbs: textsOf(rule["verbs"]),
  };
}

interface SplitRule {
  readonly owned: readonly { readonly owner: ProjectResource; readonly rule: RbacRule }[];
  readonly rest: readonly RbacRule[];
}

function splitRule(rule: RbacRule, owners: ReadonlyMap<string, ProjectResource>): SplitRule {
  const owned: SplitRule["owned"][number][] = [];
  const rest: RbacRule[] = [];
  for (const group of rule.groups) {
    const left: string[] = [];
    for (const resource of rule.resources) {
      const owner = owners.get(keyOf(group, resource.split("/")[0] ?? ""));
      if (owner === undefined) left.push(resource);
      else owned.push({ owner, rule: { ...rule, groups: [group], resources: [resource] } });
    }
    if (left.length > 0) rest.push({ ...rule, groups: [group], resources: left });
  }
  return owned.length === 0 ? { owned, rest: [rule] } : { owned, rest };
}

// As the generator reads a marker.
function perResource(rule: RbacRule): readonly RbacRule[] {
  return rule.resources.length === 0 ? [rule] : rule.resources.map((resource) => ({ ...rule, resources: [resource] }));
}

function isSame(found: readonly RbacRule[], wanted: readonly RbacRule[]): boolean {
  return canonicalJson(found) === canonicalJson(wanted);
}

function ruleMarker({ name, namespace }: RoleFacts, rule: RbacRule): string {
  const listed = (values: readonly string[]): string | undefined =>
    values.length === 0 ? undefined : listWord(values);
  return markerLine("rbac", {
    groups: listed(rule.groups),
    namespace: namespace === "" ? undefined : word(namespace),
    resources: listed(rule.resources),
    resourceNames: listed(rule.resourceNames),
    urls: listed(rule.urls),
    verbs: listWord(rule.verbs),
    roleName: name === ROLE_NAME || name === "" ? undefined : word(name),
  });
}

function keyOf(group: string, plural: string): string {
  return `${plural}.${group}`;
}
