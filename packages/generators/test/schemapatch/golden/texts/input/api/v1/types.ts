import type { int32, int64 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/**
 * Widget turns.
 *
 *   - first
 *   - second: "quoted"
 */
export interface Widget extends KubernetesObject {
  // +kubebuilder:validation:Pattern=`^[a-z]{2}\d+"'$`
  /** Yes: a colon */
  yes: string;
  /**
   * # begins with a hash
   * +kubebuilder:default="true"
   */
  true: string;
  /**
   * ends with a colon:
   * +kubebuilder:default="1e3"
   */
  "1": string;
  // +kubebuilder:validation:Enum="1";on;"null";"~";"";" a";"a ";"2020-01-01";"0x1f";"<<";"-";"- a";"1_000";"#a";"a #b";"a: b";"*";"&a";"!b";"%c";"@d";"|";">";"{";"[";"?";"=";"."
  /** 'quoted' text */
  null: string;
  /**
   * ünïcödé 日本 🎉 text
   * +kubebuilder:default="tab\there"
   */
  "a b": string;
  /**
   * +kubebuilder:validation:Maximum=1000000000000
   * +kubebuilder:validation:Minimum=-5
   * +kubebuilder:validation:MultipleOf=5
   * +kubebuilder:default=10
   */
  number: int64;
  /** +kubebuilder:validation:XValidation:rule="self > 1 && self < 3",message="it's between",reason=FieldValueForbidden */
  rule: int32;
  /** +kubebuilder:default={b: {c: "1"}, a: "x"} */
  map: Record<string, string>;
  /**
   * +kubebuilder:validation:items:MinLength=2
   * +kubebuilder:validation:MaxItems=3
   * +listType=set
   */
  list: string[];
}
