import {
  compareQuantities,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
} from "@kubescaffold/k8s";

import { since } from "../../../../release/rule-release.ts";
import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { numberIn, objectIn, objectsIn, textIn } from "../../../fields.ts";
import {
  fileMode,
  fileUser,
  requiredChoice,
  requiredText,
  unreservedPath,
  withoutBacksteps,
} from "../checks/field-checks.ts";
import { claimSpecErrors, templateMetaErrors } from "./claim-spec-errors.ts";
import { fieldReferenceErrors, resourceReferenceErrors, VOLUME_FIELDS } from "./environment-errors.ts";
import { keyPathErrors, projectionErrors } from "./projection-errors.ts";
import { csiSourceErrors, sharedSourceErrors } from "./storage-source-errors.ts";

/** The volumes of a Pod that are valid, by name, and what is wrong with the others. */
export interface CheckedVolumes {
  readonly volumes: ReadonlyMap<string, MutableJsonObject>;
  readonly errors: readonly FieldError[];
}

/** Checks the volumes of a Pod; the name is that of the Pod, where it is known. What the former specification had already is tolerated. */
export function checkVolumes(
  spec: MutableJsonObject,
  at: string,
  { podName, former }: { readonly podName: string; readonly former: MutableJsonObject | undefined },
): CheckedVolumes {
  const needsImage = since("1.37") ? !objectsIn(former, "volumes").some(lacksImage) : podName !== "";
  const volumes = new Map<string, MutableJsonObject>();
  const list = objectsIn(spec, "volumes");
  const created = new Set(
    podName === ""
      ? []
      : list
          .filter((volume) => volume["ephemeral"] !== undefined)
          .map((volume) => `${podName}-${textIn(volume, "name")}`),
  );
  const errors = list.flatMap((volume, index) => {
    const name = textIn(volume, "name");
    const place = `${at}[${index}]`;
    const found = [
      ...sourceErrors(volume, place, { podName, needsImage }),
      ...requiredText(`${place}.name`, name, dns1123LabelErrors),
      ...(volumes.has(name) ? [duplicateField(`${place}.name`, name)] : []),
    ];
    if (found.length === 0) volumes.set(name, volume);
    const claim = textIn(objectIn(volume, "persistentVolumeClaim"), "claimName");
    const problem = "must not reference a PVC that gets created for an ephemeral volume";
    return created.has(claim) && volume["persistentVolumeClaim"] !== undefined
      ? [...found, invalidField(`${place}.persistentVolumeClaim.claimName`, claim, problem)]
      : found;
  });
  return { volumes, errors };
}

// In the order of upstream; the first one is checked, and the others are refused.
const SOURCES = [
  "emptyDir",
  "hostPath",
  "gitRepo",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "secret",
  "nfs",
  "iscsi",
  "glusterfs",
  "flocker",
  "persistentVolumeClaim",
  "rbd",
  "cinder",
  "cephfs",
  "quobyte",
  "downwardAPI",
  "fc",
  "flexVolume",
  "configMap",
  "azureFile",
  "vsphereVolume",
  "photonPersistentDisk",
  "portworxVolume",
  "azureDisk",
  "storageos",
  "projected",
  "scaleIO",
  "csi",
  "ephemeral",
  "image",
] as const;
type SourceName = (typeof SOURCES)[number];

const OTHER_PATHS: Readonly<Partial<Record<SourceName, string>>> = { cephfs: "cephFS", downwardAPI: "downwarAPI" };

function lacksImage(volume: MutableJsonObject): boolean {
  const image = objectIn(volume, "image");
  return image !== undefined && textIn(image, "reference") === "";
}

function sourceErrors(
  volume: MutableJsonObject,
  at: string,
  { podName, needsImage }: { readonly podName: string; readonly needsImage: boolean },
): readonly FieldError[] {
  const [first, ...others] = SOURCES.filter((name) => objectIn(volume, name) !== undefined);
  if (first === undefined) return [requiredField(at, "must specify a volume type")];
  const source = objectIn(volume, first) ?? {};
  return [
    ...errorsOfSource(first, source, { at, needsImage }),
    ...(first === "ephemeral" ? ephemeralNameErrors(volume, at, podName) : []),
    ...others.map((name) =>
      forbiddenField(`${at}.${OTHER_PATHS[name] ?? name}`, "may not specify more than 1 volume type"),
    ),
    ...initiatorErrors(volume, at),
  ];
}

function initiatorErrors(volume: MutableJsonObject, at: string): readonly FieldError[] {
  const iscsi = objectIn(volume, "iscsi");
  const name = textIn(volume, "name");
  const problem =
    "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.";
  return iscsi?.["initiatorName"] !== undefined && `${name}:${textIn(iscsi, "targetPortal")}`.length > 64
    ? [invalidField(`${at}.name`, name, problem)]
    : [];
}

function ephemeralNameErrors(volume: MutableJsonObject, at: string, podName: string): readonly FieldError[] {
  const name = textIn(volume, "name");
  if (podName === "" || name === "") return [];
  const claim = `${podName}-${name}`;
  return dns1123SubdomainErrors(claim).map((problem) =>
    invalidField(`${at}.name`, name, `PVC name ${JSON.stringify(claim)}: ${problem}`),
  );
}

function errorsOfSource(
  name: SourceName,
  source: MutableJsonObject,
  { at, needsImage }: { readonly at: string; readonly needsImage: boolean },
): readonly FieldError[] {
  const place = `${at}.${name}`;
  switch (name) {
    case "emptyDir":
      return sizeLimitErrors(source, place);
    case "hostPath":
      return hostPathErrors(source, place);
    case "secret":
      return [...requiredText(`${place}.secretName`, textIn(source, "secretName")), ...fileErrors(source, place)];
    case "configMap":
      return [...requiredText(`${place}.name`, textIn(source, "name")), ...fileErrors(source, place)];
    case "persistentVolumeClaim":
      return requiredText(`${place}.claimName`, textIn(source, "claimName"));
    case "downwardAPI":
      return [
        ...fileMode(`${place}.defaultMode`, numberIn(source, "defaultMode")),
        ...fileUser(source, `${place}.defaultUser`),
        ...objectsIn(source, "items").flatMap((file) => downwardFileErrors(file, place)),
      ];
    case "projected":
      return [
        ...fileMode(`${place}.defaultMode`, numberIn(source, "defaultMode")),
        ...fileUser(source, `${place}.defaultUser`),
        ...projectionErrors(source, place, downwardFileErrors),
      ];
    case "csi":
      return csiSourceErrors(source, place);
    case "ephemeral":
      return ephemeralErrors(source, place);
    case "image":
      return imageErrors(source, place, needsImage);
    case "gcePersistentDisk":
      return sharedSourceErrors(name, source, `${at}.persistentDisk`);
    default:
      return sharedSourceErrors(name, source, place);
  }
}

function sizeLimitErrors(source: MutableJsonObject, at: string): readonly FieldError[] {
  const limit = textIn(source, "sizeLimit");
  return limit !== "" && compareQuantities(limit, "0") < 0
    ? [forbiddenField(`${at}.sizeLimit`, "SizeLimit field must be a valid resource quantity")]
    : [];
}

const HOST_PATH_TYPES = [
  "",
  "BlockDevice",
  "CharDevice",
  "Directory",
  "DirectoryOrCreate",
  "File",
  "FileOrCreate",
  "Socket",
] as const;

/** Returns what is wrong with a path of the host. */
export function hostPathErrors(source: MutableJsonObject, at: string): readonly FieldError[] {
  const path = textIn(source, "path");
  if (path === "") return [requiredField(`${at}.path`)];
  const type = source["type"];
  const isKnown = type === undefined || (HOST_PATH_TYPES as readonly unknown[]).includes(type);
  return [
    ...withoutBacksteps(`${at}.path`, path),
    ...(isKnown ? [] : [unsupportedField(`${at}.type`, type, HOST_PATH_TYPES)]),
  ];
}

function fileErrors(source: MutableJsonObject, at: string): readonly FieldError[] {
  return [
    ...fileMode(`${at}.defaultMode`, numberIn(source, "defaultMode")),
    ...fileUser(source, `${at}.defaultUser`),
    ...objectsIn(source, "items").flatMap((item, index) => keyPathErrors(item, `${at}.items[${index}]`)),
  ];
}

function downwardFileErrors(file: MutableJsonObject, at: string): readonly FieldError[] {
  const path = textIn(file, "path");
  const [field, resource] = [objectIn(file, "fieldRef"), objectIn(file, "resourceFieldRef")];
  const both = "fieldRef and resourceFieldRef can not be specified simultaneously";
  const references =
    field !== undefined
      ? [
          ...fieldReferenceErrors(field, VOLUME_FIELDS, `${at}.fieldRef`),
          ...(resource === undefined ? [] : [invalidField(at, "resource", both)]),
        ]
      : resource === undefined
        ? [requiredField(at, "one of fieldRef and resourceFieldRef is required")]
        : resourceReferenceErrors(resource, `${at}.resourceFieldRef`, { isVolume: true });
  return [
    ...(path === "" ? [requiredField(`${at}.path`)] : []),
    ...unreservedPath(`${at}.path`, path),
    ...references,
    ...fileMode(`${at}.mode`, numberIn(file, "mode")),
    ...fileUser(file, `${at}.user`),
  ];
}

function ephemeralErrors(source: MutableJsonObject, at: string): readonly FieldError[] {
  const template = objectIn(source, "volumeClaimTemplate");
  if (template === undefined) return [requiredField(`${at}.volumeClaimTemplate`)];
  const place = `${at}.volumeClaimTemplate`;
  return [
    ...templateMetaErrors(objectIn(template, "metadata"), `${place}.metadata`),
    ...claimSpecErrors(objectIn(template, "spec") ?? {}, `${place}.spec`),
  ];
}

const PULL_POLICIES = ["Always", "IfNotPresent", "Never"] as const;

function imageErrors(source: MutableJsonObject, at: string, needsImage: boolean): readonly FieldError[] {
  return [
    // Templates may omit it until 1.36.
    ...(needsImage ? requiredText(`${at}.reference`, textIn(source, "reference")) : []),
    ...requiredChoice(`${at}.pullPolicy`, textIn(source, "pullPolicy"), PULL_POLICIES),
  ];
}
