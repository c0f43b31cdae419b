// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  plain: string;
  asked?: string;
  // +optional
  optionalMarker: string;
  // +required
  requiredMarker?: string;
  // +kubebuilder:validation:Optional
  longOptional: string;
  // +kubebuilder:validation:Required
  longRequired?: string;
  // +kubebuilder:validation:Required
  // +optional
  both?: string;
  // +nullable
  nullable?: string;
  orUndefined: string | undefined;
  orNull: string | null;
}

export interface Widget extends KubernetesObject {
  spec?: WidgetSpec;
}
