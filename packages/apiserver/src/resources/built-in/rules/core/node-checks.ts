import type { ApiObject } from "../../../../storage/api-object.ts";
import { objectIn, textIn, textsIn } from "../../../fields.ts";
import type { BuiltInChecks } from "../checks/built-in-checks.ts";
import { rangeWarnings } from "../warnings/address-warnings.ts";
import { nodeErrors, nodeStatusErrors } from "./node-errors.ts";

/** Checks of Nodes. */
export const nodeChecks: BuiltInChecks = {
  validate: (node, _context, old) => nodeErrors(node, old),
  validateStatus: (node, old) => nodeStatusErrors(node, old),
  warnings: (node) => nodeWarnings(node),
};

function nodeWarnings(node: ApiObject): readonly string[] {
  const spec = objectIn(node, "spec");
  return [
    ...(spec?.["configSource"] === undefined ? [] : ["spec.configSource: the feature is removed"]),
    ...(textIn(spec, "externalID") === ""
      ? []
      : ["spec.externalID: this field is deprecated, and is unused by Kubernetes"]),
    ...textsIn(spec, "podCIDRs").flatMap((range, index) => rangeWarnings(`spec.podCIDRs[${index}]`, range)),
  ];
}
