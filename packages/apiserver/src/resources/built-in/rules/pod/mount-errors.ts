import { type FieldError, forbiddenField, invalidField, notFoundField, requiredField } from "@kubescaffold/k8s";

import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn } from "../../../fields.ts";
import { descendingPath, eachItem, supportedText } from "../checks/field-checks.ts";

type Volumes = ReadonlyMap<string, MutableJsonObject>;

/** Returns what is wrong with the mounts and the block devices of a container. */
export function mountErrors(container: MutableJsonObject, volumes: Volumes, at: string): readonly FieldError[] {
  return [
    ...volumeMountErrors(container, volumes, `${at}.volumeMounts`),
    ...volumeDeviceErrors(container, volumes, `${at}.volumeDevices`),
  ];
}

// The last mount of a volume counts.
function pathsByName(items: readonly MutableJsonObject[], field: string): ReadonlyMap<string, string> {
  return new Map(items.map((item) => [textIn(item, "name"), textIn(item, field)]));
}

function volumeMountErrors(container: MutableJsonObject, volumes: Volumes, at: string): readonly FieldError[] {
  const devices = pathsByName(objectsIn(container, "volumeDevices"), "devicePath");
  const devicePaths = new Set(devices.values());
  const paths = new Set<string>();
  return eachItem(objectsIn(container, "volumeMounts"), at, (mount, place) => {
    const [name, path] = [textIn(mount, "name"), textIn(mount, "mountPath")];
    const isTaken = paths.has(path);
    paths.add(path);
    return [
      ...(name === "" ? [requiredField(`${place}.name`)] : []),
      ...(volumes.has(name) ? [] : [notFoundField(`${place}.name`, name)]),
      ...(path === "" ? [requiredField(`${place}.mountPath`)] : []),
      ...(isTaken ? [invalidField(`${place}.mountPath`, path, "must be unique")] : []),
      ...(devices.has(name) ? [invalidField(`${place}.name`, name, "must not already exist in volumeDevices")] : []),
      ...(devicePaths.has(path)
        ? [invalidField(`${place}.mountPath`, path, "must not already exist as a path in volumeDevices")]
        : []),
      ...subPathErrors(mount, place, at),
      ...propagationErrors(mount, container, at),
      ...recursionErrors(mount, `${at}.recursiveReadOnly`),
    ];
  });
}

// Upstream names the list in place of the mount.
function subPathErrors(mount: MutableJsonObject, place: string, list: string): readonly FieldError[] {
  const [path, expression] = [textIn(mount, "subPath"), textIn(mount, "subPathExpr")];
  const isBoth = path !== "" && expression !== "";
  return [
    ...(path === "" ? [] : descendingPath(`${list}.subPath`, path)),
    ...(isBoth
      ? [invalidField(`${place}.subPathExpr`, expression, "subPathExpr and subPath are mutually exclusive")]
      : []),
    ...(expression === "" ? [] : descendingPath(`${list}.subPathExpr`, expression)),
  ];
}

const PROPAGATIONS = ["Bidirectional", "HostToContainer", "None"] as const;
const UNPRIVILEGED = "Bidirectional mount propagation is available only to privileged containers";

function propagationErrors(
  mount: MutableJsonObject,
  container: MutableJsonObject,
  list: string,
): readonly FieldError[] {
  const mode = mount["mountPropagation"];
  if (typeof mode !== "string") return [];
  const field = `${list}.mountPropagation`;
  const isPrivileged = objectIn(container, "securityContext")?.["privileged"] === true;
  return [
    ...supportedText(field, mode, PROPAGATIONS),
    ...(mode === "Bidirectional" && !isPrivileged ? [forbiddenField(field, UNPRIVILEGED)] : []),
  ];
}

function recursionErrors(mount: MutableJsonObject, field: string): readonly FieldError[] {
  const mode = mount["recursiveReadOnly"];
  if (typeof mode !== "string" || mode === "Disabled") return [];
  if (mode !== "Enabled" && mode !== "IfPossible") {
    return supportedText(field, mode, ["Disabled", "Enabled", "IfPossible"]);
  }
  const propagation = mount["mountPropagation"];
  return [
    ...(mount["readOnly"] === true ? [] : [forbiddenField(field, "may only be specified when readOnly is true")]),
    ...(propagation === undefined || propagation === "None"
      ? []
      : [forbiddenField(field, "may only be specified when mountPropagation is None or not specified")]),
  ];
}

const NOT_BLOCK = "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";

function volumeDeviceErrors(container: MutableJsonObject, volumes: Volumes, at: string): readonly FieldError[] {
  const mounts = pathsByName(objectsIn(container, "volumeMounts"), "mountPath");
  const mountPaths = new Set(mounts.values());
  const [paths, names] = [new Set<string>(), new Set<string>()];
  return eachItem(objectsIn(container, "volumeDevices"), at, (device, place) => {
    const [name, path] = [textIn(device, "name"), textIn(device, "devicePath")];
    const volume = volumes.get(name);
    const isClaim = volume?.["persistentVolumeClaim"] !== undefined || volume?.["ephemeral"] !== undefined;
    const [isNameTaken, isPathTaken] = [names.has(name), paths.has(path)];
    const leavesFolder = path.split("/").includes("..");
    if (!leavesFolder) paths.add(path);
    if (name !== "") names.add(name);
    return [
      ...(name === "" ? [requiredField(`${place}.name`)] : []),
      ...(isNameTaken ? [invalidField(`${place}.name`, name, "must be unique")] : []),
      ...(volume !== undefined && !isClaim ? [invalidField(`${place}.name`, name, NOT_BLOCK)] : []),
      ...(volume === undefined ? [notFoundField(`${place}.name`, name)] : []),
      ...(path === "" ? [requiredField(`${place}.devicePath`)] : []),
      ...(isPathTaken ? [invalidField(`${place}.devicePath`, path, "must be unique")] : []),
      ...(leavesFolder ? [invalidField(`${place}.devicePath`, path, "can not contain backsteps ('..')")] : []),
      ...(mounts.has(name) ? [invalidField(`${place}.name`, name, "must not already exist in volumeMounts")] : []),
      ...(mountPaths.has(path)
        ? [invalidField(`${place}.devicePath`, path, "must not already exist as a path in volumeMounts")]
        : []),
    ];
  });
}
