import { groupKindToString, type GroupKind, type GroupVersionKind, gvkOf, resourceNameOf } from "@kubescaffold/k8s";
import { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { builtInResources } from "@kubescaffold/k8s/schemas";

import { FakeClientOptionsError } from "../failures/errors.ts";
import { isCrd } from "../install/manifests.ts";

/** A custom kind without a definition: the value of a kind (`Guestbook`), or its group, version, and kind. */
export interface ServedKind extends GroupVersionKind {
  /** The plural name of the resource. Default: derived from the kind, as controller-gen does. */
  readonly plural?: string;
  /** Whether the objects are namespaced. Default: that of the client's first object of the kind; true without one. */
  readonly namespaced?: boolean;
}

/** The options that name kinds. */
interface NamedKinds {
  readonly objects?: readonly KubernetesObject[];
  readonly kinds?: readonly ServedKind[];
  readonly statusSubresources?: readonly ServedKind[];
  readonly crds?: readonly CustomResourceDefinition[];
  readonly indexed: readonly GroupVersionKind[];
}

/**
 * Returns the definitions of all custom kinds that the options name: the given ones, and one for each kind without any, which accepts every field.
 *
 * Fails: {@link FakeClientOptionsError}.
 */
export function definitionsFor(options: NamedKinds): readonly CustomResourceDefinition[] {
  const { objects = [], kinds = [], statusSubresources = [], crds = [], indexed } = options;
  const given = crds.map((crd) => withoutConversion(checked(crd)));
  const known = [...given, ...objects.filter(isCrd)];
  statusSubresources.forEach((kind) => requireStatus(kind, known));
  const missing = [...kinds, ...statusSubresources, ...indexed, ...objects.map(kindOf)].filter(
    (kind) => kind.kind !== "" && !isBuiltIn(kind) && definitionOf(kind, known) === undefined,
  );
  const byKind = new Map<string, ServedKind[]>();
  for (const kind of missing) {
    const name = groupKindToString(kind);
    byKind.set(name, [...(byKind.get(name) ?? []), kind]);
  }
  return [...given, ...[...byKind.values()].map((same) => schemalessDefinition(same, statusSubresources))];
}

/** Returns a definition whose versions are converted by name only; a fake client calls no webhooks. */
export function withoutConversion(crd: CustomResourceDefinition): CustomResourceDefinition {
  return crd.spec.conversion?.strategy === "Webhook"
    ? { ...crd, spec: { ...crd.spec, conversion: { strategy: "None" } } }
    : crd;
}

function checked(crd: CustomResourceDefinition): CustomResourceDefinition {
  if (isCrd(crd)) return crd;
  const { apiVersion, kind } = crd as Partial<KubernetesObject>;
  throw new FakeClientOptionsError(
    `cannot use ${apiVersion ?? ""} ${kind ?? "an object without a kind"} as a definition: crds takes CustomResourceDefinitions of apiextensions.k8s.io/v1`,
  );
}

function kindOf(object: KubernetesObject): ServedKind {
  const { apiVersion = "", kind = "", metadata } = object as Partial<KubernetesObject>;
  return { ...gvkOf({ apiVersion, kind }), namespaced: (metadata?.namespace ?? "") !== "" };
}

function isBuiltIn({ group, version, kind }: GroupVersionKind): boolean {
  const sameKind = builtInResources.filter((each) => each.group === group && each.kind === kind);
  if (sameKind.length === 0 && group !== "") return false;
  if (sameKind.some((each) => each.version === version)) return true;
  const versions = sameKind.map((each) => each.version).join(", ");
  throw new FakeClientOptionsError(
    `cannot serve ${kind} of ${group === "" ? "the core group" : group} in version ${version}: ${
      versions === "" ? "it is no built-in kind" : `the built-in kind has only ${versions}`
    }`,
  );
}

function definitionOf(
  { group, kind }: GroupKind,
  crds: readonly CustomResourceDefinition[],
): CustomResourceDefinition | undefined {
  return crds.find(({ spec }) => spec.group === group && spec.names.kind === kind);
}

// The definition decides, and a test that states something else would test what no cluster does.
function requireStatus(kind: ServedKind, crds: readonly CustomResourceDefinition[]): void {
  const version = definitionOf(kind, crds)?.spec.versions.find(({ name }) => name === kind.version);
  if (version !== undefined && version.subresources?.status === undefined) {
    throw new FakeClientOptionsError(
      `cannot make the status of ${groupKindToString(kind)} a subresource: its definition has none in version ${kind.version}`,
      { hint: "add the marker +kubebuilder:subresource:status to the type, and run `npm run manifests`" },
    );
  }
}

function schemalessDefinition(
  same: readonly ServedKind[],
  statusSubresources: readonly ServedKind[],
): CustomResourceDefinition {
  const [{ group, kind, version: storage }] = same as readonly [ServedKind];
  const plural = same.find((each) => each.plural !== undefined)?.plural ?? resourceNameOf(kind);
  const namespaced = same.find((each) => each.namespaced !== undefined)?.namespaced ?? true;
  const versions = [...new Set(same.map(({ version }) => version))];
  const hasStatus = statusSubresources.some((each) => each.group === group && each.kind === kind);
  return CustomResourceDefinition.create({
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, plural },
      scope: namespaced ? "Namespaced" : "Cluster",
      versions: versions.map((name) => ({
        name,
        served: true,
        storage: name === storage,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
        ...(hasStatus ? { subresources: { status: {} } } : {}),
      })),
    },
  });
}
