// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/** Widget is described in two sentences. The second is too long for the limit of bytes. */
export interface Widget extends KubernetesObject {
  /** A text without the end of a sentence that goes on and on and on */
  spec: string;
  /** Averyveryverylongwordwithoutanyblankatallthatgoesonandonandon */
  word: string;
  /** Short. */
  short: string;
}
