import { type FieldError, forbiddenField, invalidField, requiredField } from "@kubescaffold/k8s";

import { since } from "../../../../release/rule-release.ts";
import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { numberIn, objectIn, textIn } from "../../../fields.ts";
import { areDeclared, declaredDetail } from "../checks/declared-rules.ts";
import { inRange, requiredChoice, supportedText } from "../checks/field-checks.ts";

const MOST_QUEUES = 10_000_000;
const MOST_BITS = 60;

/** Returns what is wrong with a PriorityLevelConfiguration. */
export function priorityLevelErrors(level: ApiObject): readonly FieldError[] {
  const spec = objectIn(level, "spec") ?? {};
  const type = textIn(spec, "type");
  const isExempt = level.metadata.name === "exempt";
  const errors =
    isExempt === (type === "Exempt")
      ? []
      : [invalidField("spec.type", type, "must be 'Exempt' if and only if `name` is 'exempt'")];
  const [limited, exempt] = [objectIn(spec, "limited"), objectIn(spec, "exempt")];
  switch (type) {
    case "Exempt":
      return [
        ...errors,
        ...(limited === undefined
          ? []
          : [
              forbiddenField("spec.limited", declaredDetail("must be nil if the type is not Limited")),
              ...(areDeclared() ? declaredResponseErrors(limited) : []),
            ]),
        ...(exempt === undefined ? [] : shareErrors(exempt, "spec.exempt")),
      ];
    case "Limited":
      return [
        ...errors,
        ...(exempt === undefined
          ? []
          : [forbiddenField("spec.exempt", declaredDetail("must be nil if the type is Limited"))]),
        ...(limited === undefined
          ? [requiredField("spec.limited", declaredDetail("must not be empty when type is Limited"))]
          : limitedErrors(limited, "spec.limited")),
      ];
    default:
      return [
        ...errors,
        ...(areDeclared() && limited !== undefined
          ? [forbiddenField("spec.limited", ""), ...declaredResponseErrors(limited)]
          : []),
        ...(areDeclared() && exempt !== undefined ? [forbiddenField("spec.exempt", "")] : []),
        ...(since("1.36")
          ? requiredChoice("spec.type", type, ["Exempt", "Limited"])
          : supportedText("spec.type", type, ["Exempt", "Limited"])),
      ];
  }
}

function shareErrors(level: MutableJsonObject, at: string): readonly FieldError[] {
  const shares = numberIn(level, "nominalConcurrencyShares");
  return [
    ...(shares !== undefined && shares < 0
      ? [invalidField(`${at}.nominalConcurrencyShares`, shares, "must be a non-negative integer")]
      : []),
    ...inRange(`${at}.lendablePercent`, numberIn(level, "lendablePercent"), [0, 100]),
  ];
}

function limitedErrors(limited: MutableJsonObject, at: string): readonly FieldError[] {
  const borrowed = numberIn(limited, "borrowingLimitPercent");
  return [
    ...shareErrors(limited, at),
    ...responseErrors(objectIn(limited, "limitResponse") ?? {}, `${at}.limitResponse`),
    ...(borrowed !== undefined && borrowed < 0
      ? [invalidField(`${at}.borrowingLimitPercent`, borrowed, "if specified, must be a non-negative integer")]
      : []),
  ];
}

function responseErrors(response: MutableJsonObject, at: string): readonly FieldError[] {
  const queuing = objectIn(response, "queuing");
  const type = textIn(response, "type");
  const field = `${at}.queuing`;
  switch (type) {
    case "Reject":
      return queuing === undefined
        ? []
        : [forbiddenField(field, declaredDetail("must be nil if limited.limitResponse.type is not Limited"))];
    case "Queue":
      return queuing === undefined
        ? [requiredField(field, declaredDetail("must not be empty if limited.limitResponse.type is Limited"))]
        : queueErrors(queuing, field);
    default:
      return [
        ...(areDeclared() && queuing !== undefined ? [forbiddenField(field, "")] : []),
        ...(since("1.36") ? requiredChoice : supportedText)(`${at}.type`, type, ["Queue", "Reject"]),
      ];
  }
}

// The declared rules hold also where a level must not be limited.
function declaredResponseErrors(limited: MutableJsonObject): readonly FieldError[] {
  const [response, at] = [objectIn(limited, "limitResponse") ?? {}, "spec.limited.limitResponse"];
  const type = textIn(response, "type");
  const isQueued = objectIn(response, "queuing") !== undefined;
  return [
    ...(type === "" ? [requiredField(`${at}.type`)] : []),
    ...(isQueued && type !== "Queue" ? [forbiddenField(`${at}.queuing`, "")] : []),
    ...(!isQueued && type === "Queue" ? [requiredField(`${at}.queuing`)] : []),
  ];
}

function queueErrors(queuing: MutableJsonObject, at: string): readonly FieldError[] {
  const [length, queues, hand] = ["queueLengthLimit", "queues", "handSize"].map((name) => numberIn(queuing, name) ?? 0);
  const [deck, size] = [queues ?? 0, hand ?? 0];
  return [
    ...((length ?? 0) <= 0 ? [invalidField(`${at}.queueLengthLimit`, length, "must be positive")] : []),
    ...(deck <= 0 ? [invalidField(`${at}.queues`, deck, "must be positive")] : []),
    ...(deck > MOST_QUEUES ? [invalidField(`${at}.queues`, deck, `must not be greater than ${MOST_QUEUES}`)] : []),
    ...handErrors(size, deck, `${at}.handSize`),
  ];
}

function handErrors(size: number, deck: number, field: string): readonly FieldError[] {
  if (size <= 0) return [invalidField(field, size, "must be positive")];
  if (size > deck) return [invalidField(field, size, `should not be greater than queues (${deck})`)];
  const detail = `required entropy bits of deckSize ${deck} and handSize ${size} should not be greater than ${MOST_BITS}`;
  return Math.ceil(Math.log2(deck) * size) > MOST_BITS ? [invalidField(field, size, detail)] : [];
}
