import {
  duplicateField,
  type FieldError,
  invalidField,
  qualifiedNameErrors,
  requiredField,
  tooLongField,
} from "@kubescaffold/k8s";

import { since } from "../../../../release/rule-release.ts";
import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { integerIn, textIn } from "../../../fields.ts";
import { repeatedIndexes } from "../../../repeated-indexes.ts";
import { checkedText, supportedText } from "./field-checks.ts";

const STATUSES = ["False", "True", "Unknown"] as const;
const REASON = /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/u;
const REASON_RULE =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";
const LONGEST_REASON = 1024;
const LONGEST_MESSAGE = 32 * 1024;

/** Returns what is wrong with the conditions in the status of an object, as upstream's ValidateConditions does. */
export function conditionErrors(conditions: readonly MutableJsonObject[], at: string): readonly FieldError[] {
  const types = conditions.map((condition) => textIn(condition, "type"));
  const repeated = repeatedIndexes(types);
  return conditions.flatMap((condition, index) => [
    ...(repeated.has(index)
      ? [duplicateField(since("1.37") ? `${at}[${index}]` : `${at}[${index}].type`, types[index])]
      : []),
    ...oneConditionErrors(condition, `${at}[${index}]`),
  ]);
}

function oneConditionErrors(condition: MutableJsonObject, at: string): readonly FieldError[] {
  const generation = integerIn(condition, "observedGeneration") ?? 0;
  const [type, status, reason] = [textIn(condition, "type"), textIn(condition, "status"), textIn(condition, "reason")];
  const time = condition["lastTransitionTime"];
  return [
    ...missingErrors(condition, at),
    ...(type === "" && since("1.37") ? [] : checkedText(`${at}.type`, type, qualifiedNameErrors)),
    ...(status === "" && since("1.37") ? [] : supportedText(`${at}.status`, status, STATUSES)),
    ...(generation < 0
      ? [invalidField(`${at}.observedGeneration`, generation, "must be greater than or equal to zero")]
      : []),
    ...(time === undefined || time === null ? [requiredField(`${at}.lastTransitionTime`)] : []),
    ...(reason === ""
      ? [requiredField(`${at}.reason`)]
      : REASON.test(reason)
        ? []
        : [invalidField(`${at}.reason`, reason, REASON_RULE)]),
    ...(Buffer.byteLength(reason) > LONGEST_REASON ? [tooLongField(`${at}.reason`, LONGEST_REASON)] : []),
    ...(Buffer.byteLength(textIn(condition, "message")) > LONGEST_MESSAGE
      ? [tooLongField(`${at}.message`, LONGEST_MESSAGE)]
      : []),
  ];
}

function missingErrors(condition: MutableJsonObject, at: string): readonly FieldError[] {
  if (!since("1.37")) return [];
  return [
    ...(textIn(condition, "type") === "" ? [requiredField(`${at}.type`, "is required")] : []),
    ...(textIn(condition, "status") === "" ? [requiredField(`${at}.status`)] : []),
  ];
}
