import { defineKind, type int32, type Kind, type Quantity } from "@kubescaffold/k8s";
import type { PodTemplateSpec, EnvVar } from "@kubescaffold/k8s/core/v1";
import type { Condition, KubernetesObject, LabelSelector, ObjectMeta } from "@kubescaffold/k8s/meta/v1";
import { GroupVersion } from "./groupversion_info.ts";

export interface Port {
  name: string;
  number: int32;
  /** +kubebuilder:default=TCP */
  protocol?: "TCP" | "UDP";
  inner?: { a?: string; b?: Base };
}
interface Hidden { x?: int32; base?: Base }
export interface Base { common?: string }
export type Source = { type: "git"; url: string } | { type: "http"; address: string; base?: Base };
/** GuestbookSpec. */
export interface GuestbookSpec extends Base {
  size?: int32;
  template: PodTemplateSpec;
  selector?: LabelSelector;
  /**
   * +listType=map
   * +listMapKey=name
   * +listMapKey=protocol
   */
  ports?: Port[];
  /** +listType=atomic */
  allPorts?: Port[];
  /** +listType=set */
  names?: string[];
  /**
   * +listType=map
   * +listMapKey=name
   */
  env?: EnvVar[];
  limits?: Record<string, Quantity>;
  bases?: Record<string, Base>;
  /** +mapType=atomic */
  fixed?: Record<string, Base>;
  /** +structType=atomic */
  whole?: Base;
  hidden?: Hidden;
  source?: Source;
  maybe?: Base | null;
  meta?: ObjectMeta;
  "odd-name"?: Partial<Base>;
}
export interface GuestbookStatus {
  /**
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}
/**
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 */
export interface Guestbook extends KubernetesObject {
  spec: GuestbookSpec;
  status?: GuestbookStatus;
}
export const Guestbook: Kind<Guestbook> = defineKind<Guestbook>(GroupVersion, "Guestbook");
