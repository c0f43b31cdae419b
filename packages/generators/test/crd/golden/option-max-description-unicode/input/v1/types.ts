// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  /** ääääääää */
  umlauts: string;
  /** 日本語。日本語 */
  full: string;
  /** ab 😀😀😀 */
  emoji: string;
  /** aaaaaaa ä b */
  blank: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
