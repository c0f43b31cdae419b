import type { int64, IntOrString, JSONValue, Quantity, RawExtension } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:validation:XValidation:rule="!has(self.from) || self.from <= self.to",message="from must not be after to"
// +kubebuilder:validation:XValidation:rule="self.to < 1000000",messageExpression="'to is ' + string(self.to)"
export interface Literals {
  /** +kubebuilder:validation:Pattern=`^["'\\]{2}\s"$` */
  quoted?: string;
  /** +kubebuilder:default="it's \"quoted\" and 'single' and grün and 日本 \t" */
  text?: string;
  /** +kubebuilder:validation:Maximum=9007199254740993 */
  big?: int64;
  from?: int64;
  to: int64;
  /** +kubebuilder:validation:Enum=1000001;1000002;1000003;1000004;1000005;1000006;1000007;1000008;1000009;1000010;1000011;1000012;1000013;1000014 */
  many?: int64;
  /** +kubebuilder:validation:Enum=a-long-word;another-long-word;a-third-long-word;a-fourth-long-word;a-fifth-long-word;a-sixth-long-word */
  words?: string;
  /** +kubebuilder:default={one: {deep: {er: true}}, "t-wo": {1, 2}} */
  anything?: JSONValue;
  raw?: RawExtension;
  /** +kubebuilder:default="100Mi" */
  size?: Quantity;
  port?: IntOrString;
  "dashed-name"?: string | null;
  constructor_?: Record<string, string[]>;
}

/** +kubebuilder:object:root=true */
export interface Literal extends KubernetesObject {
  spec?: Literals;
}
