// +groupName=golden.example.com
import type { Bytes, IntOrString, JSONValue, Quantity, RawExtension } from "@kubescaffold/k8s";
import type { Duration, KubernetesObject, MicroTime, ObjectMeta, Time } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  /** A time. */
  time: Time;
  microTime: MicroTime;
  duration: Duration;
  quantity: Quantity;
  port: IntOrString;
  raw: RawExtension;
  json: JSONValue;
  bytes: Bytes;
  meta: ObjectMeta;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
