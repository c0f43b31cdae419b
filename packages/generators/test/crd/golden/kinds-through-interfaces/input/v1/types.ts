// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface Spec {
  size: int32;
}

interface WithSpec extends KubernetesObject {
  spec: Spec;
}

export interface Gadget extends WithSpec {}

interface Hidden extends KubernetesObject {
  spec: Spec;
}

export { Hidden };

/** Widget is made of parts. */
export type Widget = KubernetesObject & {
  spec: Spec;
};
