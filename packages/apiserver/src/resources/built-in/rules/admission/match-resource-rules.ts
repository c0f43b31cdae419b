import { duplicateField, type FieldError, invalidField, requiredField, unsupportedField } from "@kubescaffold/k8s";
import { pathSegmentErrors } from "@kubescaffold/schema/values";

import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn, textsIn } from "../../../fields.ts";
import { repeatedIndexes } from "../../../repeated-indexes.ts";
import { labelSelectorErrors } from "../checks/label-selector-rules.ts";
import { RULE_LISTS } from "./match-resource-defaults.ts";

const MATCH_POLICIES = ["Equivalent", "Exact"] as const;

/** Returns what is wrong with match constraints; nothing for absent ones. */
export function matchResourceErrors(resources: MutableJsonObject | undefined, path: string): readonly FieldError[] {
  if (resources === undefined) return [];
  return [
    ...choiceErrors(textIn(resources, "matchPolicy"), MATCH_POLICIES, `${path}.matchPolicy`),
    ...["namespaceSelector", "objectSelector"].flatMap((name) =>
      labelSelectorErrors(objectIn(resources, name), `${path}.${name}`),
    ),
    ...RULE_LISTS.flatMap((name) =>
      objectsIn(resources, name).flatMap((rule, index) => namedRuleErrors(rule, `${path}.${name}[${String(index)}]`)),
    ),
  ];
}

/** Returns an error if a text is not one of a few. */
export function choiceErrors(text: string, choices: readonly string[], path: string): readonly FieldError[] {
  return choices.includes(text) ? [] : [unsupportedField(path, text, choices)];
}

function namedRuleErrors(rule: MutableJsonObject, path: string): readonly FieldError[] {
  const names = textsIn(rule, "resourceNames");
  const repeated = repeatedIndexes(names);
  return [
    ...names.flatMap((name, index) => [
      ...pathSegmentErrors(name, false).map((problem) =>
        invalidField(`${path}.resourceNames[${String(index)}]`, name, problem),
      ),
      ...(repeated.has(index) ? [duplicateField(`${path}.resourceNames[${String(index)}]`, name)] : []),
    ]),
    ...operationRuleErrors(rule, path),
  ];
}

const OPERATIONS = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"] as const;
const SCOPES = ["*", "Cluster", "Namespaced"] as const;

/** Returns what is wrong with a rule of a webhook or policy: operations, groups, versions, resources, and scope. */
export function operationRuleErrors(rule: MutableJsonObject, path: string): readonly FieldError[] {
  const scope = rule["scope"];
  return [
    ...starErrors(rule, path, "operations", "operations"),
    ...textsIn(rule, "operations").flatMap((operation, index) =>
      choiceErrors(operation, OPERATIONS, `${path}.operations[${String(index)}]`),
    ),
    ...starErrors(rule, path, "apiGroups", "API groups"),
    ...starErrors(rule, path, "apiVersions", "API versions"),
    ...textsIn(rule, "apiVersions").flatMap((version, index) =>
      version === "" ? [requiredField(`${path}.apiVersions[${String(index)}]`)] : [],
    ),
    ...resourceErrors(textsIn(rule, "resources"), `${path}.resources`),
    ...(typeof scope === "string" ? choiceErrors(scope, SCOPES, `${path}.scope`) : []),
  ];
}

function starErrors(rule: MutableJsonObject, path: string, name: string, what: string): readonly FieldError[] {
  const values = textsIn(rule, name);
  if (values.length === 0) return [requiredField(`${path}.${name}`)];
  return values.length > 1 && values.includes("*")
    ? [invalidField(`${path}.${name}`, values, `if '*' is present, must not specify other ${what}`)]
    : [];
}

function resourceErrors(resources: readonly string[], path: string): readonly FieldError[] {
  if (resources.length === 0) return [requiredField(path)];
  const parents = new Set<string>();
  const subresources = new Set<string>();
  const errors = resources.flatMap((name, index) => {
    const at = `${path}[${String(index)}]`;
    if (name === "") return [requiredField(at)];
    const slash = name.indexOf("/");
    if (slash < 0) return [];
    const [parent, subresource] = [name.slice(0, slash), name.slice(slash + 1)];
    const found = [
      ...(parents.has(parent) ? [invalidField(at, name, `if '${parent}/*' is present, must not specify ${name}`)] : []),
      ...(subresources.has(subresource)
        ? [invalidField(at, name, `if '*/${subresource}' is present, must not specify ${name}`)]
        : []),
    ];
    if (subresource === "*") parents.add(parent);
    if (parent === "*") subresources.add(subresource);
    return found;
  });
  // Upstream looks at the last resource without a subresource only.
  const last = resources.findLast((name) => name !== "" && !name.includes("/"));
  const hasOthers = last !== undefined && last !== "*";
  return [
    ...errors,
    ...(resources.length > 1 && resources.includes("*/*")
      ? [invalidField(path, resources, "if '*/*' is present, must not specify other resources")]
      : []),
    ...(resources.includes("*") && hasOthers
      ? [invalidField(path, resources, "if '*' is present, must not specify other resources without subresources")]
      : []),
  ];
}
