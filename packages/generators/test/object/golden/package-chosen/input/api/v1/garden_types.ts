import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { Plant, Soil } from "./plant_types.ts";

/** Season is a single value, so it has no schema of its own. */
export type Season = "spring" | "summer" | "autumn" | "winter";

/** Beds are by name. */
export type Beds = Record<string, Bed>;

/** Bed holds plants. */
export interface Bed {
  /**
   * +kubebuilder:validation:MaxItems=50
   * +listType=map
   * +listMapKey=name
   */
  plants?: Plant[];
  soil?: Soil;
}

/** Hidden is not exported, so it is written out where it is used. */
interface Hidden {
  /** +kubebuilder:default="somewhere behind the shed, where nobody looks" */
  place?: string;
  /** +kubebuilder:validation:Minimum=0 */
  depth: int32;
}

/** Box is generic. */
export interface Box<T> {
  content?: T;
}

/** Unused is not part of a kind. */
export interface Unused {
  nothing?: string;
}

/** GardenSpec is what a gardener wants. */
export interface GardenSpec {
  beds?: Beds;
  season: Season;
  hidden?: Hidden;
  box?: Box<Soil>;
  /** +kubebuilder:default={acidity: 3} */
  bestSoil?: Soil;
}

/**
 * Garden is a kind of the cluster.
 * +kubebuilder:object:root=true
 * +kubebuilder:resource:scope=Cluster
 */
export interface Garden extends KubernetesObject {
  spec: GardenSpec;
}
