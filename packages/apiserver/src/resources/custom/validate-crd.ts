import {
  dns1035LabelErrors,
  dns1123SubdomainErrors,
  invalidField as invalid,
  requiredField as required,
  unsupportedField as notSupported,
  type FieldError,
} from "@kubescaffold/k8s";
import {
  checkStructural,
  isScalePath,
  PRINTER_COLUMN_FORMATS,
  PRINTER_COLUMN_TYPES,
  SCALE_PATH_ROOTS,
  type ScalePathName,
} from "@kubescaffold/schema";
import { containsRules, deepEqual, type JsonSchema } from "@kubescaffold/schema/values";

import { since } from "../../release/rule-release.ts";
import { evaluationTurns, ruleEngine } from "../rule-engine.ts";
import { APPROVAL_ANNOTATION, apiApproval } from "./api-approval.ts";
import { conversionErrors } from "./conversion-rules.ts";
import type { CrdColumn, CrdObject, CrdVersion } from "./crd-object.ts";
import { hasCondition } from "./crd-object.ts";
import { validationConditions } from "./custom-strategy.ts";
import { selectableFieldErrors } from "./selectable-field-rules.ts";

/** Returns what is wrong with a CRD. */
export async function crdErrors(crd: CrdObject, previous?: CrdObject): Promise<readonly FieldError[]> {
  // The release is known only until the first pause.
  const conditions = { ...validationConditions({ since }), boundsNames: since("1.37") };
  return [
    ...nameErrors(crd),
    ...groupErrors(crd),
    ...scopeErrors(crd),
    ...versionsErrors(crd),
    ...(await schemaErrors(crd, previous, conditions)),
    ...namesErrors(crd),
    ...conversionErrors(crd, previous),
    ...missingVersionErrors(crd),
    ...approvalErrors(crd, previous),
    ...preserveErrors(crd),
  ];
}

/** Returns what is wrong with a change of a CRD. */
export function crdUpdateErrors(crd: CrdObject, old: CrdObject): readonly FieldError[] {
  const isEstablished = hasCondition(old, "Established");
  return [
    ...immutable("spec.group", crd.spec.group, old.spec.group),
    ...immutable("spec.names.plural", crd.spec.names.plural, old.spec.names.plural),
    ...(isEstablished ? immutable("spec.scope", crd.spec.scope, old.spec.scope) : []),
    ...(isEstablished ? immutable("spec.names.kind", crd.spec.names.kind, old.spec.names.kind) : []),
    ...storedVersionErrors(crd),
  ];
}

/** Returns what is wrong with the status of a CRD; names that are not accepted yet are empty. */
export function crdStatusErrors({ status }: CrdObject): readonly FieldError[] {
  const names = status?.acceptedNames;
  const at = "status.acceptedNames";
  const { plural = "", singular = "", kind = "", listKind = "", shortNames = [], categories = [] } = names ?? {};
  const stated = (errors: readonly FieldError[], name: string): readonly FieldError[] => (name === "" ? [] : errors);
  return [
    ...stated(labelErrors(`${at}.plural`, plural), plural),
    ...stated(labelErrors(`${at}.singular`, singular), singular),
    ...stated(kindErrors(`${at}.kind`, kind), kind),
    ...stated(kindErrors(`${at}.listKind`, listKind), listKind),
    ...shortNames.flatMap((name, index) => invalidLabel(`${at}.shortNames[${index}]`, name)),
    ...(kind !== "" && kind === listKind ? [invalid(`${at}.listKind`, listKind, SAME_KINDS)] : []),
    ...categories.flatMap((name, index) => invalidLabel(`${at}.categories[${index}]`, name)),
  ];
}

const SAME_KINDS = "kind and listKind may not be the same";

function nameErrors({ metadata, spec }: CrdObject): readonly FieldError[] {
  const expected = `${spec.names.plural}.${spec.group}`;
  return metadata.name === expected
    ? []
    : [invalid("metadata.name", metadata.name, 'must be spec.names.plural+"."+spec.group')];
}

function groupErrors({ spec }: CrdObject): readonly FieldError[] {
  const { group } = spec;
  if ((group ?? "") === "") {
    return [required("spec.group")];
  }
  const problems = dns1123SubdomainErrors(group);
  if (problems.length > 0) {
    return problems.map((detail) => invalid("spec.group", group, detail));
  }
  return group.includes(".") ? [] : [invalid("spec.group", group, "should be a domain with at least one dot")];
}

function scopeErrors({ spec }: CrdObject): readonly FieldError[] {
  const scope: string = spec.scope ?? "";
  if (scope === "") return [required("spec.scope")];
  return scope === "Namespaced" || scope === "Cluster"
    ? []
    : [notSupported("spec.scope", scope, ["Cluster", "Namespaced"])];
}

function versionsErrors({ spec }: CrdObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const versions = spec.versions ?? [];
  const names = versions.map(({ name }) => name);
  versions.forEach((version, index) => {
    const path = `spec.versions[${index}]`;
    dns1035LabelErrors(version.name).forEach((detail) => errors.push(invalid(`${path}.name`, version.name, detail)));
    if (version.schema?.openAPIV3Schema === undefined) {
      errors.push(required(`${path}.schema.openAPIV3Schema`, "schemas are required"));
    }
  });
  if (new Set(names).size !== names.length) {
    errors.push(invalid("spec.versions", spec.versions, "must contain unique version names"));
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    errors.push(
      invalid("spec.versions", spec.versions ?? null, "must have exactly one version marked as storage version"),
    );
  }
  return errors;
}

// Errors that all versions share are reported once, at the path they had before `versions` existed.
async function schemaErrors(
  crd: CrdObject,
  previous: CrdObject | undefined,
  conditions: Conditions,
): Promise<readonly FieldError[]> {
  const versions = crd.spec.versions ?? [];
  const [first] = versions;
  if (first === undefined) {
    return [];
  }
  const isHoisted = versions.every((version) => deepEqual(hoistable(version), hoistable(first)));
  if (isHoisted) {
    const places = { path: "spec", schemaPath: "spec.validation.openAPIV3Schema" };
    return await versionErrors(first, places, { previous, conditions });
  }
  const errors: FieldError[] = [];
  for (const [index, version] of versions.entries()) {
    const path = `spec.versions[${index}]`;
    const places = { path, schemaPath: `${path}.schema.openAPIV3Schema` };
    errors.push(...(await versionErrors(version, places, { previous, conditions })));
  }
  return errors;
}

interface Conditions extends ReturnType<typeof validationConditions> {
  readonly boundsNames: boolean;
}

async function versionErrors(
  version: CrdVersion,
  { path, schemaPath }: { readonly path: string; readonly schemaPath: string },
  { previous, conditions }: { readonly previous: CrdObject | undefined; readonly conditions: Conditions },
): Promise<readonly FieldError[]> {
  const schema = version.schema?.openAPIV3Schema;
  const structural =
    schema === undefined
      ? []
      : await checkSchema(schema, { version, path: schemaPath, old: previous?.spec.versions ?? [], conditions });
  return [
    ...structural,
    ...selectableErrors(version, path, previous),
    ...scaleErrors(version, path),
    ...columnErrors(version.additionalPrinterColumns ?? [], path),
  ];
}

function selectableErrors(
  { name, schema, selectableFields = [] }: CrdVersion,
  path: string,
  previous: CrdObject | undefined,
): readonly FieldError[] {
  const before = previous?.spec.versions.find((each) => each.name === name)?.selectableFields;
  return selectableFieldErrors(selectableFields, {
    schema: schema?.openAPIV3Schema ?? {},
    path: `${path}.selectableFields`,
    isUnchanged: deepEqual(before, selectableFields),
  });
}

// The rules of defaults may take long.
async function checkSchema(
  schema: JsonSchema,
  {
    version,
    path,
    old,
    conditions,
  }: {
    readonly version: CrdVersion;
    readonly path: string;
    readonly old: readonly CrdVersion[];
    readonly conditions: Conditions;
  },
): Promise<readonly FieldError[]> {
  const before = old.find(({ name }) => name === version.name)?.schema?.openAPIV3Schema;
  const options = {
    ...conditions,
    path,
    hasStatus: version.subresources?.status !== undefined,
    previous: old.flatMap((other) => other.schema?.openAPIV3Schema ?? []),
    isUnchanged: before !== undefined && deepEqual(before, schema),
  };
  return containsRules(schema)
    ? await ruleEngine().checkStructuralInTurns(schema, { ...options, turns: evaluationTurns() })
    : checkStructural(schema, options);
}

function scaleErrors({ subresources }: CrdVersion, path: string): readonly FieldError[] {
  const scale = subresources?.scale;
  if (scale === undefined) {
    return [];
  }
  const at = `${path}.subresources.scale`;
  const { specReplicasPath, statusReplicasPath, labelSelectorPath = "" } = scale;
  return [
    ...scalePathErrors(at, "specReplicasPath", specReplicasPath),
    ...scalePathErrors(at, "statusReplicasPath", statusReplicasPath),
    ...(labelSelectorPath === "" ? [] : scalePathErrors(at, "labelSelectorPath", labelSelectorPath)),
  ];
}

function scalePathErrors(scale: string, name: ScalePathName, value: string): readonly FieldError[] {
  const field = `${scale}.${name}`;
  if ((value ?? "") === "") {
    return [required(field)];
  }
  if (!value.startsWith(".")) {
    return [invalid(field, value, NO_DOT)];
  }
  const roots = SCALE_PATH_ROOTS[name];
  const place = roots.length > 1 ? `either ${roots.join(" or ")}` : roots.join("");
  return isScalePath(name, value) ? [] : [invalid(field, value, `should be a json path under ${place}`)];
}

const NO_DOT = "must be a simple json path starting with .";

function columnErrors(columns: readonly CrdColumn[], path: string): readonly FieldError[] {
  return columns.flatMap(({ name, type, format, jsonPath }, index) => {
    const at = `${path}.additionalPrinterColumns[${index}]`;
    return [
      ...((name ?? "") === "" ? [required(`${at}.name`)] : []),
      ...((type ?? "") === ""
        ? [required(`${at}.type`, oneOf(PRINTER_COLUMN_TYPES))]
        : wordErrors(`${at}.type`, type, PRINTER_COLUMN_TYPES)),
      ...((format ?? "") === "" ? [] : wordErrors(`${at}.format`, format, PRINTER_COLUMN_FORMATS)),
      ...columnPathErrors(`${at}.JSONPath`, jsonPath),
    ];
  });
}

function wordErrors(field: string, word: unknown, known: readonly string[]): readonly FieldError[] {
  return known.includes(String(word)) ? [] : [invalid(field, word, oneOf(known))];
}

function oneOf(words: readonly string[]): string {
  return `must be one of ${words.join(",")}`;
}

function columnPathErrors(field: string, path: string): readonly FieldError[] {
  if ((path ?? "") === "") {
    return [required(field)];
  }
  return path.startsWith(".") ? [] : [invalid(field, path, NO_DOT)];
}

function namesErrors({ spec }: CrdObject): readonly FieldError[] {
  const { plural, singular = "", kind, listKind = "", shortNames = [], categories = [] } = spec.names;
  const errors = [
    ...labelErrors("spec.names.plural", plural),
    ...labelErrors("spec.names.singular", singular),
    ...kindErrors("spec.names.kind", kind),
    ...kindErrors("spec.names.listKind", listKind),
    ...shortNames.flatMap((name, index) => labelErrors(`spec.names.shortNames[${index}]`, name)),
    ...categories.flatMap((name, index) => labelErrors(`spec.names.categories[${index}]`, name)),
  ];
  return kind !== "" && kind === listKind ? [...errors, invalid("spec.names.listKind", listKind, SAME_KINDS)] : errors;
}

function labelErrors(field: string, name: string): readonly FieldError[] {
  return name === "" ? [required(field)] : invalidLabel(field, name);
}

function invalidLabel(field: string, name: string): readonly FieldError[] {
  return dns1035LabelErrors(name).map((detail) => invalid(field, name, detail));
}

function kindErrors(field: string, kind: string): readonly FieldError[] {
  if (kind === "") return [required(field)];
  const problems = dns1035LabelErrors(kind.toLowerCase());
  return problems.map((detail) => invalid(field, kind, `may have mixed case, but should otherwise match: ${detail}`));
}

function approvalErrors(crd: CrdObject, previous: CrdObject | undefined): readonly FieldError[] {
  const approval = apiApproval(crd);
  // An approval that stays as it was never fails a change of something else.
  if (approval === undefined || (previous !== undefined && apiApproval(previous)?.reason === approval.reason))
    return [];
  const field = `metadata.annotations[${APPROVAL_ANNOTATION}]`;
  switch (approval.reason) {
    case "MissingAnnotation":
      return [required(field, approval.message)];
    case "InvalidAnnotation":
      return [invalid(field, crd.metadata.annotations?.[APPROVAL_ANNOTATION], approval.message)];
    case "ApprovedAnnotation":
    case "UnapprovedAnnotation":
      return [];
  }
}

function preserveErrors({ spec }: CrdObject): readonly FieldError[] {
  const detail =
    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
  return spec.preserveUnknownFields === true ? [invalid("spec.preserveUnknownFields", true, detail)] : [];
}

function missingVersionErrors({ status }: CrdObject): readonly FieldError[] {
  return (status?.storedVersions ?? []).length > 0
    ? []
    : [invalid("status.storedVersions", null, "must have at least one stored version")];
}

function storedVersionErrors({ spec, status }: CrdObject): readonly FieldError[] {
  const names = new Set(spec.versions.map(({ name }) => name));
  return (status?.storedVersions ?? []).flatMap((name, index) =>
    names.has(name)
      ? []
      : [
          invalid(
            `status.storedVersions[${index}]`,
            name,
            `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
          ),
        ],
  );
}

function hoistable({ schema, subresources, additionalPrinterColumns, selectableFields }: CrdVersion): unknown {
  return { schema, subresources, additionalPrinterColumns, selectableFields };
}

function immutable(field: string, value: unknown, old: unknown): readonly FieldError[] {
  return value === old ? [] : [invalid(field, value, "field is immutable")];
}
