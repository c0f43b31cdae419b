// +groupName=golden.example.com
import type { int32, int64 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface Inner {
  a?: string;
  n?: int64;
}

export interface WidgetSpec {
  // +default="text"
  text?: string;
  // +default=1.0
  whole?: int32;
  // +default=9007199254740993
  huge?: int64;
  // +default=true
  flag?: boolean;
  // +default=[]
  noItems?: string[];
  // +default={}
  noFields?: Inner;
  // +default={"a":"x","n":12}
  object?: Inner;
  // +default=[{"a":"one"},{"n":2}]
  list?: Inner[];
  // +default={"k":"v","\u00e9":"\n"}
  table?: Record<string, string>;
  // +default=""
  empty?: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
