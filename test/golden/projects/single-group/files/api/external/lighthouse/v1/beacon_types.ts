// The definitions of these kinds are another project's.
// +kubebuilder:skip

import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/** Beacon is a kind of another project. */
export interface Beacon extends KubernetesObject {
  spec: { lit?: boolean };
}

export const Beacon: Kind<Beacon> = defineKind<Beacon>({ group: "lighthouse.example.org", version: "v1" }, "Beacon");
