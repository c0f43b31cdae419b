import { readYamlDocuments } from "@kubescaffold/k8s/yaml";

import { CATALOGUE } from "../../src/markers/catalogue.ts";
import { parseMarker } from "../../src/markers/parse-marker.ts";
import type { MarkerPackage } from "./package-model.ts";

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs?: readonly string[] | null;
}

interface Role {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules: readonly Rule[];
}

/** Reports whether ours grants exactly what the markers ask for, and theirs, where two merged rules meet, only a part of it. */
export function lostPermissions(model: MarkerPackage, theirs: string, ours: string): boolean {
  const [asked, granted, lossy] = [askedFor(model, "none"), permissionsOf(ours, "none"), permissionsOf(theirs, "none")];
  return equal(granted, asked) && covers(granted, lossy) && !covers(lossy, asked);
}

/** Reports whether markers without a group are beside such for the core group, which theirs takes for one another. */
export function confusesEmptyLists(model: MarkerPackage, theirs: string, ours: string): boolean {
  const hasBoth =
    hasRule(model, (rule) => isMissing(rule.apiGroups)) &&
    hasRule(model, ({ apiGroups = [] }) => apiGroups.includes(""));
  const asked = askedFor(model, "");
  return hasBoth && equal(permissionsOf(ours, ""), asked) && covers(asked, permissionsOf(theirs, ""));
}

// One permission: where, for whom, on what, and the verb.
type Permissions = ReadonlySet<string>;

function covers(whole: Permissions, part: Permissions): boolean {
  return [...part].every((each) => whole.has(each) || whole.has(each.replace(/\|[^|]*$/u, "|*")));
}

function equal(left: Permissions, right: Permissions): boolean {
  return covers(left, right) && covers(right, left);
}

function isMissing(list: readonly string[] | undefined): boolean {
  return list === undefined || list.length === 0;
}

function permissionsOf(yaml: string, empty: string): Permissions {
  const roles = readYamlDocuments(yaml).filter(Boolean) as unknown as readonly Role[];
  return new Set(
    roles.flatMap(({ metadata, rules }) =>
      rules.flatMap((rule) => expand({ role: `${metadata.namespace ?? ""}/${metadata.name}`, rule, empty })),
    ),
  );
}

function askedFor(model: MarkerPackage, empty: string): Permissions {
  return new Set(rulesOf(model).flatMap(({ role, rule }) => expand({ role, rule, empty })));
}

function hasRule(model: MarkerPackage, accepts: (rule: Rule) => boolean): boolean {
  return rulesOf(model).some(({ rule }) => accepts(rule));
}

function rulesOf(model: MarkerPackage): readonly { readonly role: string; readonly rule: Rule }[] {
  const roleName = /roleName="?([^",]*)/u.exec(model.options[0] ?? "")?.[1] ?? "";
  const found = model.files.flatMap(({ groups }) => groups.flat()).map((text) => parseMarker(text, CATALOGUE));
  return found.flatMap((each) => {
    if (each.kind !== "marker" || each.definition.name !== "kubebuilder:rbac") return [];
    const {
      groups,
      urls,
      namespace = "",
      ...rest
    } = each.value as Readonly<Record<string, readonly string[] | string>>;
    const apiGroups = (groups as readonly string[] | undefined)?.map((group) => (group === "core" ? "" : group));
    const rule = { ...rest, apiGroups, nonResourceURLs: urls } as unknown as Rule;
    return [{ role: `${String(namespace)}/${String(rest["roleName"] || roleName)}`, rule }];
  });
}

function expand({
  role,
  rule,
  empty,
}: {
  readonly role: string;
  readonly rule: Rule;
  readonly empty: string;
}): readonly string[] {
  const { apiGroups, resources, resourceNames, nonResourceURLs, verbs } = rule;
  // A rule about nothing permits nothing; it may be for itself or be joined to another.
  if (isMissing(resources) && isMissing(nonResourceURLs)) return [];
  const lists = [apiGroups, resources, resourceNames, nonResourceURLs].map((list) =>
    list === undefined || list.length === 0 ? [empty] : list,
  );
  return [...lists, verbs ?? []].reduce<readonly string[]>(
    (paths, list) => paths.flatMap((path) => list.map((each) => `${path}|${each}`)),
    [role],
  );
}
