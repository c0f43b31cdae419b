// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { Door } from "../shared/index.ts";
import type { Name, Port as Gate } from "../shared/types.ts";
import type * as all from "../shared/index.ts";
import { type Port } from "../shared/index.ts";

export interface WidgetSpec {
  first: Port;
  second: Gate;
  third: Door;
  // +kubebuilder:validation:XValidation:rule="self.number > 0"
  fourth: all.shared.Port;
  name: Name;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
