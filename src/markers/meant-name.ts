import { CATALOGUE } from "./catalogue.ts";
import { nearestName } from "./nearest-name.ts";

// Names that people write, though they were never those of markers, and that no spelling leads from to the right ones.
const OFTEN_MEANT: ReadonlyMap<string, string> = new Map([
  ["kubebuilder:validation:Nullable", "nullable"],
  ["kubebuilder:nullable", "nullable"],
  ["kubebuilder:validation:Default", "kubebuilder:default"],
  ["kubebuilder:validation:OneOf", "kubebuilder:validation:ExactlyOneOf"],
  ["kubebuilder:validation:XEmbedded", "kubebuilder:validation:XEmbeddedResource"],
  ["kubebuilder:validation:ListType", "listType"],
  ["kubebuilder:listType", "listType"],
  ["kubebuilder:validation:ListMapKey", "listMapKey"],
  ["kubebuilder:listMapKey", "listMapKey"],
  ["kubebuilder:validation:MapType", "mapType"],
  ["kubebuilder:optional", "optional"],
  ["kubebuilder:required", "required"],
  ["kubebuilder:deprecated", "kubebuilder:deprecatedversion"],
  ["kubebuilder:immutable", "k8s:immutable"],
  ["kubebuilder:validation:Immutable", "k8s:immutable"],
  ["k8s:format", "kubebuilder:validation:Format"],
  ["k8s:minLength", "kubebuilder:validation:MinLength"],
  ["k8s:maxLength", "kubebuilder:validation:MaxLength"],
  ["k8s:minItems", "kubebuilder:validation:MinItems"],
  ["k8s:unionMember", "kubebuilder:validation:ExactlyOneOf"],
  ["k8s:unionDiscriminator", "kubebuilder:validation:ExactlyOneOf"],
]);

/** Finds the marker that somebody who wrote another name most likely meant; undefined when none is near. */
export function meantName(name: string): string | undefined {
  return (
    OFTEN_MEANT.get(name.replace(/=.*$/u, "")) ??
    nearestName(name, CATALOGUE.keys()) ??
    // Arguments may begin in the last segment.
    nearestName(name.replace(/:[^:]*$/u, ""), CATALOGUE.keys())
  );
}
