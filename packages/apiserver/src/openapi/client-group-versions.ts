import type { GroupVersion } from "@kubescaffold/k8s";

import type { MinorVersion, Release } from "../release/release.ts";

/** Returns the group versions that client-go of a release knows: documents of custom resources state them for kinds that all groups have. */
export function clientGroupVersions({ since }: Release): readonly GroupVersion[] {
  return KNOWN.flatMap(([group, versions, from = "1.0", until = "1.999"]) => {
    const isKnown = since(from) && !since(`1.${Number(until.slice(2)) + 1}`);
    return isKnown ? versions.split(" ").map((version) => ({ group, version })) : [];
  }).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function keyOf({ group, version }: GroupVersion): string {
  return `${group} ${version}`;
}

// Group, versions, and the first and the last minor version of Kubernetes with them.
const KNOWN: readonly (readonly [string, string, MinorVersion?, MinorVersion?])[] = [
  ["", "v1"],
  ["admissionregistration.k8s.io", "v1 v1alpha1 v1beta1"],
  ["apps", "v1 v1beta1 v1beta2"],
  ["authentication.k8s.io", "v1 v1alpha1 v1beta1"],
  ["authorization.k8s.io", "v1 v1beta1"],
  ["autoscaling", "v1 v2"],
  ["autoscaling", "v2beta1 v2beta2", "1.0", "1.35"],
  ["batch", "v1 v1beta1"],
  ["certificates.k8s.io", "v1 v1alpha1 v1beta1"],
  ["coordination.k8s.io", "v1 v1alpha2 v1beta1"],
  ["discovery.k8s.io", "v1 v1beta1"],
  ["events.k8s.io", "v1 v1beta1"],
  ["extensions", "v1beta1"],
  ["flowcontrol.apiserver.k8s.io", "v1 v1beta1 v1beta2 v1beta3"],
  ["internal.apiserver.k8s.io", "v1alpha1"],
  ["lifecycle.k8s.io", "v1alpha1", "1.37"],
  ["networking.k8s.io", "v1 v1beta1"],
  ["node.k8s.io", "v1 v1alpha1 v1beta1"],
  ["policy", "v1 v1beta1"],
  ["rbac.authorization.k8s.io", "v1 v1alpha1 v1beta1"],
  ["resource.k8s.io", "v1 v1alpha3 v1beta1 v1beta2"],
  ["scheduling.k8s.io", "v1 v1beta1"],
  ["scheduling.k8s.io", "v1alpha1", "1.0", "1.35"],
  ["scheduling.k8s.io", "v1alpha2", "1.36", "1.36"],
  ["scheduling.k8s.io", "v1alpha3", "1.37"],
  ["storage.k8s.io", "v1 v1alpha1 v1beta1"],
  ["storagemigration.k8s.io", "v1alpha1", "1.0", "1.34"],
  ["storagemigration.k8s.io", "v1beta1", "1.35"],
  ["storagemigration.k8s.io", "v1", "1.37"],
];
