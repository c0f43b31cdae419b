import { dns1123LabelErrors, type FieldError, tooManyField } from "@kubescaffold/k8s";

import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn } from "../../../fields.ts";
import type { BuiltInChecks } from "../checks/built-in-checks.ts";
import { conditionErrors } from "../checks/condition-errors.ts";
import { checkedText } from "../checks/field-checks.ts";
import { driverNameErrors } from "../pod/storage-source-errors.ts";
import { poolNameErrors } from "./device-names.ts";
import { deviceTaintErrors } from "./device-taints.ts";

const MOST_CONDITIONS = 8;

/** Checks of DeviceTaintRules. */
export const deviceTaintRuleChecks: BuiltInChecks = {
  validate: (rule, _context, old) => {
    const [spec, former] = [objectIn(rule, "spec"), objectIn(old, "spec")];
    return [
      ...selectorErrors(objectIn(spec, "deviceSelector")),
      ...deviceTaintErrors(objectIn(spec, "taint") ?? {}, "spec.taint", objectIn(former, "taint")),
    ];
  },
  validateStatus: (rule) => statusErrors(rule),
};

function selectorErrors(selector: MutableJsonObject | undefined): readonly FieldError[] {
  const at = "spec.deviceSelector";
  const { driver, pool, device } = selector ?? {};
  return [
    ...(typeof driver === "string" ? driverNameErrors(`${at}.driver`, driver) : []),
    ...(typeof pool === "string" ? poolNameErrors(`${at}.pool`, pool) : []),
    ...(typeof device === "string" ? checkedText(`${at}.device`, device, dns1123LabelErrors) : []),
  ];
}

function statusErrors(rule: ApiObject): readonly FieldError[] {
  const at = "status.conditions";
  const conditions = objectsIn(objectIn(rule, "status"), "conditions");
  return [
    ...conditionErrors(conditions, at),
    ...(conditions.length > MOST_CONDITIONS ? [tooManyField(at, conditions.length, MOST_CONDITIONS)] : []),
  ];
}
