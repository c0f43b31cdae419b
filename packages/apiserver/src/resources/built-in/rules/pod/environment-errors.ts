import {
  configMapKeyErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  invalidField,
  isZeroQuantity,
  maskTrailingDash,
  qualifiedNameErrors,
  requiredField,
  unsupportedField,
} from "@kubescaffold/k8s";

import { isEnabled } from "../../../../release/rule-release.ts";
import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn } from "../../../fields.ts";
import { checkedText, eachItem, requiredText, withoutBacksteps } from "../checks/field-checks.ts";

/** Returns what is wrong with the variables of a container. */
export function environmentErrors(container: MutableJsonObject, at: string): readonly FieldError[] {
  return [
    ...eachItem(objectsIn(container, "env"), `${at}.env`, variableErrors),
    ...eachItem(objectsIn(container, "envFrom"), `${at}.envFrom`, (source, place) =>
      sourceErrors(source, place, `${at}.envFrom`),
    ),
  ];
}

function variableErrors(variable: MutableJsonObject, at: string): readonly FieldError[] {
  const from = objectIn(variable, "valueFrom");
  return [
    ...requiredText(`${at}.name`, textIn(variable, "name"), variableNameErrors),
    ...(from === undefined ? [] : valueSourceErrors(from, textIn(variable, "value"), `${at}.valueFrom`)),
  ];
}

/** Returns the reasons why a text cannot name a variable. */
function variableNameErrors(name: string): readonly string[] {
  const isPlain = /^[\u0020-\u007e]*$/.test(name) && !name.includes("=");
  return [
    ...(name === "" ? ["environment variable name must be non-empty"] : []),
    ...(isPlain
      ? []
      : ["a valid environment variable name must consist only of printable ASCII characters other than '='"]),
  ];
}

const VALUE_SOURCES = ["fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"] as const;

const ALL_SOURCES = "`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`";
const SOURCES_WITHOUT_FILES = "`fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`";

function valueSourceErrors(from: MutableJsonObject, value: string, at: string): readonly FieldError[] {
  const sources = VALUE_SOURCES.filter((name) => objectIn(from, name) !== undefined);
  const errors = sources.flatMap((name) => valueReferenceErrors(name, objectIn(from, name) ?? {}, `${at}.${name}`));
  const problem =
    sources.length === 0
      ? `must specify one of: ${isEnabled("EnvFiles") ? ALL_SOURCES : SOURCES_WITHOUT_FILES}`
      : value !== ""
        ? "may not be specified when `value` is not empty"
        : sources.length > 1
          ? "may not have more than one field specified at a time"
          : undefined;
  return problem === undefined ? errors : [...errors, invalidField(at, "", problem)];
}

function valueReferenceErrors(
  name: (typeof VALUE_SOURCES)[number],
  reference: MutableJsonObject,
  at: string,
): readonly FieldError[] {
  switch (name) {
    case "fieldRef":
      return fieldReferenceErrors(reference, VARIABLE_FIELDS, at);
    case "resourceFieldRef":
      return resourceReferenceErrors(reference, at, { isVolume: false });
    case "configMapKeyRef":
    case "secretKeyRef":
      return [
        ...checkedText(`${at}.name`, textIn(reference, "name"), dns1123SubdomainErrors),
        ...requiredText(`${at}.key`, textIn(reference, "key"), configMapKeyErrors),
      ];
    case "fileKeyRef":
      return fileReferenceErrors(reference, at);
  }
}

function fileReferenceErrors(reference: MutableJsonObject, at: string): readonly FieldError[] {
  const path = textIn(reference, "path");
  return [
    ...requiredText(`${at}.key`, textIn(reference, "key"), variableNameErrors),
    ...requiredText(`${at}.volumeName`, textIn(reference, "volumeName"), dns1123LabelErrors),
    ...(path === "" ? [requiredField(`${at}.path`)] : withoutBacksteps(`${at}.path`, path)),
  ];
}

function sourceErrors(source: MutableJsonObject, at: string, list: string): readonly FieldError[] {
  const prefix = textIn(source, "prefix");
  const references = ["configMapRef", "secretRef"].filter((name) => objectIn(source, name) !== undefined);
  const problem =
    references.length === 0
      ? "must specify one of: `configMapRef` or `secretRef`"
      : "may not have more than one field specified at a time";
  return [
    ...(prefix === "" ? [] : checkedText(`${at}.prefix`, prefix, variableNameErrors)),
    ...references.flatMap((name) =>
      requiredText(`${at}.${name}.name`, textIn(objectIn(source, name), "name"), prefixErrors),
    ),
    ...(references.length === 1 ? [] : [invalidField(list, "", problem)]),
  ];
}

// Upstream checks these names like prefixes of names.
function prefixErrors(name: string): readonly string[] {
  return dns1123SubdomainErrors(maskTrailingDash(name));
}

const VARIABLE_FIELDS = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
] as const;

/** The fields of a Pod that files of volumes can have. */
export const VOLUME_FIELDS = [
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
] as const;

const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  ...VARIABLE_FIELDS,
  ...VOLUME_FIELDS,
  "spec.restartPolicy",
  "spec.schedulerName",
  "status.phase",
]);

/** Returns what is wrong with a reference to a field of a Pod. */
export function fieldReferenceErrors(
  reference: MutableJsonObject,
  supported: readonly string[],
  at: string,
): readonly FieldError[] {
  const version = textIn(reference, "apiVersion");
  const path = textIn(reference, "fieldPath");
  if (version === "") return [requiredField(`${at}.apiVersion`)];
  if (path === "") return [requiredField(`${at}.fieldPath`)];
  const [, parent, key] = /^(.+?)\['(.*)'\]$/s.exec(path) ?? [];
  const problem = fieldProblem({ version, path, parent });
  if (problem !== undefined) {
    return [invalidField(`${at}.fieldPath`, path, `error converting fieldPath: ${problem}`)];
  }
  if (parent !== undefined && key !== undefined) {
    return checkedText(at, parent === "metadata.annotations" ? key.toLowerCase() : key, qualifiedNameErrors);
  }
  const field = path === "spec.host" ? "spec.nodeName" : path;
  return supported.includes(field) ? [] : [unsupportedField(`${at}.fieldPath`, field, supported)];
}

function fieldProblem({
  version,
  path,
  parent,
}: {
  readonly version: string;
  readonly path: string;
  readonly parent: string | undefined;
}): string | undefined {
  if (version !== "v1") return `unsupported pod version: ${version}`;
  if (parent !== undefined) {
    const isMap = parent === "metadata.annotations" || parent === "metadata.labels";
    return isMap ? undefined : `field label does not support subscript: ${path}`;
  }
  return KNOWN_FIELDS.has(path) || path === "spec.host" ? undefined : `field label not supported: ${path}`;
}

const RESOURCE_FIELDS = [
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
] as const;

/** Returns what is wrong with a reference to a resource of a container. */
export function resourceReferenceErrors(
  reference: MutableJsonObject,
  at: string,
  { isVolume }: { readonly isVolume: boolean },
): readonly FieldError[] {
  const name = textIn(reference, "resource");
  const isKnown = (RESOURCE_FIELDS as readonly string[]).includes(name) || isHugePages(name);
  const errors =
    isVolume && textIn(reference, "containerName") === ""
      ? [requiredField(`${at}.containerName`)]
      : name === ""
        ? [requiredField(`${at}.resource`)]
        : isKnown
          ? []
          : [unsupportedField(`${at}.resource`, name, RESOURCE_FIELDS)];
  return [...errors, ...divisorErrors(name, textIn(reference, "divisor"), `${at}.divisor`)];
}

const isHugePages = (name: string): boolean => /^(requests|limits)\.hugepages-/.test(name);

const CPU_DIVISORS = ["1m", "1"];
const BYTE_DIVISORS = ["1", "1k", "1M", "1G", "1T", "1P", "1E"];
const ALL_BYTE_DIVISORS = [...BYTE_DIVISORS, "K", "M", "G", "T", "P", "E"].map((unit) =>
  unit.length > 1 || unit === "1" ? unit : `1${unit}i`,
);

function divisorErrors(name: string, divisor: string, field: string): readonly FieldError[] {
  if (divisor === "" || isZeroQuantity(divisor)) return [];
  const resource = name.replace(/^(requests|limits)\./, "");
  if (resource === name) return [];
  const invalid = (values: readonly string[], text: string): readonly FieldError[] =>
    values.includes(divisor)
      ? []
      : [
          invalidField(
            field,
            name,
            `only divisor's values ${text} are supported with the ${titleOf(resource)} resource`,
          ),
        ];
  if (resource === "cpu") return invalid(CPU_DIVISORS, CPU_DIVISORS.join(" and "));
  return titleOf(resource) === "" ? [] : invalid(ALL_BYTE_DIVISORS, ALL_BYTE_DIVISORS.join(", "));
}

function titleOf(resource: string): string {
  if (resource === "ephemeral-storage") return "local ephemeral storage";
  if (resource.startsWith("hugepages-")) return "hugepages";
  return resource === "cpu" || resource === "memory" ? resource : "";
}
