// +groupName=sea.example.com
// +kubebuilder:object:generate=true
// +kubebuilder:ac:generate=true
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import Height from "./height.ts";
import { default as Phase } from "./phase.ts";

/** TideSpec defines the desired state. */
interface TideSpec {
  height: Height;
  phase?: Phase;
}
export { TideSpec as Spec };

/** Tide is a kind that its file exports as its default. */
export default interface Tide extends KubernetesObject {
  spec: TideSpec;
}
