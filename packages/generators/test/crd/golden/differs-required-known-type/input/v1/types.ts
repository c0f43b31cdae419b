// +groupName=golden.example.com
import type { Quantity } from "@kubescaffold/k8s";
import type { KubernetesObject, Time } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  // +k8s:required
  amount: Quantity;
  // +k8s:required
  time: Time;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
