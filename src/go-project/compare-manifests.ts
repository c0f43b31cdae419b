import { canonicalJson, compareCrd, type CrdFacts } from "@kubescaffold/generators/importer";

import type { GoProject, RoleFacts, WebhookFacts } from "./go-project.ts";

/** How many of the manifests of one kind came out the same, and where the others differ. */
export interface Score {
  readonly what: "CRD versions" | "RBAC rules" | "webhooks";
  readonly same: number;
  readonly total: number;
  readonly differences: readonly string[];
}

type Manifests = Pick<GoProject, "crds" | "roles" | "webhooks">;

/** Compares generated manifests with those of the Go project. */
export function compareManifests(wanted: Manifests, found: Manifests): readonly Score[] {
  return [
    compareCrds(wanted.crds, found.crds),
    compareEntries("RBAC rules", ruleEntries(wanted.roles), ruleEntries(found.roles)),
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

function ruleEntries(roles: readonly RoleFacts[]): Entries {
  return new Map(
    roles.flatMap(({ name, namespace, rules }) => {
      const place = namespace === "" ? name : `${namespace}/${name}`;
      return rules.map((rule) => [`${place} ${canonicalJson(rule)}`, ""] as const);
    }),
  );
}

function webhookEntries(webhooks: readonly WebhookFacts[]): Entries {
  return new Map(
    webhooks.map(
      ({ configuration, object }) => [`${configuration} ${String(object["name"])}`, canonicalJson(object)] as const,
    ),
  );
}
