// +groupName=strings.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { HorizontalPodAutoscalerConditionType } from "@kubescaffold/k8s/autoscaling/v2";
import type { ConcurrencyPolicy } from "@kubescaffold/k8s/batch/v1";
import type * as corev1 from "@kubescaffold/k8s/core/v1";
import type { ConditionStatus, KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { PathType } from "@kubescaffold/k8s/networking/v1";
import type { DeviceTaintEffect } from "@kubescaffold/k8s/resource/v1";

/** Fallback is a policy under another name. */
export type Fallback = corev1.PullPolicy;

/** RunnerSpec defines the desired state. */
export interface RunnerSpec {
  /** Plain use. */
  restart: corev1.RestartPolicy;
  /** Optional use. */
  pull?: corev1.PullPolicy;
  /**
   * With a default.
   * +kubebuilder:default=Allow
   */
  concurrency?: ConcurrencyPolicy;
  /**
   * With an enum.
   * +kubebuilder:validation:Enum=TCP;UDP
   */
  protocol: corev1.Protocol;
  /** Required, in the middle. */
  type: corev1.ServiceType;
  /** Nullable. */
  path: PathType | null;
  /**
   * In a list.
   * +listType=set
   */
  capabilities: corev1.Capability[];
  /**
   * In a list with items that are checked.
   * +kubebuilder:validation:items:Enum=ReadWriteOnce;ReadOnlyMany
   */
  modes: corev1.PersistentVolumeAccessMode[];
  /** In a map. */
  statuses: Record<string, ConditionStatus>;
  /** As the keys of a map. */
  limits?: Record<corev1.ResourceName, int32>;
  /** Under another name. */
  fallback: Fallback;
  /** With an enum of the API's own. */
  effect: DeviceTaintEffect;
  /**
   * With more marks than the API's own enum.
   * +kubebuilder:validation:Enum=NoExecute
   */
  stricter: DeviceTaintEffect;
  /** Of an open type. */
  condition?: HorizontalPodAutoscalerConditionType;
  /** Beside the struct that has such fields. */
  toleration: corev1.Toleration;
}

/** Runner is a kind with named strings. */
export interface Runner extends KubernetesObject {
  spec: RunnerSpec;
}
