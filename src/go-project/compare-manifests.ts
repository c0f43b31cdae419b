import { canonicalJson, compareCrd, type CrdFacts, type Schema } from "@kubescaffold/generators/importer";

import { type ManifestFacts, type RoleFacts, textsOf, type WebhookFacts } from "./manifest-facts.ts";

/** How many of the manifests of one kind came out the same, and where the others differ. */
export interface Score {
  readonly what: "CRD versions" | "RBAC rules" | "webhooks";
  readonly same: number;
  readonly total: number;
  readonly differences: readonly string[];
}

/** Compares generated manifests with those of the Go project. */
export function compareManifests(wanted: ManifestFacts, found: ManifestFacts): readonly Score[] {
  return [
    compareCrds(wanted.crds, found.crds),
    compareRules(wanted.roles, found.roles),
    compareEntries("webhooks", webhookEntries(wanted.webhooks), webhookEntries(found.webhooks)),
  ];
}

function compareCrds(wanted: readonly CrdFacts[], found: readonly CrdFacts[]): Score {
  const name = ({ kind, group }: CrdFacts): string => `${kind}.${group}`;
  const made = new Map(found.map((crd) => [name(crd), crd]));
  const verdicts = wanted.flatMap((crd) => compareCrd(crd, made.get(name(crd))));
  const differing = verdicts.filter(({ differences, facts }) => differences.length > 0 || facts.length > 0);
  const known = new Set(wanted.map((crd) => name(crd)));
  return {
    what: "CRD versions",
    same: verdicts.length - differing.length,
    total: verdicts.length,
    differences: [
      ...differing.map(({ kind, version, group, differences, facts }) => {
        const places = [...facts, ...differences.map(({ path, keyword }) => [path, keyword].filter(Boolean).join(" "))];
        return `${kind}.${version}.${group}: ${places.join(", ")}`;
      }),
      ...found.filter((crd) => !known.has(name(crd))).map((crd) => `${name(crd)}: the Go project has no CRD of it`),
    ],
  };
}

type Entries = ReadonlyMap<string, string>;

function compareEntries(what: Score["what"], wanted: Entries, found: Entries): Score {
  const missing = [...wanted].filter(([name, content]) => found.get(name) !== content);
  const extra = [...found.keys()].filter((name) => !wanted.has(name));
  return {
    what,
    same: wanted.size - missing.length,
    total: wanted.size,
    differences: [
      ...missing.map(([name]) => `${name}: ${found.has(name) ? "differs" : "is not generated"}`),
      ...extra.map((name) => `${name}: the Go project does not have it`),
    ],
  };
}

// The generator sorts the lists of rules and joins rules: the same permissions may have another form.
function compareRules(wanted: readonly RoleFacts[], found: readonly RoleFacts[]): Score {
  const placeOf = ({ name, namespace }: RoleFacts): string => (namespace === "" ? name : `${namespace}/${name}`);
  const rulesAt = (roles: readonly RoleFacts[], place: string): readonly Schema[] =>
    roles.filter((role) => placeOf(role) === place).flatMap(({ rules }) => rules);
  const notIn = (roles: readonly RoleFacts[], others: readonly RoleFacts[]): readonly string[] =>
    roles.flatMap((role) => {
      const known = rulesAt(others, placeOf(role));
      const exact = new Set(known.map((rule) => canonicalJson(rule)));
      return role.rules
        .filter((rule) => !exact.has(canonicalJson(rule)) && !grants(known, rule))
        .map((rule) => `${placeOf(role)} ${canonicalJson(rule)}`);
    });
  const total = wanted.reduce((sum, { rules }) => sum + rules.length, 0);
  const missing = notIn(wanted, found);
  return {
    what: "RBAC rules",
    same: total - missing.length,
    total,
    differences: [
      ...missing.map((rule) => `${rule}: is not generated`),
      ...notIn(found, wanted).map((rule) => `${rule}: the Go project does not have it`),
    ],
  };
}

// The permissions of a longer rule are only compared as a whole.
const MOST_PERMISSIONS = 10_000;

/** Reports whether rules together grant all that another one grants. */
export function grants(rules: readonly Schema[], wanted: Schema): boolean {
  const [groups, resources, urls, verbs] = PLACES.map((key) => textsOf(wanted[key])) as [Texts, Texts, Texts, Texts];
  const names = textsOf(wanted["resourceNames"]);
  const objects = names.length === 0 ? [undefined] : names;
  if ((groups.length * resources.length * objects.length + urls.length) * verbs.length > MOST_PERMISSIONS) return false;
  const isGranted = (permission: Permission): boolean =>
    verbs.every((verb) => rules.some((rule) => allows(rule, { ...permission, verb })));
  return (
    verbs.length > 0 &&
    urls.every((url) => isGranted({ url })) &&
    groups.every((group) =>
      resources.every((resource) => objects.every((name) => isGranted({ group, resource, name }))),
    )
  );
}

type Texts = readonly string[];

const PLACES = ["apiGroups", "resources", "nonResourceURLs", "verbs"] as const;

type Permission =
  | { readonly url: string }
  | { readonly group: string; readonly resource: string; readonly name: string | undefined };

function allows(rule: Schema, permission: Permission & { readonly verb: string }): boolean {
  const has = (key: string, value: string): boolean => {
    const values = textsOf(rule[key]);
    return values.includes(value) || values.includes("*");
  };
  if (!has("verbs", permission.verb)) return false;
  if ("url" in permission) return has("nonResourceURLs", permission.url);
  const names = textsOf(rule["resourceNames"]);
  const isNamed = names.length === 0 || (permission.name !== undefined && names.includes(permission.name));
  return isNamed && has("apiGroups", permission.group) && has("resources", permission.resource);
}

function webhookEntries(webhooks: readonly WebhookFacts[]): Entries {
  return new Map(
    webhooks.map(
      ({ configuration, object }) => [`${configuration} ${String(object["name"])}`, canonicalJson(object)] as const,
    ),
  );
}
