// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/** Source has all forms of properties. */
// +kubebuilder:validation:MinProperties=1
export interface Source {
  /** a is text. */
  // +kubebuilder:validation:MinLength=1
  a: string;
  b?: int32;
  // +required
  c: boolean;
}

/** Box holds a value. */
export interface Box<T> {
  /** The value. */
  value: T;
  items?: T[];
}

export type Pair<A, B = A> = { left: A; right: B };

export const MODES = ["fast", "slow"] as const;
export const SIZES = { small: "S", large: "L" } as const;

export interface WidgetSpec {
  partial: Partial<Source>;
  picked: Pick<Source, "a" | "b">;
  omitted: Omit<Source, "a">;
  readonly readonly: Readonly<Source>;
  required: Required<Source>;
  record: Record<"x" | "y", int32>;
  box: Box<string>;
  boxOfBoxes: Box<Box<int32>>;
  pair: Pair<string>;
  nonNull: NonNullable<string | null>;
  without: Exclude<"a" | "b" | "c", "b">;
  only: Extract<"a" | "b", "b" | "c">;
  key: keyof Source;
  mode: (typeof MODES)[number];
  size: (typeof SIZES)[keyof typeof SIZES];
  indexed: Source["b"];
  list: ReadonlyArray<string>;
  frozen: readonly int32[];
  index: { [key: string]: boolean };
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
