// +groupName=golden.example.com
import type { int32, int64 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface Inner {
  a?: string;
  b?: int32;
}

export interface WidgetSpec {
  // +kubebuilder:default=hello world
  text?: string;
  // +kubebuilder:default="a, b"
  quoted?: string;
  // +kubebuilder:default=5
  number?: int32;
  // +kubebuilder:default=9223372036854775807
  huge?: int64;
  // +kubebuilder:default=true
  flag?: boolean;
  // +kubebuilder:default={a,b}
  list?: string[];
  // +kubebuilder:default=x;y;z
  legacy?: string[];
  // +kubebuilder:default={}
  empty?: string[];
  // +kubebuilder:default={}
  emptyMap?: Record<string, string>;
  // +kubebuilder:default={a: one, b: 2}
  object?: Inner;
  // +kubebuilder:default={{a: one}, {a: "two", b: 2}}
  objects?: Inner[];
  // +default="json"
  json?: string;
  // +default={"a":"x","b":7}
  jsonObject?: Inner;
  // +default=["p","q"]
  jsonList?: string[];
  // +default=null
  nothing?: string;
  // +default=ref(SomeConstant)
  reference?: string;
  // +default="loses"
  // +kubebuilder:default=wins
  both?: string;
  // +kubebuilder:example=3
  example?: int32;
  // +kubebuilder:example={a: x}
  exampleObject?: Inner;
  // +kubebuilder:title="A title"
  titled?: string;
  // +kubebuilder:externalDocs:url="https://example.com/docs",description=Read on
  documented?: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
