import type { int32, int64 } from "@kubescaffold/k8s";
import type { Container, PodTemplateSpec } from "@kubescaffold/k8s/core/v1";
import type { Condition, KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { Crew } from "../common/crew.ts";

/** Color is an enum, whose members are types of their own. */
export enum Color {
  Red = "Red",
  Blue = "Blue",
}

/** Engine is equal in both versions. */
export interface Engine {
  /** power is the power. */
  power?: int32;
}

/** Cabin has another name in v1. */
export interface Cabin {
  /** beds is the number of beds. */
  beds: int32;
}

/** Deck is a struct in a list, with a field that v1 renames. */
export interface Deck {
  /** name is the key. */
  name: string;
  /** size becomes area. */
  size?: int32;
}

/** Hold has only fields that v1 adds to. */
export interface Hold {
  /** volume is the volume. */
  volume?: int32;
}

/** Mast nests itself through nothing; it is anonymous in part. */
export interface Mast {
  /** top is an anonymous struct. */
  top?: { flag: string };
}

/** ShipSpec defines the desired state. */
export interface ShipSpec {
  /** name is required in both. */
  name: string;
  /** size is renamed. */
  size?: int32;
  /** weight is widened. */
  weight?: int32;
  /** depth is narrowed. */
  depth?: int64;
  /** target is split. */
  target: string;
  /** speed is required later. */
  speed?: int32;
  /** color is an enum. */
  color?: Color;
  /** colors are enums. */
  colors?: Color[];
  /** mode has more values in v1. */
  mode?: "Sail" | "Row";
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
  cabin?: Cabin;
  /**
   * decks is a list with keys.
   * +listType=map
   * +listMapKey=name
   */
  decks?: Deck[];
  /** hold has more fields in v1. */
  hold?: Hold;
  /** mast is anonymous in part. */
  mast?: Mast;
  /** crew is of a shared package. */
  crew?: Crew;
  /** template is a built-in type. */
  template?: PodTemplateSpec;
  /** containers are of a built-in type. */
  containers?: Container[];
  /**
   * note is dropped.
   * +k8s:conversion-gen=false
   */
  note?: string;
  /** "odd-name" needs quotes. */
  "odd-name"?: string;
  /** maybe may be null. */
  maybe?: Engine | null;
  /** never may not be null in v1. */
  never?: Engine | null;
}

/** ShipStatus defines the observed state. */
export interface ShipStatus {
  /** conditions describe the state. */
  conditions?: Condition[];
}

/**
 * Ship is a kind.
 * +kubebuilder:object:root=true
 */
export interface Ship extends KubernetesObject {
  /** spec is the desired state. */
  spec: ShipSpec;
  /** status is the observed state. */
  status?: ShipStatus;
}
