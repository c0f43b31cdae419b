import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  labelValueErrors,
  qualifiedNameErrors,
  requiredField,
  unsupportedField,
} from "@kubescaffold/k8s";

import { since } from "../../../../release/rule-release.ts";
import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { numberIn, objectIn, objectsIn, textIn, textsIn } from "../../../fields.ts";
import { checkedText, eachItem, optionalChoice, positive, supportedText } from "../checks/field-checks.ts";
import { labelSelectorErrors } from "../checks/label-selector-rules.ts";

/** Returns what is wrong with the affinity of a Pod. */
export function affinityErrors(affinity: MutableJsonObject | undefined, at: string): readonly FieldError[] {
  const node = objectIn(affinity, "nodeAffinity");
  return [
    ...(node === undefined ? [] : nodeAffinityErrors(node, `${at}.nodeAffinity`)),
    ...["podAffinity", "podAntiAffinity"].flatMap((name) =>
      podAffinityErrors(objectIn(affinity, name), `${at}.${name}`),
    ),
  ];
}

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

function nodeAffinityErrors(affinity: MutableJsonObject, at: string): readonly FieldError[] {
  const required = objectIn(affinity, REQUIRED);
  return [
    ...(required === undefined ? [] : nodeSelectorErrors(required, `${at}.${REQUIRED}`)),
    ...eachItem(objectsIn(affinity, PREFERRED), `${at}.${PREFERRED}`, (term, place) => [
      ...weightErrors(term, place),
      ...nodeTermErrors(objectIn(term, "preference") ?? {}, `${place}.preference`, { checksValues: false }),
    ]),
  ];
}

function weightErrors(term: MutableJsonObject, at: string): readonly FieldError[] {
  const weight = numberIn(term, "weight") ?? 0;
  return weight > 0 && weight <= 100 ? [] : [invalidField(`${at}.weight`, weight, "must be in the range 1-100")];
}

/** Returns what is wrong with a selector of nodes. */
export function nodeSelectorErrors(selector: MutableJsonObject, at: string): readonly FieldError[] {
  const terms = objectsIn(selector, "nodeSelectorTerms");
  const field = `${at}.nodeSelectorTerms`;
  return terms.length === 0
    ? [requiredField(field, "must have at least one node selector term")]
    : eachItem(terms, field, (term, place) => nodeTermErrors(term, place, { checksValues: true }));
}

function nodeTermErrors(
  term: MutableJsonObject,
  at: string,
  { checksValues }: { readonly checksValues: boolean },
): readonly FieldError[] {
  return [
    ...eachItem(objectsIn(term, "matchExpressions"), `${at}.matchExpressions`, (requirement, place) => [
      ...requirementErrors(requirement, place),
      ...(checksValues
        ? eachItem(textsIn(requirement, "values"), `${place}.values`, (value, field) =>
            checkedText(field, value, labelValueErrors),
          )
        : []),
    ]),
    ...eachItem(objectsIn(term, "matchFields"), `${at}.matchFields`, nodeFieldErrors),
  ];
}

function requirementErrors(requirement: MutableJsonObject, at: string): readonly FieldError[] {
  return [
    ...operatorErrors(textIn(requirement, "operator"), textsIn(requirement, "values").length, at),
    ...checkedText(`${at}.key`, textIn(requirement, "key"), qualifiedNameErrors),
  ];
}

function operatorErrors(operator: string, count: number, at: string): readonly FieldError[] {
  const field = `${at}.values`;
  switch (operator) {
    case "In":
    case "NotIn":
      return count > 0 ? [] : [requiredField(field, "must be specified when `operator` is 'In' or 'NotIn'")];
    case "Exists":
    case "DoesNotExist":
      return count === 0
        ? []
        : [forbiddenField(field, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    case "Gt":
    case "Lt":
      return count === 1
        ? []
        : [requiredField(field, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalidField(`${at}.operator`, operator, "not a valid selector operator")];
  }
}

function nodeFieldErrors(requirement: MutableJsonObject, at: string): readonly FieldError[] {
  const [key, operator] = [textIn(requirement, "key"), textIn(requirement, "operator")];
  const values = textsIn(requirement, "values");
  const single = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
  const errors =
    operator === "In" || operator === "NotIn"
      ? values.length === 1
        ? []
        : [requiredField(`${at}.values`, single)]
      : [invalidField(`${at}.operator`, operator, "not a valid selector operator")];
  return key === "metadata.name"
    ? [
        ...errors,
        ...eachItem(values, `${at}.values`, (value, place) => checkedText(place, value, dns1123SubdomainErrors)),
      ]
    : [...errors, invalidField(`${at}.key`, key, "not a valid field selector key")];
}

function podAffinityErrors(affinity: MutableJsonObject | undefined, at: string): readonly FieldError[] {
  return [
    ...eachItem(objectsIn(affinity, REQUIRED), `${at}.${REQUIRED}`, affinityTermErrors),
    ...eachItem(objectsIn(affinity, PREFERRED), `${at}.${PREFERRED}`, (term, place) => [
      ...weightErrors(term, place),
      ...affinityTermErrors(objectIn(term, "podAffinityTerm") ?? {}, `${place}.podAffinityTerm`),
    ]),
  ];
}

function affinityTermErrors(term: MutableJsonObject, at: string): readonly FieldError[] {
  const topologyKey = textIn(term, "topologyKey");
  return [
    ...labelSelectorErrors(objectIn(term, "labelSelector"), `${at}.labelSelector`),
    ...labelSelectorErrors(objectIn(term, "namespaceSelector"), `${at}.namespaceSelector`),
    ...textsIn(term, "namespaces").flatMap((name) => checkedText(`${at}.namespace`, name, dns1123LabelErrors)),
    ...labelKeyErrors(term, at),
    ...(topologyKey === "" ? [requiredField(`${at}.topologyKey`, "can not be empty")] : []),
    ...checkedText(`${at}.topologyKey`, topologyKey, qualifiedNameErrors),
  ];
}

function labelKeyErrors(term: MutableJsonObject, at: string): readonly FieldError[] {
  const selector = objectIn(term, "labelSelector");
  const [keys, mismatched] = ["matchLabelKeys", "mismatchLabelKeys"].map((name) => textsIn(term, name));
  const [match = [], mismatch = []] = [keys, mismatched];
  return [
    ...["matchLabelKeys", "mismatchLabelKeys"].flatMap((name) =>
      keyListErrors(textsIn(term, name), selector, `${at}.${name}`),
    ),
    ...(selector === undefined ? [] : doubleKeyErrors(match, selector, at)),
    ...match.flatMap((key, index) =>
      mismatch.includes(key)
        ? [invalidField(`${at}.matchLabelKeys[${index}]`, key, "exists in both matchLabelKeys and mismatchLabelKeys")]
        : [],
    ),
  ];
}

function keyListErrors(
  keys: readonly string[],
  selector: MutableJsonObject | undefined,
  at: string,
): readonly FieldError[] {
  if (keys.length === 0) return [];
  return selector === undefined
    ? [forbiddenField(at, "must not be specified when labelSelector is not set")]
    : eachItem(keys, at, (key, place) => checkedText(place, key, qualifiedNameErrors));
}

// The server adds the keys to the selector itself: one that occurs twice was there before.
function doubleKeyErrors(keys: readonly string[], selector: MutableJsonObject, at: string): readonly FieldError[] {
  const seen = new Set(Object.keys(objectIn(selector, "matchLabels") ?? {}));
  return objectsIn(selector, "matchExpressions").flatMap((expression) => {
    const key = textIn(expression, "key");
    const isDouble = seen.has(key) && keys.includes(key);
    seen.add(key);
    return isDouble
      ? [invalidField(`${at}[${keys.lastIndexOf(key)}]`, key, "exists in both matchLabelKeys and labelSelector")]
      : [];
  });
}

const EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"] as const;

/** Returns what is wrong with the effect of a taint. */
export function effectErrors(effect: string, field: string): readonly FieldError[] {
  return effect === "" ? [requiredField(field)] : supportedText(field, effect, EFFECTS);
}

/** Returns what is wrong with tolerations of taints. */
export function tolerationErrors(tolerations: readonly MutableJsonObject[], at: string): readonly FieldError[] {
  return eachItem(tolerations, at, (toleration, place) => {
    const [key, operator, effect] = ["key", "operator", "effect"].map((name) => textIn(toleration, name));
    const isEmpty = key === "" && operator !== "Exists";
    const allKeys = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    const seconds = "effect must be 'NoExecute' when `tolerationSeconds` is set";
    return [
      ...(key === "" ? [] : checkedText(`${place}.key`, key ?? "", qualifiedNameErrors)),
      ...(isEmpty ? [invalidField(`${place}.operator`, operator, allKeys)] : []),
      ...(toleration["tolerationSeconds"] !== undefined && effect !== "NoExecute"
        ? [invalidField(`${place}.effect`, effect, seconds)]
        : []),
      ...toleratedValueErrors(toleration, place),
      ...(effect === "" ? [] : supportedText(`${place}.effect`, effect ?? "", EFFECTS)),
    ];
  });
}

const OPERATORS = ["Equal", "Exists"] as const;

function toleratedValueErrors(toleration: MutableJsonObject, at: string): readonly FieldError[] {
  const [operator, value] = [textIn(toleration, "operator"), textIn(toleration, "value")];
  const field = `${at}.operator`;
  switch (operator) {
    case "":
    case "Equal": {
      const problems = labelValueErrors(value);
      return problems.length === 0 ? [] : [invalidField(field, value, problems.join(";"))];
    }
    case "Exists":
      return value === "" ? [] : [invalidField(field, value, "value must be empty when `operator` is 'Exists'")];
    case "Lt":
    case "Gt":
      return [unsupportedField(field, operator, since("1.35") ? [...OPERATORS, "Lt", "Gt"] : OPERATORS)];
    default:
      return [unsupportedField(field, operator, OPERATORS)];
  }
}

/** Returns what is wrong with constraints of how Pods are spread. */
export function spreadErrors(constraints: readonly MutableJsonObject[], at: string): readonly FieldError[] {
  return eachItem(constraints, at, (constraint, place, index) => {
    const [key, action] = [textIn(constraint, "topologyKey"), textIn(constraint, "whenUnsatisfiable")];
    const isRepeated = constraints
      .slice(index + 1)
      .some((other) => textIn(other, "topologyKey") === key && textIn(other, "whenUnsatisfiable") === action);
    return [
      ...positive(`${place}.maxSkew`, numberIn(constraint, "maxSkew") ?? 0),
      ...(key === "" ? [requiredField(`${place}.topologyKey`, "can not be empty")] : []),
      ...supportedText(`${place}.whenUnsatisfiable`, action, ["DoNotSchedule", "ScheduleAnyway"]),
      ...(isRepeated ? [duplicateField(`${place}.{topologyKey, whenUnsatisfiable}`, `{${key}, ${action}}`)] : []),
      ...domainErrors(numberIn(constraint, "minDomains"), action, `${place}.minDomains`),
      ...["nodeAffinityPolicy", "nodeTaintsPolicy"].flatMap((name) =>
        optionalChoice(`${place}.${name}`, constraint[name], ["Honor", "Ignore"]),
      ),
      ...labelKeyErrors(constraint, place),
      ...labelSelectorErrors(objectIn(constraint, "labelSelector"), `${place}.labelSelector`),
    ];
  });
}

function domainErrors(count: number | undefined, action: string, field: string): readonly FieldError[] {
  if (count === undefined) return [];
  const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
  return [...positive(field, count), ...(action === "DoNotSchedule" ? [] : [invalidField(field, count, detail)])];
}
