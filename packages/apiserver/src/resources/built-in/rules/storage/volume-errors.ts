import {
  compareQuantities,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  forbiddenField,
  invalidField,
  quantityToBigInt,
  requiredField,
  unsupportedField,
} from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";
import { deepEqual } from "@kubescaffold/schema/values";

import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, textIn, textOf, textsIn } from "../../../fields.ts";
import {
  checkedText,
  optionalChoice,
  positiveQuantity,
  requiredText,
  requiredTexts,
  withoutBacksteps,
} from "../checks/field-checks.ts";
import { accessModeErrors, VOLUME_MODES } from "../pod/claim-spec-errors.ts";
import { nodeSelectorErrors } from "../pod/scheduling-errors.ts";
import { driverNameErrors, sharedSourceErrors } from "../pod/storage-source-errors.ts";
import { hostPathErrors } from "../pod/volume-errors.ts";

// In the order of upstream; the first one is checked, and the others are refused.
const SOURCES = [
  "hostPath",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "glusterfs",
  "flocker",
  "nfs",
  "rbd",
  "quobyte",
  "cephfs",
  "iscsi",
  "cinder",
  "fc",
  "flexVolume",
  "azureFile",
  "vsphereVolume",
  "photonPersistentDisk",
  "portworxVolume",
  "azureDisk",
  "scaleIO",
  "local",
  "storageos",
  "csi",
] as const;
type SourceName = (typeof SOURCES)[number];
const RECLAIM_POLICIES = ["Delete", "Recycle", "Retain"] as const;
const MIXED = "may not use ReadWriteOncePod with other access modes";

const MOUNT_OPTIONS = "volume.beta.kubernetes.io/mount-options";
const WITH_MOUNT_OPTIONS: readonly SourceName[] = [
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "glusterfs",
  "nfs",
  "rbd",
  "quobyte",
  "iscsi",
  "cinder",
  "cephfs",
  "azureFile",
  "vsphereVolume",
  "azureDisk",
  "photonPersistentDisk",
];

/** Returns an error where an annotation states mount options of a volume that has none. */
export function mountOptionErrors(volume: ApiObject): readonly FieldError[] {
  const spec = objectIn(volume, "spec");
  const hasOptions = WITH_MOUNT_OPTIONS.some((name) => objectIn(spec, name) !== undefined);
  return hasOptions || volume.metadata.annotations?.[MOUNT_OPTIONS] === undefined
    ? []
    : [forbiddenField(`metadata.annotations.${MOUNT_OPTIONS}`, "may not specify mount options for this volume type")];
}

/** Returns what is wrong with the specification of a PersistentVolume. */
export function volumeSpecErrors(
  spec: MutableJsonObject,
  at: string,
  { name, isInline }: { readonly name: string; readonly isInline: boolean },
): readonly FieldError[] {
  const modes = textsIn(spec, "accessModes");
  const policy = textIn(spec, "persistentVolumeReclaimPolicy");
  const className = textIn(spec, "storageClassName");
  const affinity = objectIn(spec, "nodeAffinity");
  return [
    ...(isInline ? inlineErrors(spec, at) : []),
    ...(modes.length === 0 ? [requiredField(`${at}.accessModes`)] : []),
    ...accessModeErrors(modes, `${at}.accessModes`, MIXED),
    ...(isInline ? [] : capacityErrors(objectIn(spec, "capacity") ?? {}, `${at}.capacity`)),
    ...(policy === "" || isInline
      ? []
      : optionalChoice(`${at}.persistentVolumeReclaimPolicy`, policy, RECLAIM_POLICIES)),
    ...(affinity === undefined || isInline ? [] : affinityErrors(affinity, `${at}.nodeAffinity`)),
    ...sourceErrors(spec, at, name),
    ...(isRoot(textIn(objectIn(spec, "hostPath"), "path")) && policy === "Recycle"
      ? [forbiddenField(`${at}.persistentVolumeReclaimPolicy`, "may not be 'recycle' for a hostPath mount of '/'")]
      : []),
    ...(className === "" || isInline ? [] : checkedText(`${at}.storageClassName`, className, dns1123SubdomainErrors)),
    ...(isInline ? [] : optionalChoice(`${at}.volumeMode`, spec["volumeMode"], VOLUME_MODES)),
    ...(isInline ? [] : attributesClassErrors(spec, at)),
  ];
}

const INLINE = "in the context of inline volumes";

function inlineErrors(spec: MutableJsonObject, at: string): readonly FieldError[] {
  const given = ["claimRef", "capacity", "nodeAffinity", "storageClassName"].filter((name) => {
    const value = spec[name];
    return value !== undefined && value !== "";
  });
  const [policy, mode] = [textIn(spec, "persistentVolumeReclaimPolicy"), spec["volumeMode"]];
  return [
    ...given.map((name) => forbiddenField(`${at}.${name}`, `may not be specified ${INLINE}`)),
    ...(spec["csi"] === undefined ? [requiredField(`${at}.csi`, `has to be specified ${INLINE}`)] : []),
    ...(policy !== "" && policy !== "Retain"
      ? [forbiddenField(`${at}.persistentVolumeReclaimPolicy`, `may only be Retain ${INLINE}`)]
      : []),
    ...(mode !== undefined && mode !== "Filesystem"
      ? [forbiddenField(`${at}.volumeMode`, `may not specify volumeMode other than Filesystem ${INLINE}`)]
      : []),
  ];
}

function isRoot(path: string): boolean {
  return path.startsWith("/") && path.split("/").every((step) => step === "" || step === ".");
}

function capacityErrors(capacity: MutableJsonObject, at: string): readonly FieldError[] {
  const entries = Object.entries(capacity);
  const isStorage = capacity["storage"] !== undefined && entries.length === 1;
  return [
    ...(entries.length === 0 ? [requiredField(at)] : []),
    ...(isStorage ? [] : [unsupportedField(at, capacity, ["storage"])]),
    ...entries.flatMap(([name, amount]) => {
      const field = `${at}[${name}]`;
      const isNegative = compareQuantities(textOf(amount), "0") < 0;
      const value = Number(quantityToBigInt(textOf(amount)));
      return [
        ...(isNegative ? [invalidField(field, value, "must be a valid resource quantity")] : []),
        ...positiveQuantity(field, textOf(amount)),
      ];
    }),
  ];
}

function affinityErrors(affinity: MutableJsonObject, at: string): readonly FieldError[] {
  const required = objectIn(affinity, "required");
  return required === undefined
    ? [requiredField(`${at}.required`, "must specify required node constraints")]
    : nodeSelectorErrors(required, `${at}.required`);
}

const TOO_MANY = "may not specify more than 1 volume type";

function sourceErrors(spec: MutableJsonObject, at: string, name: string): readonly FieldError[] {
  const [first, ...others] = SOURCES.filter((source) => objectIn(spec, source) !== undefined);
  if (first === undefined) return [requiredField(at, "must specify a volume type")];
  return [first, ...others].flatMap((source, index) => {
    const place = `${at}.${source === "cephfs" && index > 0 ? "cephFS" : source}`;
    // Upstream does not count this one among the others.
    return index > 0 && source !== "flexVolume"
      ? [forbiddenField(place, TOO_MANY)]
      : errorsOfSource(source, spec, { at, name });
  });
}

function errorsOfSource(
  source: SourceName,
  spec: MutableJsonObject,
  { at, name }: { readonly at: string; readonly name: string },
): readonly FieldError[] {
  const value = objectIn(spec, source) ?? {};
  const place = `${at}.${source}`;
  switch (source) {
    case "hostPath":
      return hostPathErrors(value, place);
    case "gcePersistentDisk":
      return sharedSourceErrors(source, value, `${at}.persistentDisk`);
    case "glusterfs":
      return [...sharedSourceErrors(source, value, place), ...endpointsNamespaceErrors(value, place)];
    case "iscsi":
      return iscsiErrors(value, place, name);
    case "cinder":
    case "storageos":
      return [...sharedSourceErrors(source, value, place), ...secretNamespaceErrors(value, place)];
    case "azureFile":
      return [
        ...sharedSourceErrors(source, value, place),
        ...(value["secretNamespace"] === "" ? [requiredField(`${place}.secretNamespace`)] : []),
      ];
    case "local":
      return localErrors(value, spec, at);
    case "csi":
      return csiErrors(value, place);
    default:
      return sharedSourceErrors(source, value, place);
  }
}

function endpointsNamespaceErrors(value: MutableJsonObject, at: string): readonly FieldError[] {
  const namespace = value["endpointsNamespace"];
  const field = `${at}.endpointsNamespace`;
  const empty = "if the endpointnamespace is set, it must be a valid namespace name";
  if (namespace === "") return [invalidField(field, "", empty)];
  return typeof namespace === "string" ? checkedText(field, namespace, dns1123LabelErrors) : [];
}

function iscsiErrors(value: MutableJsonObject, at: string, name: string): readonly FieldError[] {
  const portal = textIn(value, "targetPortal");
  const secret = objectIn(value, "secretRef");
  const long =
    "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.";
  const general = "must be valid format starting with iqn, eui, or naa";
  return [
    // Upstream has a shorter text here.
    ...sharedSourceErrors("iscsi", value, at).map((error) =>
      error.detail === general ? { ...error, detail: "must be valid format" } : error,
    ),
    ...(value["initiatorName"] !== undefined && `${name}:${portal}`.length > 64
      ? [invalidField(`${at}.targetportal`, portal, long)]
      : []),
    ...(secret === undefined ? [] : requiredTexts(secret, `${at}.secretRef`, ["name"])),
  ];
}

function secretNamespaceErrors(value: MutableJsonObject, at: string): readonly FieldError[] {
  const secret = objectIn(value, "secretRef");
  return secret === undefined ? [] : requiredTexts(secret, `${at}.secretRef`, ["namespace"]);
}

function localErrors(value: MutableJsonObject, spec: MutableJsonObject, at: string): readonly FieldError[] {
  const path = textIn(value, "path");
  return [
    ...(path === "" ? [requiredField(`${at}.local.path`)] : withoutBacksteps(`${at}.local.path`, path)),
    ...(objectIn(spec, "nodeAffinity") === undefined
      ? [requiredField(`${at}.nodeAffinity`, "Local volume requires node affinity")]
      : []),
  ];
}

const SECRETS = [
  "controllerPublishSecretRef",
  "controllerExpandSecretRef",
  "nodePublishSecretRef",
  "nodeExpandSecretRef",
];

function csiErrors(value: MutableJsonObject, at: string): readonly FieldError[] {
  return [
    ...driverNameErrors(`${at}.driver`, textIn(value, "driver")),
    ...requiredTexts(value, at, ["volumeHandle"]),
    ...SECRETS.flatMap((name) => {
      const secret = objectIn(value, name);
      return secret === undefined
        ? []
        : [
            ...requiredText(`${at}.${name}.name`, textIn(secret, "name"), dns1123SubdomainErrors),
            ...requiredText(`${at}.${name}.namespace`, textIn(secret, "namespace"), dns1123LabelErrors),
          ];
    }),
  ];
}

function attributesClassErrors(spec: MutableJsonObject, at: string): readonly FieldError[] {
  const name = spec["volumeAttributesClassName"];
  if (typeof name !== "string") return [];
  const field = `${at}.volumeAttributesClassName`;
  return [
    ...(name === ""
      ? [requiredField(field, "an empty string is disallowed")]
      : checkedText(field, name, dns1123SubdomainErrors)),
    ...(objectIn(spec, "csi") === undefined
      ? [requiredField(`${at}.csi`, "has to be specified when using volumeAttributesClassName")]
      : []),
  ];
}

/** Returns what is wrong with the changes of a PersistentVolume. */
export function volumeChangeErrors(volume: ApiObject, old: ApiObject): readonly FieldError[] {
  const [spec, before] = [objectIn(volume, "spec") ?? {}, objectIn(old, "spec") ?? {}];
  const isSame = (left: unknown, right: unknown): boolean => deepEqual(left ?? null, right ?? null);
  const affinity = before["nodeAffinity"];
  const classes = [spec["volumeAttributesClassName"], before["volumeAttributesClassName"]];
  return [
    ...(isSame(sourcesOf(spec, before), sourcesOf(before, before))
      ? []
      : [forbiddenField("spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation")]),
    ...(isSame(spec["volumeMode"], before["volumeMode"])
      ? []
      : [invalidField("volumeMode", spec["volumeMode"] ?? null, "field is immutable")]),
    ...(affinity === undefined || isSame(withFormerKeys(spec["nodeAffinity"], affinity), affinity)
      ? []
      : [
          invalidField(
            "nodeAffinity",
            spec["nodeAffinity"] ?? null,
            "field is immutable, except for updating from beta label to GA",
          ),
        ]),
    ...(classes[0] === undefined && classes[1] !== undefined
      ? [forbiddenField("spec.volumeAttributesClassName", "update from non-nil value to nil is forbidden")]
      : []),
  ];
}

const STABLE_KEYS: Readonly<Record<string, string>> = {
  "failure-domain.beta.kubernetes.io/zone": "topology.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
  "beta.kubernetes.io/os": "kubernetes.io/os",
  "beta.kubernetes.io/arch": "kubernetes.io/arch",
  "beta.kubernetes.io/instance-type": "node.kubernetes.io/instance-type",
};

// A label may become stable; upstream also takes an empty key for any that is not such a label.
function withFormerKeys(value: unknown, former: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(former)) {
    return value.map((item, index) => withFormerKeys(item, former[index]));
  }
  if (!isRecord(value) || !isRecord(former)) return value;
  const entries = Object.keys({ ...former, ...value }).map((name): readonly [string, unknown] => {
    const [after, before] = [value[name], former[name]];
    const isKey = name === "key" && typeof before === "string" && (after ?? "") === (STABLE_KEYS[before] ?? "");
    return [name, isKey ? before : withFormerKeys(after, before)];
  });
  return Object.fromEntries(entries.filter(([, each]) => each !== undefined));
}

// The secret for growing a volume can be added once.
function sourcesOf(spec: MutableJsonObject, before: MutableJsonObject): unknown {
  const sources = Object.fromEntries(
    SOURCES.filter((name) => spec[name] !== undefined).map((name) => [name, spec[name]]),
  );
  const [csi, former] = [objectIn(spec, "csi"), objectIn(before, "csi")];
  if (csi === undefined || former === undefined || former["controllerExpandSecretRef"] !== undefined) return sources;
  const { controllerExpandSecretRef: _secret, ...others } = csi;
  return { ...sources, csi: others };
}
