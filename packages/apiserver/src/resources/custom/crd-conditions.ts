import { approvalCondition } from "./api-approval.ts";
import { hasInvalidCaBundle } from "./conversion-rules.ts";
import type { CrdCondition, CrdNames, CrdObject } from "./crd-object.ts";
import { hasCondition } from "./crd-object.ts";

/** A change of the status of a CRD. */
export interface StatusChange {
  readonly conditions: readonly CrdCondition[];
  readonly acceptedNames?: Partial<CrdNames>;
}

/** Returns the next step on the way of a CRD to being served, if there is one: accept its names, establish it, and state its approval. */
export function nextConditions(crd: CrdObject, all: readonly CrdObject[]): StatusChange | undefined {
  return nextServing(crd, all) ?? nextApproval(crd);
}

function nextApproval(crd: CrdObject): StatusChange | undefined {
  const condition = approvalCondition(crd);
  return condition !== undefined && isNews(crd, condition) ? { conditions: [condition] } : undefined;
}

function nextServing(crd: CrdObject, all: readonly CrdObject[]): StatusChange | undefined {
  const conflict = nameConflict(crd, all);
  if (conflict !== undefined) {
    const names = { type: "NamesAccepted", status: "False", ...conflict } as const;
    return isNews(crd, names)
      ? { conditions: [names, ...(hasCondition(crd, "Established") ? [] : [NOT_ACCEPTED])] }
      : undefined;
  }
  if (!hasCondition(crd, "NamesAccepted") || !hasSameNames(crd)) {
    return {
      conditions: [NAMES_ACCEPTED, ...(hasCondition(crd, "Established") ? [] : [INSTALLING])],
      acceptedNames: crd.spec.names,
    };
  }
  if (hasCondition(crd, "Established")) {
    return undefined;
  }
  const next = hasInvalidCaBundle(crd) ? INVALID_CA_BUNDLE : ESTABLISHED;
  return isNews(crd, next) ? { conditions: [next] } : undefined;
}

/** Changes the conditions of a CRD, which belongs to the caller. */
export function withConditions(crd: CrdObject, change: StatusChange, now: string): CrdObject {
  const conditions = [...(crd.status?.conditions ?? [])];
  for (const next of change.conditions) {
    const index = conditions.findIndex(({ type }) => type === next.type);
    const old = conditions[index];
    const isTransition = old?.status !== next.status;
    const dated = { lastTransitionTime: isTransition ? now : (old?.lastTransitionTime ?? now), ...next };
    conditions.splice(index < 0 ? conditions.length : index, index < 0 ? 0 : 1, dated);
  }
  return {
    ...crd,
    status: {
      ...crd.status,
      conditions,
      acceptedNames: change.acceptedNames ?? crd.status?.acceptedNames ?? { kind: "", plural: "" },
      storedVersions: crd.status?.storedVersions ?? [],
    },
  };
}

const NAMES_ACCEPTED: CrdCondition = {
  type: "NamesAccepted",
  status: "True",
  reason: "NoConflicts",
  message: "no conflicts found",
};
const INSTALLING: CrdCondition = {
  type: "Established",
  status: "False",
  reason: "Installing",
  message: "the initial names have been accepted",
};
const ESTABLISHED: CrdCondition = {
  type: "Established",
  status: "True",
  reason: "InitialNamesAccepted",
  message: "the initial names have been accepted",
};
const INVALID_CA_BUNDLE: CrdCondition = {
  type: "Established",
  status: "False",
  reason: "InvalidCABundle",
  message: "The conversion webhook CABundle is invalid",
};
const NOT_ACCEPTED: CrdCondition = {
  type: "Established",
  status: "False",
  reason: "NotAccepted",
  message: "not all names are accepted",
};

function isNews(crd: CrdObject, condition: CrdCondition): boolean {
  const old = crd.status?.conditions?.find(({ type }) => type === condition.type);
  return old?.status !== condition.status || old.reason !== condition.reason || old.message !== condition.message;
}

function hasSameNames({ spec, status }: CrdObject): boolean {
  const accepted = status?.acceptedNames ?? {};
  return (
    accepted.plural === spec.names.plural &&
    accepted.singular === spec.names.singular &&
    accepted.kind === spec.names.kind &&
    accepted.listKind === spec.names.listKind &&
    String(accepted.shortNames ?? "") === String(spec.names.shortNames ?? "") &&
    String(accepted.categories ?? "") === String(spec.names.categories ?? "")
  );
}

function nameConflict(crd: CrdObject, all: readonly CrdObject[]): { reason: string; message: string } | undefined {
  const others = all.filter(
    (other) => other.metadata.name !== crd.metadata.name && other.spec.group === crd.spec.group,
  );
  const accepted = others.map(({ status }) => status?.acceptedNames ?? {});
  const resources = new Set(
    accepted.flatMap(({ plural, singular, shortNames }) => [plural, singular, ...(shortNames ?? [])]),
  );
  const kinds = new Set(accepted.flatMap(({ kind, listKind }) => [kind, listKind]));
  const { plural, singular = "", shortNames = [], kind, listKind = "" } = crd.spec.names;
  const candidates: readonly (readonly [string, string, ReadonlySet<string | undefined>])[] = [
    ["PluralConflict", plural, resources],
    ["SingularConflict", singular, resources],
    ...shortNames.map((name) => ["ShortNamesConflict", name, resources] as const),
    ["KindConflict", kind, kinds],
    ["ListKindConflict", listKind, kinds],
  ];
  const found = candidates.find(([, name, taken]) => name !== "" && taken.has(name));
  return found === undefined
    ? undefined
    : { reason: found[0], message: `${JSON.stringify(found[1])} is already in use` };
}
