import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/**
 * An object of any kind. One that came out of the store is frozen and shared; one that was just decoded belongs to its request.
 */
export interface ApiObject extends KubernetesObject {
  [field: string]: unknown;
}
