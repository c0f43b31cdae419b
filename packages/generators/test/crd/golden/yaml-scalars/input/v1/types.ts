// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  // +kubebuilder:validation:Enum="yes";"no";"null";"~";"1";"0x1f";"1.5";"2024-01-15";"1:30";"";" lead";"a: b";"a #b";"- x";"*";"&a";"!t";"%p";"@m";"true";"y"
  words: string;
  // +kubebuilder:default="tab\there"
  tab?: string;
  // +kubebuilder:default="line\nbreak"
  line?: string;
  // +kubebuilder:default="line\nbreak\n"
  lines?: string;
  // +kubebuilder:default="\U0001F600"
  emoji?: string;
  // +kubebuilder:default="it's \"quoted\" \\ back"
  quotes?: string;
  // +kubebuilder:default={b: 1, a10: 2, a2: 3, _x: 4, B: 5, a-b: 6, "é": 7, "1": 8}
  keys?: Record<string, int32>;
  // +kubebuilder:default=100Mi
  bare?: string;
  // +kubebuilder:default=2024-01-15
  date?: string;
  // +kubebuilder:default='d'
  single?: string;
  "dashed-name": string;
  "1digit"?: string;
  _under?: string;
  UPPER?: string;
  true?: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
