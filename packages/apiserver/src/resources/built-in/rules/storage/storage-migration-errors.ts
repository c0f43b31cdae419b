import {
  dns1035LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  invalidField,
  requiredField,
} from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema/values";

import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn } from "../../../fields.ts";
import type { BuiltInChecks } from "../checks/built-in-checks.ts";
import { conditionErrors } from "../checks/condition-errors.ts";

/** Checks of StorageVersionMigrations: what is migrated never changes, and neither does the result. */
export const storageMigrationChecks: BuiltInChecks = {
  validate: (migration) => resourceErrors(objectIn(objectIn(migration, "spec"), "resource")),
  validateUpdate: (migration, old) =>
    deepEqual(migration["spec"], old["spec"])
      ? []
      : [invalidField("spec", migration["spec"] ?? null, "field is immutable")],
  validateStatus: statusErrors,
};

function resourceErrors(resource: MutableJsonObject | undefined): readonly FieldError[] {
  const [group, name] = [textIn(resource, "group"), textIn(resource, "resource")];
  return [
    ...(name === ""
      ? [requiredField("spec.resource.resource", "resource is required to be set")]
      : joinedErrors("spec.resource.resource", name, dns1035LabelErrors)),
    ...(group === "" ? [] : joinedErrors("spec.resource.group", group, dns1123SubdomainErrors)),
  ];
}

function joinedErrors(
  field: string,
  text: string,
  problemsOf: (text: string) => readonly string[],
): readonly FieldError[] {
  const problems = problemsOf(text);
  return problems.length === 0 ? [] : [invalidField(field, text, problems.join(","))];
}

const RESULTS = ["Succeeded", "Failed"] as const;
const CONDITIONS = "status.conditions";
const VERSION = "status.resourceVersion";

function statusErrors(migration: ApiObject, old: ApiObject): readonly FieldError[] {
  const [status, former] = [objectIn(migration, "status"), objectIn(old, "status")];
  const conditions = objectsIn(status, "conditions");
  const [version, before] = [textIn(status, "resourceVersion"), textIn(former, "resourceVersion")];
  const [isSuccess, isFailure] = RESULTS.map((type) => isTrue(conditions, type));
  const [wasSuccess, wasFailure] = RESULTS.map((type) => isTrue(objectsIn(former, "conditions"), type));
  const shown = status?.["conditions"] ?? null;
  return [
    ...versionErrors(version),
    ...conditionErrors(conditions, CONDITIONS),
    ...(before !== "" && before !== version ? [invalidField(VERSION, version, "field is immutable")] : []),
    ...(isSuccess === true && isFailure === true
      ? [invalidField(CONDITIONS, shown, "Both success and failed conditions cannot be true at the same time")]
      : []),
    ...(wasSuccess === true && isSuccess !== true
      ? [invalidField(CONDITIONS, shown, "Success condition cannot be set to false once it is true")]
      : []),
    ...(wasFailure === true && isFailure !== true
      ? [invalidField(CONDITIONS, shown, "Failed condition cannot be set to false once it is true")]
      : []),
  ];
}

function versionErrors(version: string): readonly FieldError[] {
  if (version === "" || /^[1-9]\d*$/u.test(version)) return [];
  return [invalidField(VERSION, version, `resource version is not well formed: ${version}`)];
}

function isTrue(conditions: readonly MutableJsonObject[], type: string): boolean {
  const found = conditions.find((condition) => textIn(condition, "type") === type);
  return found !== undefined && textIn(found, "status") === "True";
}
