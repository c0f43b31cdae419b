// +groupName=golden.example.com
import type { float64 } from "@kubescaffold/k8s";
import type { KubernetesObject, Nonexistent } from "@kubescaffold/k8s/meta/v1";
import type { Gone } from "./gone.ts";

export interface WidgetSpec {
  anything: any;
  unknown: unknown;
  object: object;
  date: Date;
  map: Map<string, string>;
  set: Set<string>;
  big: bigint;
  symbol: symbol;
  call: () => void;
  method(): void;
  tuple: [string, string];
  mapped: { [key in "a" | "b"]: string };
  conditional: string extends number ? string : boolean;
  bare: number;
  float: float64;
  union: string | { a: string };
  mixed: "a" | 1;
  missing: NotDeclared;
  gone: Gone;
  nonexistent: Nonexistent;
  untyped;
  numberKeys: Record<number, string>;
  beside: { [key: string]: string; a: string };
  nothing: null;
  [Symbol.iterator]: string;
  promise: Promise<string>;
  branded: string & { readonly brand: "x" };
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
