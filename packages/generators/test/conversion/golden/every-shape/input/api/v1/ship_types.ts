import type { int32, int64 } from "@kubescaffold/k8s";
import type { Container, PodTemplateSpec } from "@kubescaffold/k8s/core/v1";
import type { Condition, KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { Crew } from "../common/crew.ts";
import type { Engine } from "./engine.ts";

/** Color is an enum, whose members are types of their own. */
export enum Color {
  Red = "Red",
  Blue = "Blue",
}

/** Room was Cabin. */
export interface Room {
  /** beds is the number of beds. */
  beds: int32;
}

/** Deck is a struct in a list. */
export interface Deck {
  /** name is the key. */
  name: string;
  /** area was size. */
  area?: int32;
}

/** Hold has a further field. */
export interface Hold {
  /** volume is the volume. */
  volume?: int32;
  /** temperature is new. */
  temperature?: int32;
}

/** Mast is anonymous in part. */
export interface Mast {
  /** top is an anonymous struct. */
  top?: { flag: string };
}

/** ShipTarget is the destination. */
export interface ShipTarget {
  /** host is the host. */
  host: string;
}

/** ShipSpec defines the desired state. */
export interface ShipSpec {
  /** name is required in both. */
  name: string;
  /** replicas was size. */
  replicas?: int32;
  /** weight is widened. */
  weight?: int64;
  /** depth is narrowed. */
  depth?: int32;
  /** target is split. */
  target: ShipTarget;
  /** speed is required. */
  speed: int32;
  /** color is an enum. */
  color?: Color;
  /** colors are enums. */
  colors?: Color[];
  /** mode has more values. */
  mode?: "Sail" | "Row" | "Steam";
  /** tags is a list of scalars. */
  tags?: string[];
  /** labels is a map of scalars. */
  labels?: Record<string, string>;
  /** engine is a struct. */
  engine?: Engine;
  /** engines is a list of structs. */
  engines: Engine[];
  /** spares is a map of lists of structs. */
  spares?: Record<string, Engine[]>;
  /** cabin is a struct with another name. */
  cabin?: Room;
  /**
   * decks is a list with keys.
   * +listType=map
   * +listMapKey=name
   */
  decks?: Deck[];
  /** hold has more fields. */
  hold?: Hold;
  /** mast is anonymous in part. */
  mast?: Mast;
  /** crew is of a shared package. */
  crew?: Crew;
  /** template is a built-in type. */
  template?: PodTemplateSpec;
  /** containers are of a built-in type. */
  containers?: Container[];
  /** "odd-name" needs quotes. */
  "odd-name"?: string;
  /** maybe may be null. */
  maybe?: Engine | null;
  /** never may not be null. */
  never?: Engine;
}

/** ShipStatus defines the observed state. */
export interface ShipStatus {
  /** conditions describe the state. */
  conditions?: Condition[];
}

/**
 * Ship is a kind.
 * +kubebuilder:object:root=true
 * +kubebuilder:storageversion
 */
export interface Ship extends KubernetesObject {
  /** spec is the desired state. */
  spec: ShipSpec;
  /** status is the observed state. */
  status?: ShipStatus;
}
