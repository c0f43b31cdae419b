import { type GroupVersionKind, pluralize } from "@kubescaffold/k8s";
import { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";

/** What a kind alone does not say of its resource. */
export interface StandInOptions {
  /** Made from the kind when absent. */
  readonly plural?: string;
  /** Objects are in namespaces, unless this is false. */
  readonly namespaced?: boolean;
}

/**
 * Returns a definition that takes any object of a kind, for tests of controllers whose kind is defined elsewhere.
 *
 * It stands in for the real one where that is not at hand: nothing is checked, nothing defaulted, and there is a status. On a cluster that
 * someone uses it would replace the real one, so install it into servers that a test starts.
 *
 * @example
 * const environment = new Environment({ backend: "embedded", crds: [standInDefinition(Certificate)] });
 */
export function standInDefinition(
  { group, version, kind }: GroupVersionKind,
  { plural = pluralize(kind.toLowerCase()), namespaced = true }: StandInOptions = {},
): CustomResourceDefinition {
  return CustomResourceDefinition.create({
    metadata: { name: `${plural}.${group}`, annotations: approvalFor(group) },
    spec: {
      group,
      names: { kind, plural, listKind: `${kind}List`, singular: kind.toLowerCase() },
      scope: namespaced ? "Namespaced" : "Cluster",
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
          subresources: { status: {} },
        },
      ],
    },
  });
}

// Servers want to know of definitions in the groups of Kubernetes who has agreed to them.
function approvalFor(group: string): Readonly<Record<string, string>> {
  const isProtected = /(?:^|\.)(?:k8s|kubernetes)\.io$/u.test(group);
  return isProtected ? { "api-approved.kubernetes.io": "unapproved, stands in for the real one in tests" } : {};
}
