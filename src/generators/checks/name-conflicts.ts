import { findingOf, kindLocation, type CrdView } from "./crd-view.ts";
import type { Finding } from "./finding.ts";

/** Finds kinds of one group that share a name: a server accepts the names of only one of them. */
export function checkConflicts(views: readonly CrdView[]): readonly Finding[] {
  const resources = new Map<string, CrdView>();
  const kinds = new Map<string, CrdView>();
  return views.flatMap((view) => {
    const { group, kind, plural, singular, shortNames } = view.crd.draft;
    const findings: Finding[] = [];
    for (const name of new Set([plural, singular, ...shortNames]))
      claim(resources, `${group}/${name}`, { view, name, findings });
    for (const name of [kind, `${kind}List`]) claim(kinds, `${group}/${name}`, { view, name, findings });
    return findings;
  });
}

interface Claim {
  readonly view: CrdView;
  readonly name: string;
  readonly findings: Finding[];
}

function claim(owners: Map<string, CrdView>, key: string, { view, name, findings }: Claim): void {
  const owner = owners.get(key);
  if (owner === undefined) {
    owners.set(key, view);
    return;
  }
  const location = kindLocation(view);
  const message = `${view.crd.draft.kind} and ${owner.crd.draft.kind} are both called ${JSON.stringify(name)} in the group ${view.crd.draft.group}; a server serves only one of them`;
  const hint = "give one of them another name with +kubebuilder:resource:path=…,singular=…,shortName=…";
  findings.push(findingOf("CRD_NAME_CONFLICT", { message, hint }, { location, owners: [location] }));
}
