import type { EphemeralContainer, PodSpec, ResourceRequirements } from "@kubescaffold/k8s/core/v1";

/** When a Pod of the table is observed. */
export type Until =
  | { readonly kind: "end" }
  | { readonly kind: "ready" }
  | { readonly kind: "event"; readonly reason: string }
  | { readonly kind: "waiting"; readonly reason: string }
  /** A container runs, or waits to run, again. */
  | { readonly kind: "restarted" }
  /** An ephemeral container has this state. */
  | { readonly kind: "debugged"; readonly state: "running" | "terminated" };

/** A change of a Pod that is ready. */
export type Change =
  | { readonly kind: "delete" }
  | { readonly kind: "debug"; readonly container: EphemeralContainer }
  | { readonly kind: "image"; readonly image: string }
  | { readonly kind: "resize"; readonly resources: ResourceRequirements };

/** A Pod that runs on a real node and on the embedded cluster. */
export interface TablePod {
  readonly name: string;
  readonly spec: PodSpec;
  /** Annotations, such as the fault that the embedded cluster simulates. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Whether the Pod names its Node, so that no scheduler checks it. */
  readonly isBound?: boolean;
  /** What is changed once the Pod is ready, before it is observed. */
  readonly change?: Change;
  readonly until: Until;
}
