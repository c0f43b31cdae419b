// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  noDiscriminant: { a: string } | { b: string };
  sameValue: { type: "a"; x: string } | { type: "a"; y: string };
  otherSchema: { type: "a"; x: string } | { type: "b"; x: int32 };
  withDefault:
    | {
        type: "a";
        // +kubebuilder:default=1
        x?: int32;
      }
    | { type: "b" };
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
