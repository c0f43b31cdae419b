// +groupName=golden.example.com
import type { Bytes, int32, int64, integer, IntOrString, JSONValue, Quantity, RawExtension } from "@kubescaffold/k8s";
import type { Duration, KubernetesObject, MicroTime, Time } from "@kubescaffold/k8s/meta/v1";

/** WidgetSpec has one property of each scalar type. */
export interface WidgetSpec {
  text: string;
  flag: boolean;
  whole: integer;
  small: int32;
  large: int64;
  blob: Bytes;
  time: Time;
  micro: MicroTime;
  wait: Duration;
  size: Quantity;
  port: IntOrString;
  raw: RawExtension;
  json: JSONValue;
}

/** Widget is a kind. */
export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
