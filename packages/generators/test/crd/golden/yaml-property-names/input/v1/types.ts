// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  a10: string;
  a2: string;
  A: string;
  _a: string;
  "a-b": string;
  "a.b": string;
  a_b: string;
  aB: string;
  ab: string;
  yes: string;
  no: string;
  null: string;
  "1": string;
  on: string;
  "x y": string;
  $ref: string;
  y: string;
  "1.5": string;
  "0x1": string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
