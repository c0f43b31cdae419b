import {
  dns1123SubdomainErrors,
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  qualifiedNameErrors,
  requiredField,
  tooLongField,
} from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema/values";

import { isEnabled, since } from "../../../../release/rule-release.ts";
import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { integerIn, numberIn, objectIn, objectsIn, textIn, textOf, textsIn } from "../../../fields.ts";
import { repeatedIndexes } from "../../../repeated-indexes.ts";
import type { BuiltInChecks } from "../checks/built-in-checks.ts";
import { areDeclared, declaredDriverErrors, declaredImmutable } from "../checks/declared-rules.ts";
import {
  checkedText,
  eachItem,
  nonNegative,
  nonNegativeQuantity,
  optionalChoice,
  supportedText,
} from "../checks/field-checks.ts";
import { labelSelectorErrors } from "../checks/label-selector-rules.ts";
import { driverNameErrors } from "../pod/storage-source-errors.ts";
import { csiDriverWarnings, storageCapacityWarnings, storageClassWarnings } from "../warnings/storage-warnings.ts";
import { volumeSpecErrors } from "./volume-errors.ts";

const isSame = (left: unknown, right: unknown): boolean => deepEqual(left ?? null, right ?? null);
const IMMUTABLE = "field is immutable";

/** Checks of StorageClasses. */
export const storageClassChecks: BuiltInChecks = {
  validate: (storageClass) => storageClassErrors(storageClass),
  validateUpdate: (storageClass, old) => [
    ...["parameters", "provisioner", "reclaimPolicy"]
      .filter((field) => !deepEqual(storageClass[field], old[field]))
      .map((field) =>
        since("1.36")
          ? declaredImmutable(field, storageClass[field])
          : forbiddenField(field, `updates to ${field} are forbidden.`),
      ),
    ...(storageClass["volumeBindingMode"] === old["volumeBindingMode"]
      ? []
      : [declaredImmutable("volumeBindingMode", storageClass["volumeBindingMode"])]),
  ],
  warnings: (storageClass) => storageClassWarnings(storageClass),
};

/** Checks of CSIDrivers. */
export const csiDriverChecks: BuiltInChecks = {
  validate: (driver, _context, old) => csiDriverErrors(driver, old),
  warnings: (driver, old) => csiDriverWarnings(driver, old),
};

/** Checks of CSIStorageCapacities. */
export const storageCapacityChecks: BuiltInChecks = {
  validate: (capacity, _context, old) => storageCapacityErrors(capacity, old),
  warnings: (capacity) => storageCapacityWarnings(capacity),
};

function storageClassErrors(storageClass: ApiObject): readonly FieldError[] {
  const policy = textIn(storageClass, "reclaimPolicy");
  return [
    ...provisionerErrors(textIn(storageClass, "provisioner"), "provisioner"),
    ...parameterErrors(objectIn(storageClass, "parameters") ?? {}),
    ...(policy === "" ? [] : supportedText("reclaimPolicy", policy, ["Delete", "Retain"])),
    ...supportedText("volumeBindingMode", textIn(storageClass, "volumeBindingMode"), [
      "Immediate",
      "WaitForFirstConsumer",
    ]),
    ...topologyErrors(objectsIn(storageClass, "allowedTopologies")),
  ];
}

function provisionerErrors(name: string, field: string): readonly FieldError[] {
  return name === ""
    ? [requiredField(field)]
    : qualifiedNameErrors(name.toLowerCase()).map((problem) => invalidField(field, name.toLowerCase(), problem));
}

const MOST_PARAMETERS = 512;
const MOST_BYTES = 256 * 1024;

function parameterErrors(parameters: MutableJsonObject): readonly FieldError[] {
  const entries = Object.entries(parameters);
  if (entries.length > MOST_PARAMETERS) return [tooLongField("parameters", MOST_PARAMETERS)];
  const bytes = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(textOf(value)),
    0,
  );
  return [
    ...(parameters[""] === undefined ? [] : [invalidField("parameters", "", "field can not be empty.")]),
    ...(bytes > MOST_BYTES ? [tooLongField("parameters", MOST_BYTES)] : []),
  ];
}

// Each term has one for each that equals it: their number is the square of that of the terms.
const MOST_DUPLICATES = 10_000;

function topologyErrors(terms: readonly MutableJsonObject[]): readonly FieldError[] {
  const seen = new Map<string, number>();
  let reported = 0;
  return eachItem(terms, "allowedTopologies", (term, at) => {
    const expressions = objectsIn(term, "matchLabelExpressions");
    const repeated = repeatedIndexes(expressions.map((each) => textIn(each, "key")));
    const keys = new Map(expressions.map((each) => [textIn(each, "key"), textsIn(each, "values").toSorted()]));
    const names = [...keys.keys()].toSorted();
    const form = JSON.stringify(names.map((name) => [name, keys.get(name)]));
    // Upstream compares each term with an empty one for each of them, too.
    const compared = (seen.get(form) ?? 0) + (form === "[]" ? terms.length : 0);
    const count = Math.min(compared, MOST_DUPLICATES - reported);
    reported += count;
    seen.set(form, (seen.get(form) ?? 0) + 1);
    const place = `${at}.matchLabelExpressions`;
    return [
      ...eachItem(expressions, place, (expression, path, index) =>
        expressionErrors(expression, path, repeated.has(index)),
      ),
      ...Array.from({ length: count }, () => duplicateField(place, "")),
    ];
  });
}

function expressionErrors(expression: MutableJsonObject, at: string, isRepeated: boolean): readonly FieldError[] {
  const [key, values] = [textIn(expression, "key"), textsIn(expression, "values")];
  const repeated = repeatedIndexes(values);
  return [
    ...(values.length === 0 ? [requiredField(`${at}.values`)] : []),
    ...eachItem(values, `${at}.values`, (value, place, index) =>
      repeated.has(index) ? [duplicateField(place, value)] : [],
    ),
    ...checkedText(`${at}.key`, key, qualifiedNameErrors),
    ...(isRepeated ? [duplicateField(`${at}.key`, key)] : []),
  ];
}

/** Returns what is wrong with a VolumeAttributesClass. */
export function attributesClassErrors(object: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const changed =
    old === undefined ? [] : ["driverName", "parameters"].filter((field) => !isSame(object[field], old[field]));
  const parameters = objectIn(object, "parameters") ?? {};
  return [
    ...changed.map((field) => forbiddenField(field, `updates to ${field} are forbidden.`)),
    ...provisionerErrors(textIn(object, "driverName"), "driverName"),
    ...parameterErrors(parameters),
    ...(Object.keys(parameters).length === 0
      ? [requiredField("parameters", "must contain at least one key/value pair")]
      : []),
  ];
}

const LONGEST_NODE_ID = 256;

/** Returns what is wrong with a CSINode. */
export function csiNodeErrors(node: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const drivers = objectsIn(objectIn(node, "spec"), "drivers");
  const names = new Set<string>();
  const former = objectsIn(objectIn(old, "spec"), "drivers");
  const isCountMutable = isEnabled("MutableCSINodeAllocatableCount");
  const fixed = ({ allocatable, ...driver }: MutableJsonObject): unknown =>
    isCountMutable ? driver : { ...driver, allocatable };
  return [
    ...eachItem(drivers, "spec.drivers", (driver, at) => {
      const [name, id] = [textIn(driver, "name"), textIn(driver, "nodeID")];
      const isTaken = names.has(name);
      names.add(name);
      const keys = textsIn(driver, "topologyKeys");
      const repeated = repeatedIndexes(keys);
      return [
        ...driverNameErrors(`${at}.name`, name),
        ...(id === "" ? [requiredField(`${at}.nodeID`)] : []),
        ...(id.length > LONGEST_NODE_ID
          ? [invalidField(`${at}.nodeID`, id, `must be ${LONGEST_NODE_ID} characters or less`)]
          : []),
        ...nonNegative(`${at}.allocatable.count`, numberIn(objectIn(driver, "allocatable"), "count")),
        ...(isTaken ? [duplicateField(`${at}.name`, name)] : []),
        ...keys.flatMap((key, index) => [
          ...(key === "" ? [requiredField(at)] : []),
          ...(repeated.has(index) ? [duplicateField(at, key)] : []),
          ...checkedText(at, key, qualifiedNameErrors),
        ]),
      ];
    }),
    ...former.flatMap((before) =>
      drivers
        .filter((driver) => driver["name"] === before["name"] && !isSame(fixed(driver), fixed(before)))
        .map((driver) => invalidField("spec.drivers", driver, IMMUTABLE)),
    ),
  ];
}

const LEAST_SECONDS = 600;
const MOST_SECONDS = 2 ** 32;
const LEAST_PERIOD = 10;

function csiDriverErrors(driver: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const spec = objectIn(driver, "spec") ?? {};
  const before = objectIn(old, "spec");
  const period = integerIn(spec, "nodeAllocatableUpdatePeriodSeconds");
  const requests = objectsIn(spec, "tokenRequests");
  const inSecrets = spec["serviceAccountTokenInSecrets"];
  return [
    ...optionalChoice("spec.fsGroupPolicy", spec["fsGroupPolicy"], ["File", "None", "ReadWriteOnceWithFSType"]),
    ...tokenErrors(requests),
    ...textsIn(spec, "volumeLifecycleModes").flatMap((mode) =>
      supportedText("spec.volumeLifecycleModes", mode, ["Persistent", "Ephemeral"]),
    ),
    ...(period !== undefined && period < LEAST_PERIOD
      ? [
          invalidField(
            "spec.nodeAllocatableUpdatePeriodSeconds",
            period,
            `must be greater than or equal to ${LEAST_PERIOD} seconds`,
          ),
        ]
      : []),
    ...(inSecrets !== undefined && requests.length === 0
      ? [
          invalidField(
            "spec.serviceAccountTokenInSecrets",
            inSecrets,
            "serviceAccountTokenInSecrets is set but no tokenRequests are specified",
          ),
        ]
      : []),
    ...(before === undefined || isSame(spec["attachRequired"], before["attachRequired"])
      ? []
      : [invalidField("spec.attachedRequired", spec["attachRequired"], IMMUTABLE)]),
    ...(before === undefined || isSame(spec["volumeLifecycleModes"], before["volumeLifecycleModes"])
      ? []
      : [declaredImmutable("spec.volumeLifecycleModes", spec["volumeLifecycleModes"])]),
  ];
}

function tokenErrors(requests: readonly MutableJsonObject[]): readonly FieldError[] {
  const audiences = new Set<string>();
  return eachItem(requests, "spec.tokenRequests", (request, at) => {
    const audience = textIn(request, "audience");
    if (audiences.has(audience)) return [duplicateField(`${at}.audience`, audience)];
    audiences.add(audience);
    const seconds = integerIn(request, "expirationSeconds");
    const field = `${at}.expirationSeconds`;
    return [
      ...(seconds !== undefined && seconds < LEAST_SECONDS
        ? [invalidField(field, seconds, "may not specify a duration less than 10 minutes")]
        : []),
      ...(seconds !== undefined && seconds > MOST_SECONDS
        ? [invalidField(field, seconds, "may not specify a duration larger than 2^32 seconds")]
        : []),
    ];
  });
}

// The declared rules of the attacher are not reached where the specification must not change.
function attacherErrors(attacher: string, old: ApiObject | undefined): readonly FieldError[] {
  return areDeclared() && old === undefined
    ? declaredDriverErrors("spec.attacher", attacher)
    : driverNameErrors("spec.attacher", attacher);
}

/** Returns what is wrong with a VolumeAttachment. */
export function volumeAttachmentErrors(attachment: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const spec = objectIn(attachment, "spec") ?? {};
  const source = objectIn(spec, "source");
  const name = source?.["persistentVolumeName"];
  const isInline = source?.["inlineVolumeSpec"] !== undefined;
  const exactly = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
  const attacher = textIn(spec, "attacher");
  return [
    ...(attacher === "" ? [requiredField("spec.attacher")] : since("1.36") ? attacherErrors(attacher, old) : []),
    ...(!isInline && name === undefined ? [requiredField("spec.source", exactly)] : []),
    ...(isInline && name !== undefined ? [forbiddenField("spec.source", exactly)] : []),
    ...(isInline && name === undefined
      ? volumeSpecErrors(objectIn(source, "inlineVolumeSpec") ?? {}, "spec.source.inlineVolumeSpec", {
          name: "",
          isInline: true,
        })
      : []),
    ...(!isInline && name === ""
      ? [requiredField("spec.source.persistentVolumeName", "must specify non empty persistentVolumeName")]
      : []),
    ...checkedText("spec.nodeName", textIn(spec, "nodeName"), dns1123SubdomainErrors),
    ...(old === undefined && !since("1.36") ? driverNameErrors("spec.attacher", attacher) : []),
    ...(typeof name === "string" && (old === undefined || since("1.36"))
      ? checkedText("spec.source.persistentVolumeName", name, dns1123SubdomainErrors)
      : []),
    ...(old === undefined || isSame(spec, old["spec"]) ? [] : [declaredImmutable("spec", spec)]),
  ];
}

function storageCapacityErrors(capacity: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const amount = textIn(capacity, "capacity");
  const changed =
    old === undefined
      ? []
      : ["nodeTopology", "storageClassName"].filter((field) => !isSame(capacity[field], old[field]));
  return [
    ...labelSelectorErrors(objectIn(capacity, "nodeTopology"), "nodeTopology"),
    ...checkedText("storageClassName", textIn(capacity, "storageClassName"), dns1123SubdomainErrors),
    ...(amount === "" ? [] : nonNegativeQuantity("capacity", amount)),
    ...changed.map((field) => invalidField(field, capacity[field] ?? null, IMMUTABLE)),
  ];
}
