import { dns1035LabelErrors, dns1123SubdomainErrors, labelValueErrors, qualifiedNameErrors } from "@kubescaffold/k8s";

import type { CrdNames } from "../contract/generator.ts";
import { compareBytes } from "../output/compare-bytes.ts";
import type { CheckCodeName } from "./check-codes.ts";
import { type CrdView, findingOf, kindLocation, kindMarkers, versionsOf } from "./crd-view.ts";
import type { Finding } from "./finding.ts";
import { placeOfEntry } from "./marker-argument.ts";

/** Finds names of a CRD (of the resource, its group, its versions, its labels and annotations) that servers reject, and a wrong scope. */
export function checkNames(view: CrdView): readonly Finding[] {
  return [
    ...checkResource(view),
    ...checkGroup(view),
    ...checkVersions(view),
    ...checkScope(view),
    ...checkMetadata(view),
    ...checkPreserving(view),
  ];
}

const RESOURCE = "kubebuilder:resource";

interface Report {
  readonly code?: CheckCodeName;
  readonly message: string;
  readonly hint: string;
  /** The marker that says it, with the argument and the entry that are meant. */
  readonly said?: { readonly marker: string; readonly argument: string; readonly entry: string };
}

function report(view: CrdView, { code = "CRD_NAME_INVALID", message, hint, said }: Report): Finding {
  const kind = kindLocation(view);
  const markers = said === undefined ? [] : kindMarkers(view, said.marker);
  const entry = said?.entry ?? "";
  const marker = markers.find(({ comment }) => comment.text.includes(entry));
  const location = marker === undefined ? kind : placeOfEntry(marker.comment, said?.argument ?? "", entry);
  return findingOf(code, { message, hint }, { location, owners: [kind] });
}

function checkResource(view: CrdView): readonly Finding[] {
  const { kind, plural, singular, shortNames, categories } = view.crd.draft;
  const names: readonly (readonly [what: string, argument: string, name: string])[] = [
    ["plural", "path", plural],
    ["singular", "singular", singular],
    ...shortNames.map((name) => ["short name", "shortName", name] as const),
    ...categories.map((name) => ["category", "categories", name] as const),
  ];
  const findings = names.flatMap(([what, argument, name]) =>
    dns1035LabelErrors(name).map((problem) =>
      report(view, {
        message: `servers reject the ${what} ${JSON.stringify(name)}: ${problem}`,
        hint: "use at most 63 lower-case letters, digits, and dashes, starting with a letter",
        said: { marker: RESOURCE, argument, entry: name },
      }),
    ),
  );
  const kindProblems = dns1035LabelErrors(`${kind}List`.toLowerCase());
  return [
    ...findings,
    ...kindProblems.map((problem) =>
      report(view, {
        message: `servers reject the kind ${kind}: in lower case, with List at its end, ${problem}`,
        hint: "use at most 59 letters and digits, starting with a letter",
      }),
    ),
  ];
}

const PROTECTED = /(?:^|\.)(?:k8s|kubernetes)\.io$/u;
const APPROVAL = "api-approved.kubernetes.io";

function checkGroup(view: CrdView): readonly Finding[] {
  const { group, annotations } = view.crd.draft;
  const hint = "fix // +groupName, such as apps.example.com";
  if (group === "") return [report(view, { message: "the group is empty, which API servers reject", hint })];
  const problems = dns1123SubdomainErrors(group);
  const findings = problems.map((problem) =>
    report(view, { message: `servers reject the group ${JSON.stringify(group)}: ${problem}`, hint }),
  );
  if (problems.length === 0 && !group.includes("."))
    return [
      report(view, { message: `servers reject the group ${JSON.stringify(group)}: it needs at least one dot`, hint }),
    ];
  const approval = annotations[APPROVAL] ?? "";
  if (!PROTECTED.test(group) || isApproval(approval)) return findings;
  return [
    ...findings,
    report(view, {
      code: "CRD_GROUP_PROTECTED",
      message: `the group ${group} belongs to Kubernetes, and API servers reject unapproved kinds in it`,
      hint: `use your own group, or +kubebuilder:metadata:annotations="${APPROVAL}=<address of the approval>" ("unapproved, testing" on test clusters)`,
    }),
  ];
}

function isApproval(text: string): boolean {
  return text.startsWith("unapproved") || (URL.canParse(text) && new URL(text).host !== "");
}

function checkVersions(view: CrdView): readonly Finding[] {
  return versionsOf(view).flatMap(({ version: { name, deprecated, deprecationWarning }, location }) => {
    const place = { location, owners: [location] };
    const invalid = dns1035LabelErrors(name).map((problem) =>
      findingOf(
        "CRD_NAME_INVALID",
        {
          message: `servers reject the version ${JSON.stringify(name)}: ${problem}`,
          hint: "rename the folder of the package, or write // +versionName, such as v1alpha1",
        },
        place,
      ),
    );
    const problem = deprecated === true ? warningProblem(deprecationWarning) : undefined;
    if (problem === undefined) return invalid;
    const finding = report(view, {
      code: "CRD_DEPRECATION_WARNING",
      message: `servers reject the deprecation warning of ${name}: it ${problem}`,
      hint: "write one line of at most 256 bytes, or omit warning= for the default text",
      said: { marker: "kubebuilder:deprecatedversion", argument: "warning", entry: deprecationWarning ?? "" },
    });
    return [...invalid, finding];
  });
}

const LONGEST_WARNING = 256;

function warningProblem(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (text === "") return "is empty";
  const bytes = Buffer.byteLength(text);
  if (bytes > LONGEST_WARNING) return `has ${bytes} bytes, more than ${LONGEST_WARNING}`;
  return /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(text) ? "has non-printable characters" : undefined;
}

function checkScope(view: CrdView): readonly Finding[] {
  const { scope } = view.crd.draft;
  if (scope === "Namespaced") return [];
  if (scope === "Cluster") return checkBase(view);
  const message = `servers reject the scope ${JSON.stringify(scope)}`;
  const said = { marker: RESOURCE, argument: "scope", entry: scope };
  return [report(view, { code: "CRD_SCOPE_INVALID", message, hint: "write scope=Namespaced or scope=Cluster", said })];
}

const NAMESPACED = "@kubescaffold/k8s/meta/v1#NamespacedObject";

function checkBase(view: CrdView): readonly Finding[] {
  const index = view.index();
  const isWrong = versionsOf(view).some(({ location }) => {
    const place = index.placeAt(location);
    return place !== undefined && index.isBasedOn(place, NAMESPACED);
  });
  if (!isWrong) return [];
  const message = `${view.crd.draft.kind} is cluster-scoped and extends NamespacedObject, so its type has a namespace that objects do not have`;
  const said = { marker: RESOURCE, argument: "scope", entry: "Cluster" };
  return [
    report(view, { code: "CRD_SCOPE_MISMATCH", message, hint: "extend KubernetesObject, or omit scope=Cluster", said }),
  ];
}

function checkMetadata(view: CrdView): readonly Finding[] {
  const { annotations, labels } = view.crd.draft;
  const entries = [
    ...Object.keys(annotations).map((key) => ["annotation", key, qualifiedNameErrors(key.toLowerCase())] as const),
    ...Object.entries(labels).map(
      ([key, value]) => ["label", key, [...qualifiedNameErrors(key), ...labelValueErrors(value)]] as const,
    ),
  ];
  return entries.flatMap(([what, key, problems]) =>
    problems.map((problem) =>
      report(view, {
        code: "CRD_METADATA_INVALID",
        message: `servers reject the ${what} ${JSON.stringify(key)}: ${problem}`,
        hint: `write +kubebuilder:metadata:${what}s="example.com/key=value"`,
        said: { marker: "kubebuilder:metadata", argument: `${what}s`, entry: key },
      }),
    ),
  );
}

function checkPreserving(view: CrdView): readonly Finding[] {
  const { spec } = view.object() as { readonly spec: { readonly preserveUnknownFields?: boolean } };
  if (spec.preserveUnknownFields !== true) return [];
  const message = "servers reject spec.preserveUnknownFields: true in CRDs of version v1";
  const hint =
    "omit deprecatedV1beta1CompatibilityPreserveUnknownFields, and mark the fields with +kubebuilder:pruning:PreserveUnknownFields";
  return [report(view, { code: "CRD_PRESERVE_UNKNOWN", message, hint })];
}

/** Finds kinds of one group that share a name, whether this run generated their CRDs or took them from the cache: a server accepts each name once. */
export function checkConflicts(crds: readonly CrdNames[]): readonly Finding[] {
  const owners = new Map<string, string>();
  return crds
    .toSorted((left, right) => compareBytes(`${left.kind}.${left.group}`, `${right.kind}.${right.group}`))
    .flatMap((crd) =>
      claimsOf(crd).flatMap(({ key, name }): readonly Finding[] => {
        const owner = owners.get(key);
        if (owner !== undefined) return [conflict(crd, owner, name)];
        owners.set(key, crd.kind);
        return [];
      }),
    );
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

function conflict({ kind, group, location }: CrdNames, owner: string, name: string): Finding {
  const message = `${kind} and ${owner} both have the name ${JSON.stringify(name)} in the group ${group}; an API server serves only one of them`;
  const hint = "give one of them another name with +kubebuilder:resource:path=…,singular=…,shortName=…";
  return findingOf("CRD_NAME_CONFLICT", { message, hint }, { location, owners: [location] });
}
