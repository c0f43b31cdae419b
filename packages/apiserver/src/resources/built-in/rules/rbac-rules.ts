import {
  dns1123SubdomainErrors,
  type FieldError,
  invalidField,
  requiredField,
  unsupportedField,
} from "@kubescaffold/k8s";
import { deepEqual, pathSegmentErrors } from "@kubescaffold/schema/values";

import { since } from "../../../release/rule-release.ts";
import type { ApiObject, MutableJsonObject } from "../../../storage/api-object.ts";
import { ensureObject, objectIn, objectsIn, setEmpty, textIn, textsIn } from "../../fields.ts";
import type { BuiltInRules } from "./built-in-rules.ts";
import { declaredDetail } from "./checks/declared-rules.ts";
import { checkedText, requiredText, supportedText } from "./checks/field-checks.ts";
import { labelSelectorErrors } from "./checks/label-selector-rules.ts";

const RBAC_GROUP = "rbac.authorization.k8s.io";

/** Rules of Roles and ClusterRoles beyond their schema. */
export const roleRules: BuiltInRules = {
  nameRule: "path-segment",
  allowsCreateOnUpdate: true,
  complete: (role) => {
    role["rules"] = objectsIn(role, "rules").length === 0 ? null : role["rules"];
  },
  checksEveryField: true,
  validate: (role) => [
    ...objectsIn(role, "rules").flatMap((rule, index) => ruleErrors(rule, role, `rules[${index}]`)),
    ...aggregationErrors(objectIn(role, "aggregationRule")),
  ],
};

/** Rules of RoleBindings and ClusterRoleBindings beyond their schema. */
export const roleBindingRules: BuiltInRules = {
  nameRule: "path-segment",
  allowsCreateOnUpdate: true,
  setDefaults: (binding) => {
    setEmpty(ensureObject(binding, "roleRef"), { apiGroup: RBAC_GROUP });
    for (const subject of objectsIn(binding, "subjects")) {
      if (subject["kind"] === "User" || subject["kind"] === "Group") {
        setEmpty(subject, { apiGroup: RBAC_GROUP });
      }
    }
  },
  checksEveryField: true,
  validate: (binding) => [
    ...roleRefErrors(binding),
    ...objectsIn(binding, "subjects").flatMap((subject, index) =>
      subjectErrors(subject, binding, `subjects[${index}]`),
    ),
  ],
  validateUpdate: (binding, old) =>
    deepEqual(binding["roleRef"], old["roleRef"])
      ? []
      : [
          invalidField(
            "roleRef",
            printedRole(binding["roleRef"]),
            since("1.37") ? "field is immutable" : "cannot change roleRef",
          ),
        ],
};

// Go's internal struct of it has no names of JSON.
function printedRole(role: unknown): unknown {
  const { apiGroup = "", kind = "", name = "" } = (role ?? {}) as Readonly<Record<string, unknown>>;
  return new Map([
    ["APIGroup", apiGroup],
    ["Kind", kind],
    ["Name", name],
  ]);
}

function aggregationErrors(rule: MutableJsonObject | undefined): readonly FieldError[] {
  const path = "aggregationRule.clusterRoleSelectors";
  const selectors = objectsIn(rule, "clusterRoleSelectors");
  if (rule !== undefined && selectors.length === 0) {
    return [requiredField(path, "at least one clusterRoleSelector required if aggregationRule is non-nil")];
  }
  return selectors.flatMap((selector, index) => {
    const errors = labelSelectorErrors(selector, `${path}[${index}]`);
    return errors.length === 0 ? [] : [...errors, invalidField(`${path}[${index}]`, null, "invalid label selector.")];
  });
}

function ruleErrors(rule: MutableJsonObject, role: ApiObject, path: string): readonly FieldError[] {
  const isCluster = role.kind === "ClusterRole";
  const paths = textsIn(rule, "nonResourceURLs");
  const errors: FieldError[] = [];
  if (textsIn(rule, "verbs").length === 0) {
    errors.push(requiredField(`${path}.verbs`, declaredDetail("verbs must contain at least one value")));
  }
  if (paths.length > 0) {
    const isMixed = ["apiGroups", "resources", "resourceNames"].some((field) => textsIn(rule, field).length > 0);
    if (!isCluster) {
      errors.push(invalidField(`${path}.nonResourceURLs`, paths, "namespaced rules cannot apply to non-resource URLs"));
    }
    if (isMixed) {
      errors.push(
        invalidField(
          `${path}.nonResourceURLs`,
          paths,
          "rules cannot apply to both regular resources and non-resource URLs",
        ),
      );
    }
    return errors;
  }
  if (textsIn(rule, "apiGroups").length === 0) {
    errors.push(requiredField(`${path}.apiGroups`, "resource rules must supply at least one api group"));
  }
  if (textsIn(rule, "resources").length === 0) {
    errors.push(requiredField(`${path}.resources`, "resource rules must supply at least one resource"));
  }
  return errors;
}

function roleRefErrors(binding: ApiObject): readonly FieldError[] {
  const reference = objectIn(binding, "roleRef");
  const kinds = binding.kind === "RoleBinding" ? ["Role", "ClusterRole"] : ["ClusterRole"];
  const group = textIn(reference, "apiGroup");
  const kind = textIn(reference, "kind");
  return [
    ...(group === RBAC_GROUP ? [] : [unsupportedField("roleRef.apiGroup", group, [RBAC_GROUP])]),
    ...(kinds.includes(kind) ? [] : [unsupportedField("roleRef.kind", kind, kinds)]),
    ...requiredText("roleRef.name", textIn(reference, "name"), (name) => pathSegmentErrors(name, false)),
  ];
}

function subjectErrors(subject: MutableJsonObject, binding: ApiObject, path: string): readonly FieldError[] {
  const [kind, name, group] = [textIn(subject, "kind"), textIn(subject, "name"), textIn(subject, "apiGroup")];
  const missing = name === "" ? [requiredField(`${path}.name`)] : [];
  switch (kind) {
    case "ServiceAccount":
      return [
        ...missing,
        ...(name === "" ? [] : checkedText(`${path}.name`, name, dns1123SubdomainErrors)),
        ...(group === "" ? [] : [unsupportedField(`${path}.apiGroup`, group, [""])]),
        ...(binding.kind === "ClusterRoleBinding" && textIn(subject, "namespace") === ""
          ? [requiredField(`${path}.namespace`)]
          : []),
      ];
    case "User":
    case "Group":
      return [...missing, ...supportedText(`${path}.apiGroup`, group, [RBAC_GROUP])];
    default:
      return [...missing, unsupportedField(`${path}.kind`, kind, ["ServiceAccount", "User", "Group"])];
  }
}
