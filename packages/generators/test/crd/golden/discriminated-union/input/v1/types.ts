// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/** Storage is one of several. */
export type Storage =
  | {
      /** The kind of storage. */
      type: "disk";
      /** Where it is. */
      path: string;
      size: int32;
    }
  | { type: "memory" | "swap"; size: int32; shared?: boolean }
  | { type: "none" };

export interface Widget extends KubernetesObject {
  spec: Storage;
}
