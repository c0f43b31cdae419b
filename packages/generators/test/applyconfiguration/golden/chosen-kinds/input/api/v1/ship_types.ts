import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { KubernetesObject, ObjectMeta } from "@kubescaffold/k8s/meta/v1";

import type { Crew } from "../common/crew.ts";

/**
 * HTTPShip lives in the cluster.
 * +kubebuilder:resource:scope=Cluster
 * +kubebuilder:ac:generate=true
 */
export interface HTTPShip extends KubernetesObject {
  spec?: ShipSpec;
}
export const HTTPShip: Kind<HTTPShip> = defineKind<HTTPShip>({ group: "fleet.example.com", version: "v1" }, "HTTPShip");

export type ShipSpec = { crew?: Crew; sisters?: ShipName[] };
export type ShipName = string;

/** Harbour has no configuration. */
export interface Harbour extends KubernetesObject {
  spec?: ShipSpec;
}

/**
 * Dock is a class.
 * +kubebuilder:ac:generate=true
 */
export class Dock {
  declare apiVersion: string;
  declare kind: string;
  declare metadata: ObjectMeta;
  spec?: ShipSpec;
  isFull(): boolean {
    return this.spec !== undefined;
  }
}

/**
 * Cargo is no kind.
 * +kubebuilder:ac:generate=true
 */
export interface Cargo {
  weight?: string;
}
