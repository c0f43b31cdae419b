// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface Inner {
  /**
   * a has text.
   * +kubebuilder:validation:MaxLength=5
   */
  a: string;
  b?: int32;
}

type Letters = "a" | "b" | "c";

export interface WidgetSpec {
  partial: Partial<Inner>;
  picked: Pick<Inner, "a">;
  omitted: Omit<Inner, "a">;
  required: Required<Inner>;
  readonly: Readonly<Inner>;
  record: Record<"x" | "y", Inner>;
  excluded: Exclude<Letters, "c">;
  extracted: Extract<Letters, "c">;
  nonNull: NonNullable<string | null>;
  /**
   * The field.
   * +kubebuilder:validation:MinProperties=1
   */
  marked: Partial<Pick<Inner, "a">>;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
