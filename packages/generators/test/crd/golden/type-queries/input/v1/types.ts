// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface Port {
  name: string;
  number: int32;
}

const colors = ["red", "green"] as const;
const levels = { LOW: "low", HIGH: "high" } as const;
const ranks = { one: 1, two: 2 } as const;

export interface WidgetSpec {
  number: Port["number"];
  key: keyof Port;
  color: (typeof colors)[number];
  level: (typeof levels)[keyof typeof levels];
  rank: (typeof ranks)[keyof typeof ranks];
  levelName: keyof typeof levels;
  port: import("./types.ts").Port;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
