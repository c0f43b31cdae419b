import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
} from "@kubescaffold/k8s";

import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, textIn, textsIn } from "../../../fields.ts";
import { OBJECT_META_FIELDS } from "../../../object-meta.ts";
import { checkedText, optionalChoice, positiveQuantity, requiredTexts } from "../checks/field-checks.ts";
import { labelSelectorErrors } from "../checks/label-selector-rules.ts";
import { annotationErrors, labelErrors } from "../checks/template-meta-errors.ts";

/** The access modes of volumes, sorted. */
const ACCESS_MODES = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"] as const;
/** The modes of volumes, sorted. */
export const VOLUME_MODES = ["Block", "Filesystem"] as const;

/** Returns what is wrong with the specification of a claim. */
export function claimSpecErrors(spec: MutableJsonObject, at: string): readonly FieldError[] {
  const modes = textsIn(spec, "accessModes");
  const selector = objectIn(spec, "selector");
  const className = textIn(spec, "storageClassName");
  const attributesClass = textIn(spec, "volumeAttributesClassName");
  return [
    ...(modes.length === 0 ? [requiredField(`${at}.accessModes`, "at least 1 access mode is required")] : []),
    ...(selector === undefined ? [] : labelSelectorErrors(selector, `${at}.selector`)),
    ...accessModeErrors(modes, `${at}.accessModes`, "may not use ReadWriteOncePod with other access modes"),
    ...storageErrors(spec, at),
    ...(className === "" ? [] : checkedText(`${at}.storageClassName`, className, dns1123SubdomainErrors)),
    ...optionalChoice(`${at}.volumeMode`, spec["volumeMode"], VOLUME_MODES),
    ...dataSourceErrors(spec, at),
    ...(attributesClass === ""
      ? []
      : checkedText(`${at}.volumeAttributesClassName`, attributesClass, dns1123SubdomainErrors)),
  ];
}

/** Returns an error for each unknown access mode, and for the mode of one Pod beside others. */
export function accessModeErrors(modes: readonly string[], field: string, mixed: string): readonly FieldError[] {
  const known = modes.filter((mode) => (ACCESS_MODES as readonly string[]).includes(mode));
  const isMixed = known.includes("ReadWriteOncePod") && known.some((mode) => mode !== "ReadWriteOncePod");
  return [
    ...modes
      .filter((mode) => !(ACCESS_MODES as readonly string[]).includes(mode))
      .map((mode) => unsupportedField(field, mode, ACCESS_MODES)),
    ...(isMixed ? [forbiddenField(field, mixed)] : []),
  ];
}

function storageErrors(spec: MutableJsonObject, at: string): readonly FieldError[] {
  const field = `${at}.resources[storage]`;
  const storage = textIn(objectIn(objectIn(spec, "resources"), "requests"), "storage");
  return storage === "" ? [requiredField(field)] : positiveQuantity(field, storage);
}

function dataSourceErrors(spec: MutableJsonObject, at: string): readonly FieldError[] {
  const [source, reference] = [objectIn(spec, "dataSource"), objectIn(spec, "dataSourceRef")];
  const namespace = textIn(reference, "namespace");
  const isSame =
    source?.["apiGroup"] === reference?.["apiGroup"] &&
    textIn(source, "kind") === textIn(reference, "kind") &&
    textIn(source, "name") === textIn(reference, "name");
  const problem =
    source === undefined || reference === undefined
      ? undefined
      : namespace !== ""
        ? "may not be specified when dataSourceRef.namespace is specified"
        : isSame
          ? undefined
          : "must match dataSourceRef";
  return [
    ...(source === undefined ? [] : referenceErrors(source, `${at}.dataSource`)),
    ...(reference === undefined ? [] : referenceErrors(reference, `${at}.dataSourceRef`)),
    ...(namespace === "" ? [] : checkedText(`${at}.dataSourceRef.namespace`, namespace, dns1123LabelErrors)),
    ...(problem === undefined ? [] : [invalidField(at, {}, problem)]),
  ];
}

function referenceErrors(reference: MutableJsonObject, at: string): readonly FieldError[] {
  const [group, kind] = [textIn(reference, "apiGroup"), textIn(reference, "kind")];
  const isForeign = group === "" && kind !== "PersistentVolumeClaim";
  return [
    ...requiredTexts(reference, at, ["name", "kind"]),
    ...(isForeign
      ? [invalidField(at, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup")]
      : []),
    ...(group === "" ? [] : checkedText(`${at}.apiGroup`, group, dns1123SubdomainErrors)),
  ];
}

const FIELDS_OF_OBJECTS = OBJECT_META_FIELDS.filter((name) => name !== "labels" && name !== "annotations");

/** Returns what is wrong with the metadata of the template of a claim, which has labels and annotations alone. */
export function templateMetaErrors(metadata: MutableJsonObject | undefined, at: string): readonly FieldError[] {
  return [
    ...annotationErrors(objectIn(metadata, "annotations"), `${at}.annotations`),
    ...labelErrors(objectIn(metadata, "labels"), `${at}.labels`),
    ...FIELDS_OF_OBJECTS.filter((name) => !isUnset(name, metadata?.[name])).map((name) =>
      forbiddenField(`${at}.${name === "uid" ? "uID" : name}`, "cannot be set"),
    ),
  ];
}

// Of numbers, only a generation of 0 is as good as none.
function isUnset(name: string, value: unknown): boolean {
  return value === undefined || value === null || value === "" || (name === "generation" && value === 0);
}
