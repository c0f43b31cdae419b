import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
} from "@kubescaffold/k8s";

import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { numberIn, objectIn, objectsIn, textIn, textsIn } from "../../../fields.ts";
import { checkedText, eachItem, requiredText } from "../checks/field-checks.ts";

const MOST_PRECEDENCE = 10_000;

/** Returns what is wrong with a FlowSchema. */
export function flowSchemaErrors(schema: ApiObject): readonly FieldError[] {
  const spec = objectIn(schema, "spec") ?? {};
  const precedence = numberIn(spec, "matchingPrecedence") ?? 0;
  const field = "spec.matchingPrecedence";
  const method = objectIn(spec, "distinguisherMethod");
  const level = textIn(objectIn(spec, "priorityLevelConfiguration"), "name");
  const levelField = "spec.priorityLevelConfiguration.name";
  return [
    ...(precedence <= 0 ? [invalidField(field, precedence, "must be a positive value")] : []),
    ...(precedence > MOST_PRECEDENCE
      ? [invalidField(field, precedence, `must not be greater than ${MOST_PRECEDENCE}`)]
      : []),
    ...(precedence === 1 && schema.metadata.name !== "exempt"
      ? [invalidField(field, precedence, "only the schema named 'exempt' may have matchingPrecedence 1")]
      : []),
    ...(method === undefined || METHODS.includes(textIn(method, "type"))
      ? []
      : // Upstream quotes the struct in Go's names.
        [unsupportedField("spec.distinguisherMethod.type", { Type: textIn(method, "type") }, METHODS)]),
    ...(level === ""
      ? [requiredField(levelField, "must reference a priority level")]
      : checkedText(levelField, level, dns1123SubdomainErrors)),
    ...eachItem(objectsIn(spec, "rules"), "spec.rules", ruleErrors),
  ];
}

const METHODS = ["ByNamespace", "ByUser"];

function ruleErrors(rule: MutableJsonObject, at: string): readonly FieldError[] {
  const subjects = objectsIn(rule, "subjects");
  const [resources, others] = [objectsIn(rule, "resourceRules"), objectsIn(rule, "nonResourceRules")];
  const none = "at least one of resourceRules and nonResourceRules has to be non-empty";
  return [
    ...(subjects.length === 0
      ? [requiredField(`${at}.subjects`, "subjects must contain at least one value")]
      : eachItem(subjects, `${at}.subjects`, subjectErrors)),
    ...(resources.length + others.length === 0 ? [requiredField(at, none)] : []),
    ...eachItem(resources, `${at}.resourceRules`, resourceRuleErrors),
    ...eachItem(others, `${at}.nonResourceRules`, pathRuleErrors),
  ];
}

const SUBJECTS: Readonly<Record<string, string>> = { ServiceAccount: "serviceAccount", User: "user", Group: "group" };

function subjectErrors(subject: MutableJsonObject, at: string): readonly FieldError[] {
  const kind = textIn(subject, "kind");
  const own = SUBJECTS[kind];
  if (own === undefined) return [unsupportedField(`${at}.kind`, kind, Object.keys(SUBJECTS).toSorted())];
  const value = objectIn(subject, own);
  const others = Object.entries(SUBJECTS).filter(([, name]) => name !== own && subject[name] !== undefined);
  return [
    ...(value === undefined
      ? [requiredField(`${at}.${own}`, `${own} is required when subject kind is '${kind}'`)]
      : subjectNameErrors(own, value, `${at}.${own}`)),
    ...others.map(([title, name]) =>
      forbiddenField(`${at}.${name}`, `${name} is forbidden when subject kind is not '${title}'`),
    ),
  ];
}

function subjectNameErrors(kind: string, subject: MutableJsonObject, at: string): readonly FieldError[] {
  const [name, namespace] = [textIn(subject, "name"), textIn(subject, "namespace")];
  if (kind !== "serviceAccount") return name === "" ? [requiredField(`${at}.name`)] : [];
  return [
    ...(name === "*" ? [] : requiredText(`${at}.name`, name, dns1123SubdomainErrors)),
    ...(namespace === ""
      ? [requiredField(`${at}.namespace`, "must specify namespace for service account")]
      : checkedText(`${at}.namespace`, namespace, dns1123LabelErrors)),
  ];
}

const VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"];

function verbErrors(rule: MutableJsonObject, at: string): readonly FieldError[] {
  const verbs = textsIn(rule, "verbs");
  const field = `${at}.verbs`;
  if (verbs.length === 0) return [requiredField(field, "verbs must contain at least one value")];
  if (verbs.includes("*")) return onlyWildcard(verbs, field, "verbs");
  return verbs.every((verb) => VERBS.includes(verb)) ? [] : [unsupportedField(field, verbs, VERBS)];
}

function onlyWildcard(values: readonly string[], field: string, title: string): readonly FieldError[] {
  return values.length > 1 && values.includes("*")
    ? [invalidField(field, values, `if '*' is present, must not specify other ${title}`)]
    : [];
}

function resourceRuleErrors(rule: MutableJsonObject, at: string): readonly FieldError[] {
  const [groups, resources, namespaces] = ["apiGroups", "resources", "namespaces"].map((name) => textsIn(rule, name));
  const place = `${at}.namespaces`;
  const none = "resource rules that are not cluster scoped must supply at least one namespace";
  const intro = "each member of this list must be '*' or a DNS-1123 label; ";
  return [
    ...verbErrors(rule, at),
    ...someOf(groups ?? [], `${at}.apiGroups`, { title: "api group", plural: "api groups" }),
    ...someOf(resources ?? [], `${at}.resources`, { title: "resource", plural: "resources" }),
    ...(namespaces?.length === 0 && rule["clusterScope"] !== true ? [requiredField(place, none)] : []),
    ...(namespaces?.includes("*") === true
      ? onlyWildcard(namespaces, place, "namespaces")
      : eachItem(namespaces ?? [], place, (namespace, field) =>
          dns1123LabelErrors(namespace).map((problem) => invalidField(field, namespace, `${intro}${problem}`)),
        )),
  ];
}

function someOf(
  values: readonly string[],
  field: string,
  { title, plural }: { readonly title: string; readonly plural: string },
): readonly FieldError[] {
  return values.length === 0
    ? [requiredField(field, `resource rules must supply at least one ${title}`)]
    : onlyWildcard(values, field, plural);
}

function pathRuleErrors(rule: MutableJsonObject, at: string): readonly FieldError[] {
  const paths = textsIn(rule, "nonResourceURLs");
  const field = `${at}.nonResourceURLs`;
  return [
    ...verbErrors(rule, at),
    ...(paths.length === 0
      ? [requiredField(field, "nonResourceURLs must contain at least one value")]
      : paths.includes("*")
        ? onlyWildcard(paths, field, "non-resource URLs")
        : eachItem(paths, field, (path, place) => {
            const problem = pathProblem(path);
            return problem === undefined ? [] : [invalidField(place, path, problem)];
          })),
  ];
}

function pathProblem(path: string): string | undefined {
  if (path === "") return "must not be empty";
  if (!path.startsWith("/")) return "must start with slash";
  if (path.includes(" ")) return "must not contain white-space";
  if (path.includes("//")) return "must not contain double slash";
  const count = path.split("*").length - 1;
  return count > 1 || (count === 1 && !path.endsWith("/*")) ? "wildcard can only do suffix matching" : undefined;
}
