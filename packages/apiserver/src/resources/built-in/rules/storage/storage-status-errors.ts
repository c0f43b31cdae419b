import {
  compareQuantities,
  type FieldError,
  invalidField,
  qualifiedNameErrors,
  quantityToBigInt,
  tooLongField,
  unsupportedField,
} from "@kubescaffold/k8s";

import { since } from "../../../../release/rule-release.ts";
import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { integerIn, objectIn, textIn, textOf } from "../../../fields.ts";
import { inRange } from "../checks/field-checks.ts";
import { isNativeResource } from "../checks/resource-names.ts";

const RESIZES = [
  "ControllerResizeInProgress",
  "ControllerResizeInfeasible",
  "NodeResizeInProgress",
  "NodeResizeInfeasible",
  "NodeResizePending",
] as const;

/** Returns what is wrong with the status of a PersistentVolumeClaim. */
export function claimStatusErrors(claim: ApiObject): readonly FieldError[] {
  const status = objectIn(claim, "status");
  const members = (name: string): readonly (readonly [string, unknown])[] =>
    Object.entries(objectIn(status, name) ?? {});
  const [resizes, allocated] = ["status.allocatedResourceStatuses", "status.allocatedResources"] as const;
  return [
    ...members("capacity").flatMap(([name, amount]) => amountErrors(`status.capacity[${name}]`, textOf(amount))),
    ...members("allocatedResourceStatuses").flatMap(([name, resize]) => [
      ...resourceErrors(resizes, name),
      ...((RESIZES as readonly unknown[]).includes(resize) ? [] : [unsupportedField(resizes, name, RESIZES)]),
    ]),
    ...members("allocatedResources").flatMap(([name, amount]) => {
      const problems = resourceErrors(allocated, name);
      return problems.length > 0 ? problems : amountErrors(`${allocated}[${name}]`, textOf(amount));
    }),
  ];
}

function amountErrors(field: string, amount: string): readonly FieldError[] {
  return compareQuantities(amount, "0") < 0
    ? [invalidField(field, quantityToBigInt(amount), "must be a valid resource quantity")]
    : [];
}

function resourceErrors(field: string, name: string): readonly FieldError[] {
  const problems = qualifiedNameErrors(name);
  if (problems.length > 0) return problems.map((problem) => invalidField(field, name, problem));
  return isNativeResource(name) && name !== "storage" ? [unsupportedField(field, name, ["storage"])] : [];
}

const MOST_METADATA_BYTES = 256 * 1024;
const MOST_MESSAGE_BYTES = 1024;
const MOST_INT32 = 2 ** 31 - 1;

/** Returns what is wrong with the status of a VolumeAttachment. */
export function attachmentStatusErrors(attachment: ApiObject): readonly FieldError[] {
  const status = objectIn(attachment, "status");
  const bytes = Object.entries(objectIn(status, "attachmentMetadata") ?? {})
    .flat()
    .reduce<number>((sum, text) => sum + Buffer.byteLength(textOf(text)), 0);
  return [
    ...(bytes > MOST_METADATA_BYTES ? [tooLongField("status.attachmentMetadata", MOST_METADATA_BYTES)] : []),
    ...["attachError", "detachError"].flatMap((name) => volumeErrors(objectIn(status, name), `status.${name}`)),
  ];
}

function volumeErrors(error: MutableJsonObject | undefined, at: string): readonly FieldError[] {
  const isLong = Buffer.byteLength(textIn(error, "message")) > MOST_MESSAGE_BYTES;
  return [
    // Upstream names the limit of the metadata.
    ...(isLong ? [tooLongField(`${at}.message`, since("1.37") ? MOST_MESSAGE_BYTES : MOST_METADATA_BYTES)] : []),
    ...inRange(`${at}.errorCode`, integerIn(error, "errorCode"), [0, MOST_INT32]),
  ];
}
