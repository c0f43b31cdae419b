import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  invalidField,
  requiredField,
  tooLongField,
  unsupportedField,
} from "@kubescaffold/k8s";

import { since } from "../../../../release/rule-release.ts";
import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { numberIn, objectIn, textIn, textsIn } from "../../../fields.ts";
import { checkedText, optionalChoice, requiredText, requiredTexts } from "../checks/field-checks.ts";

type SourceCheck = (source: MutableJsonObject, at: string) => readonly FieldError[];

const required =
  (...names: readonly string[]): SourceCheck =>
  (source, at) =>
    requiredTexts(source, at, names);

const SHARED: Readonly<Record<string, SourceCheck>> = {
  gitRepo: (source, at) => [
    ...requiredTexts(source, at, ["repository"]),
    ...relativePath(textIn(source, "directory"), `${at}.directory`),
  ],
  gcePersistentDisk: (source, at) => [...requiredTexts(source, at, ["pdName"]), ...partitionErrors(source, at)],
  awsElasticBlockStore: (source, at) => [...requiredTexts(source, at, ["volumeID"]), ...partitionErrors(source, at)],
  nfs: (source, at) => [
    ...requiredTexts(source, at, ["server", "path"]),
    ...(textIn(source, "path").startsWith("/")
      ? []
      : [invalidField(`${at}.path`, textIn(source, "path"), "must be an absolute path")]),
  ],
  iscsi: (source, at) => iscsiErrors(source, at),
  glusterfs: required("endpoints", "path"),
  flocker: (source, at) => flockerErrors(source, at),
  rbd: (source, at) => [
    ...(textsIn(source, "monitors").length === 0 ? [requiredField(`${at}.monitors`)] : []),
    ...requiredTexts(source, at, ["image"]),
  ],
  cinder: (source, at) => [...requiredTexts(source, at, ["volumeID"]), ...secretNameErrors(source, at)],
  cephfs: (source, at) => (textsIn(source, "monitors").length === 0 ? [requiredField(`${at}.monitors`)] : []),
  quobyte: (source, at) => quobyteErrors(source, at),
  fc: (source, at) => fibreChannelErrors(source, at),
  flexVolume: (source, at) => flexErrors(source, at),
  azureFile: required("secretName", "shareName"),
  vsphereVolume: required("volumePath"),
  photonPersistentDisk: required("pdID"),
  portworxVolume: required("volumeID"),
  azureDisk: (source, at) => azureDiskErrors(source, at),
  storageos: (source, at) => storageOsErrors(source, at),
  scaleIO: required("gateway", "system", "volumeName"),
};

/** Returns what is wrong with a source that volumes of Pods and PersistentVolumes share. */
export function sharedSourceErrors(name: string, source: MutableJsonObject, at: string): readonly FieldError[] {
  return SHARED[name]?.(source, at) ?? [];
}

function relativePath(value: string, field: string): readonly FieldError[] {
  return [
    ...(value.startsWith("/") ? [invalidField(field, value, "must be a relative path")] : []),
    ...(value.split("/").includes("..") ? [invalidField(field, value, "must not contain '..'")] : []),
  ];
}

function partitionErrors(source: MutableJsonObject, at: string): readonly FieldError[] {
  const partition = numberIn(source, "partition") ?? 0;
  return partition < 0 || partition > 255
    ? [invalidField(`${at}.partition`, partition, "must be between 1 and 255, inclusive")]
    : [];
}

function iscsiErrors(source: MutableJsonObject, at: string): readonly FieldError[] {
  const lun = numberIn(source, "lun") ?? 0;
  const needsSecret = source["chapAuthDiscovery"] === true || source["chapAuthSession"] === true;
  const initiator = source["initiatorName"];
  return [
    ...requiredTexts(source, at, ["targetPortal"]),
    ...requiredText(`${at}.iqn`, textIn(source, "iqn"), qualifiedDeviceErrors),
    ...(lun < 0 || lun > 255 ? [invalidField(`${at}.lun`, lun, "must be between 0 and 255, inclusive")] : []),
    ...(needsSecret && objectIn(source, "secretRef") === undefined ? [requiredField(`${at}.secretRef`)] : []),
    ...(typeof initiator === "string" ? checkedText(`${at}.initiatorname`, initiator, qualifiedDeviceErrors) : []),
  ];
}

const DEVICE_NAMES: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.([A-Za-z0-9\-.]+)(:[^,;*&$|\s]+)$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
};

/** Returns the reasons why a text is not the name of an iSCSI device. */
function qualifiedDeviceErrors(name: string): readonly string[] {
  const pattern = DEVICE_NAMES[name.slice(0, 3)];
  if (pattern === undefined) return ["must be valid format starting with iqn, eui, or naa"];
  return pattern.test(name) ? [] : ["must be valid format"];
}

function flockerErrors(source: MutableJsonObject, at: string): readonly FieldError[] {
  const [name, uuid] = [textIn(source, "datasetName"), textIn(source, "datasetUUID")];
  const both = "datasetName and datasetUUID can not be specified simultaneously";
  return [
    ...(name === "" && uuid === "" ? [requiredField(at, "one of datasetName and datasetUUID is required")] : []),
    ...(name !== "" && uuid !== "" ? [invalidField(at, "resource", both)] : []),
    ...(name.includes("/") ? [invalidField(`${at}.datasetName`, name, "must not contain '/'")] : []),
  ];
}

/** Returns an error where a reference to a Secret has no name. */
function secretNameErrors(source: MutableJsonObject, at: string): readonly FieldError[] {
  const reference = objectIn(source, "secretRef");
  return reference === undefined ? [] : requiredTexts(reference, `${at}.secretRef`, ["name"]);
}

const REGISTRY = "must be a host:port pair or multiple pairs separated by commas";

function quobyteErrors(source: MutableJsonObject, at: string): readonly FieldError[] {
  const registry = textIn(source, "registry");
  const field = `${at}.registry`;
  const errors =
    registry === ""
      ? [requiredField(field, REGISTRY)]
      : textIn(source, "tenant").length >= 65
        ? [requiredField(`${at}.tenant`, "must be a UUID and may not exceed a length of 64 characters")]
        : registry
            .split(",")
            .filter((pair) => !isHostPort(pair))
            .map(() => invalidField(field, registry, REGISTRY));
  return [...errors, ...requiredTexts(source, at, ["volume"])];
}

function isHostPort(pair: string): boolean {
  return /^(\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/.test(pair);
}

function fibreChannelErrors(source: MutableJsonObject, at: string): readonly FieldError[] {
  const [names, ids] = [textsIn(source, "targetWWNs"), textsIn(source, "wwids")];
  const lun = numberIn(source, "lun");
  const field = `${at}.targetWWNs`;
  const errors = [
    ...(names.length === 0 && ids.length === 0
      ? [requiredField(field, "must specify either targetWWNs or wwids, but not both")]
      : []),
    ...(names.length > 0 && ids.length > 0
      ? [invalidField(field, names, "targetWWNs and wwids can not be specified simultaneously")]
      : []),
  ];
  if (names.length === 0) return errors;
  if (lun === undefined) return [...errors, requiredField(`${at}.lun`, "lun is required if targetWWNs is specified")];
  return lun < 0 || lun > 255
    ? [...errors, invalidField(`${at}.lun`, lun, "must be between 0 and 255, inclusive")]
    : errors;
}

function flexErrors(source: MutableJsonObject, at: string): readonly FieldError[] {
  const reserved = Object.keys(objectIn(source, "options") ?? {}).filter((key) => {
    const namespace = `.${(key.split("/")[0] ?? "").toLowerCase()}`;
    return namespace.endsWith(".kubernetes.io") || namespace.endsWith(".k8s.io");
  });
  return [
    ...requiredTexts(source, at, ["driver"]),
    ...reserved.map((key) =>
      invalidField(`${at}.options[${key}]`, key, "kubernetes.io and k8s.io namespaces are reserved"),
    ),
  ];
}

const CACHING_MODES = ["None", "ReadOnly", "ReadWrite"];
const DISK_KINDS = ["Dedicated", "Managed", "Shared"];
const MANAGED_URI = "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}";
const BLOB_URI = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd";

function azureDiskErrors(source: MutableJsonObject, at: string): readonly FieldError[] {
  const [kind, uri] = [source["kind"], textIn(source, "diskURI")];
  const isManaged = kind === "Managed";
  const isForeign = kind !== undefined && !uri.startsWith(isManaged ? "/subscriptions/" : "https://");
  return [
    ...requiredTexts(source, at, ["diskName", "diskURI"]),
    ...optionalChoice(`${at}.cachingMode`, source["cachingMode"], CACHING_MODES),
    ...optionalChoice(`${at}.kind`, kind, DISK_KINDS),
    ...(isForeign ? [unsupportedField(`${at}.diskURI`, uri, [isManaged ? MANAGED_URI : BLOB_URI])] : []),
  ];
}

function storageOsErrors(source: MutableJsonObject, at: string): readonly FieldError[] {
  const namespace = textIn(source, "volumeNamespace");
  return [
    ...requiredText(`${at}.volumeName`, textIn(source, "volumeName"), dns1123LabelErrors),
    ...(namespace === "" ? [] : checkedText(`${at}.volumeNamespace`, namespace, dns1123LabelErrors)),
    ...secretNameErrors(source, at),
  ];
}

/** Returns what is wrong with the source of a CSI driver in a Pod. */
export function csiSourceErrors(source: MutableJsonObject, at: string): readonly FieldError[] {
  const secret = objectIn(source, "nodePublishSecretRef");
  const name = textIn(secret, "name");
  return [
    ...driverNameErrors(`${at}.driver`, textIn(source, "driver")),
    ...(secret === undefined
      ? []
      : name === ""
        ? [requiredField(`${at}.nodePublishSecretRef.name`)]
        : // Upstream names the field in this way.
          checkedText(`${at}.name`, name, dns1123SubdomainErrors)),
  ];
}

const LONGEST_DRIVER = 63;

/** Returns what is wrong with the name of a CSI driver. */
export function driverNameErrors(field: string, name: string): readonly FieldError[] {
  if (name === "" && since("1.35")) return [requiredField(field)];
  return [
    ...(name === "" ? [requiredField(field)] : []),
    ...(name.length > LONGEST_DRIVER ? [tooLongField(field, LONGEST_DRIVER)] : []),
    ...dns1123SubdomainErrors(name.toLowerCase()).map((problem) => invalidField(field, name, problem)),
  ];
}
