import {
  compareQuantities,
  dns1123LabelErrors,
  duplicateField,
  invalidField,
  notFoundField,
  requiredField,
  unsupportedField,
  type FieldError,
} from "@kubescaffold/k8s";

import type { MutableJsonObject } from "../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn } from "../../fields.ts";

/** Returns what is wrong with a pod's spec, beyond what its schema requires. */
export function podSpecErrors(spec: MutableJsonObject, path: string): readonly FieldError[] {
  const volumes = objectsIn(spec, "volumes").map((volume) => textIn(volume, "name"));
  return [
    ...volumeErrors(volumes, `${path}.volumes`),
    ...containersErrors(spec, "containers", path, volumes),
    ...containersErrors(spec, "initContainers", path, volumes),
    ...(objectsIn(spec, "containers").length === 0 && spec["containers"] !== undefined
      ? [requiredField(`${path}.containers`)]
      : []),
  ];
}

function volumeErrors(names: readonly string[], path: string): readonly FieldError[] {
  return names.flatMap((name, index) => [
    ...(name === ""
      ? []
      : dns1123LabelErrors(name).map((detail) => invalidField(`${path}[${index}].name`, name, detail))),
    ...(name !== "" && names.indexOf(name) < index ? [duplicateField(`${path}[${index}].name`, name)] : []),
  ]);
}

function containersErrors(
  spec: MutableJsonObject,
  field: string,
  path: string,
  volumes: readonly string[],
): readonly FieldError[] {
  const containers = objectsIn(spec, field);
  const names = containers.map((container) => textIn(container, "name"));
  return containers.flatMap((container, index) => {
    const at = `${path}.${field}[${index}]`;
    const name = names[index] ?? "";
    return [
      ...(name === "" ? [] : dns1123LabelErrors(name).map((detail) => invalidField(`${at}.name`, name, detail))),
      ...(name !== "" && names.indexOf(name) < index ? [duplicateField(`${at}.name`, name)] : []),
      ...(textIn(container, "image") === "" ? [requiredField(`${at}.image`)] : []),
      ...portErrors(container, at),
      ...mountErrors(container, volumes, at),
      ...resourceErrors(container, at),
    ];
  });
}

function portErrors(container: MutableJsonObject, path: string): readonly FieldError[] {
  return objectsIn(container, "ports").flatMap((port, index) => {
    const at = `${path}.ports[${index}].containerPort`;
    const number = port["containerPort"];
    if (typeof number !== "number" || number === 0) {
      return typeof number === "number" ? [requiredField(at)] : [];
    }
    return number >= 1 && number <= 65_535 ? [] : [invalidField(at, number, "must be between 1 and 65535, inclusive")];
  });
}

function mountErrors(container: MutableJsonObject, volumes: readonly string[], path: string): readonly FieldError[] {
  return objectsIn(container, "volumeMounts").flatMap((mount, index) => {
    const name = textIn(mount, "name");
    return name === "" || volumes.includes(name) ? [] : [notFoundField(`${path}.volumeMounts[${index}].name`, name)];
  });
}

function resourceErrors(container: MutableJsonObject, path: string): readonly FieldError[] {
  const resources = objectIn(container, "resources");
  const limits = objectIn(resources, "limits");
  return Object.entries(objectIn(resources, "requests") ?? {}).flatMap(([name, request]) => {
    const limit = textIn(limits, name);
    return limit === "" || typeof request !== "string" || compareQuantities(request, limit) <= 0
      ? []
      : [
          invalidField(
            `${path}.resources.requests`,
            request,
            `must be less than or equal to ${name} limit of ${limit}`,
          ),
        ];
  });
}

/** Returns an error when the pods of a template are restarted in a way that its workload does not take. */
export function restartPolicyErrors(
  spec: MutableJsonObject | undefined,
  { path, supported }: { readonly path: string; readonly supported: readonly string[] },
): readonly FieldError[] {
  const policy = textIn(spec, "restartPolicy");
  return spec === undefined || supported.includes(policy)
    ? []
    : [unsupportedField(`${path}.restartPolicy`, policy, supported)];
}
