import type { int32 } from "@kubescaffold/k8s";

/** Engine is equal in both versions. */
export interface Engine {
  /** power is the power. */
  power?: int32;
}
