// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  /** Short. */
  short: string;
  /** One sentence. And another one that is cut. */
  sentence: string;
  /** Really? Yes indeed, it is so long. */
  question: string;
  /** words without any end of a sentence in them */
  words: string;
  /** Donaudampfschifffahrtsgesellschaft */
  long: string;
  /** Exactly twenty bytes */
  exact: string;
  /**
   * First line
   * second line that goes on
   */
  lines: string;
  /** v1.2.3 is not the end of it */
  dots: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
