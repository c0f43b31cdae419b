import type { ApiObject } from "../../../../storage/api-object.ts";
import { objectIn, textIn, textsIn } from "../../../fields.ts";
import { rangeWarnings } from "./address-warnings.ts";

/** Returns the warnings about a Node. */
export function nodeWarnings(node: ApiObject): readonly string[] {
  const spec = objectIn(node, "spec");
  return [
    ...(spec?.["configSource"] === undefined ? [] : ["spec.configSource: the feature is removed"]),
    ...(textIn(spec, "externalID") === ""
      ? []
      : ["spec.externalID: this field is deprecated, and is unused by Kubernetes"]),
    ...textsIn(spec, "podCIDRs").flatMap((range, index) => rangeWarnings(`spec.podCIDRs[${index}]`, range)),
  ];
}
