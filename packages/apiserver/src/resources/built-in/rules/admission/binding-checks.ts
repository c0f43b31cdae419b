import {
  dns1123SubdomainErrors,
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
} from "@kubescaffold/k8s";
import { pathSegmentErrors } from "@kubescaffold/schema/values";

import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, textIn, textsIn } from "../../../fields.ts";
import type { BuiltInChecks } from "../checks/built-in-checks.ts";
import { declaredDetail } from "../checks/declared-rules.ts";
import { labelSelectorErrors } from "../checks/label-selector-rules.ts";
import { duplicatesIn } from "./match-condition-rules.ts";
import { choiceErrors, matchResourceErrors } from "./match-resource-rules.ts";
import { mutatedOperationErrors } from "./mutating-policy-checks.ts";
import { staticNameErrors, staticNameWarnings } from "./static-names.ts";

/** Checks of ValidatingAdmissionPolicyBindings. */
export const policyBindingChecks: BuiltInChecks = {
  validate: (binding, _context, old) => [
    ...bindingErrors(objectIn(binding, "spec") ?? {}),
    ...staticNameErrors(binding, old),
  ],
  warnings: (binding, old) => staticNameWarnings(binding, old),
};

/** Checks of MutatingAdmissionPolicyBindings. */
export const mutatingBindingChecks: BuiltInChecks = {
  validate: (binding, _context, old) => {
    const spec = objectIn(binding, "spec") ?? {};
    const resources = objectIn(spec, "matchResources");
    return [
      ...targetErrors(spec),
      ...mutatedOperationErrors(resources, "spec.matchResources"),
      ...staticNameErrors(binding, old),
    ];
  },
  warnings: (binding, old) => staticNameWarnings(binding, old),
};

function bindingErrors(spec: MutableJsonObject): readonly FieldError[] {
  return [...targetErrors(spec), ...actionErrors(textsIn(spec, "validationActions"))];
}

function targetErrors(spec: MutableJsonObject): readonly FieldError[] {
  const policyName = textIn(spec, "policyName");
  return [
    ...(policyName === ""
      ? [requiredField("spec.policyName")]
      : dns1123SubdomainErrors(policyName).map((problem) => invalidField("spec.policyName", policyName, problem))),
    ...paramRefErrors(objectIn(spec, "paramRef")),
    ...matchResourceErrors(objectIn(spec, "matchResources"), "spec.matchResources"),
  ];
}

const EXCLUSIVE = "name and selector are mutually exclusive";
const NOT_FOUND_ACTIONS = ["Deny", "Allow"] as const;

function paramRefErrors(reference: MutableJsonObject | undefined): readonly FieldError[] {
  if (reference === undefined) return [];
  const path = "spec.paramRef";
  const name = textIn(reference, "name");
  const selector = objectIn(reference, "selector");
  const action = textIn(reference, "parameterNotFoundAction");
  const hasBoth = name !== "" && selector !== undefined;
  return [
    ...(name === ""
      ? []
      : pathSegmentErrors(name, false).map((problem) => invalidField(`${path}.name`, name, problem))),
    ...(hasBoth ? [forbiddenField(`${path}.name`, EXCLUSIVE)] : []),
    ...labelSelectorErrors(selector, `${path}.selector`),
    ...(hasBoth ? [forbiddenField(`${path}.selector`, EXCLUSIVE)] : []),
    ...(name === "" && selector === undefined
      ? [requiredField(path, "one of name or selector must be specified")]
      : []),
    ...(action === ""
      ? [requiredField(`${path}.parameterNotFoundAction`)]
      : choiceErrors(action, NOT_FOUND_ACTIONS, `${path}.parameterNotFoundAction`)),
  ];
}

const ACTIONS = ["Audit", "Deny", "Warn"] as const;
const REPEATED =
  "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)";

function actionErrors(actions: readonly string[]): readonly FieldError[] {
  const path = "spec.validationActions";
  const duplicateErrors = duplicatesIn(actions);
  return [
    ...actions.flatMap((action, index) => {
      const at = `${path}[${String(index)}]`;
      const isKnown = (ACTIONS as readonly string[]).includes(action);
      return [...(isKnown ? [] : [unsupportedField(at, action, ACTIONS)]), ...duplicateErrors(index, at)];
    }),
    ...(actions.includes("Deny") && actions.includes("Warn") ? [invalidField(path, actions, REPEATED)] : []),
    ...(actions.length === 0
      ? [requiredField(path, declaredDetail("at least one validation action is required"))]
      : []),
  ];
}
