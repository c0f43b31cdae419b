import type { CrdNames } from "../generator.ts";
import { findingOf, kindLocation, type CrdView } from "./crd-view.ts";
import type { Finding } from "./finding.ts";

/** Finds kinds of one group that share a name, with one another or with others: a server accepts the names of only one of them. */
export function checkConflicts(views: readonly CrdView[], others: readonly CrdNames[] = []): readonly Finding[] {
  const owners = new Map(others.flatMap((each) => claimsOf(each).map(({ key }) => [key, each.kind] as const)));
  return views.flatMap((view) => {
    const { draft } = view.crd;
    return claimsOf(draft).flatMap(({ key, name }): readonly Finding[] => {
      const owner = owners.get(key);
      if (owner !== undefined) return [conflict(view, owner, name)];
      owners.set(key, draft.kind);
      return [];
    });
  });
}

interface Claim {
  readonly key: string;
  readonly name: string;
}

function claimsOf({ group, kind, plural, singular, shortNames }: CrdNames): readonly Claim[] {
  const resources = [...new Set([plural, singular, ...shortNames])];
  const kinds = [kind, `${kind}List`];
  return [
    ...resources.map((name) => ({ key: `resource ${group}/${name}`, name })),
    ...kinds.map((name) => ({ key: `kind ${group}/${name}`, name })),
  ];
}

function conflict(view: CrdView, owner: string, name: string): Finding {
  const { kind, group } = view.crd.draft;
  const location = kindLocation(view);
  const message = `${kind} and ${owner} are both called ${JSON.stringify(name)} in the group ${group}; a server serves only one of them`;
  const hint = "give one of them another name with +kubebuilder:resource:path=…,singular=…,shortName=…";
  return findingOf("CRD_NAME_CONFLICT", { message, hint }, { location, owners: [location] });
}
