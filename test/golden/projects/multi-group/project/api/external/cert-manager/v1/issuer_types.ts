// The definitions of these kinds are another project's.
// +kubebuilder:skip

import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/** Issuer is a kind of another project. */
export interface Issuer extends KubernetesObject {
  spec: { selfSigned?: Readonly<Record<string, string>> };
}

export const Issuer: Kind<Issuer> = defineKind<Issuer>({ group: "cert-manager.io", version: "v1" }, "Issuer");
