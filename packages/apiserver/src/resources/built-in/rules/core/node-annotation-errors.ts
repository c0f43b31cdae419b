import { type FieldError, goUnmarshalError, invalidField, parseJson, requiredField } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";

import { jsonProblem } from "../../../../request/body.ts";
import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn } from "../../../fields.ts";
import { eachItem } from "../checks/field-checks.ts";
import { taintErrors } from "./taint-errors.ts";

const TAINTS = "scheduler.alpha.kubernetes.io/taints";
const AVOIDED = "scheduler.alpha.kubernetes.io/preferAvoidPods";
const AT = "metadata.annotations";

/** Returns what is wrong with the annotations of a Node that mean something. */
export function nodeAnnotationErrors(annotations: Readonly<Record<string, string>> = {}): readonly FieldError[] {
  const [taints = "", avoided = ""] = [annotations[TAINTS], annotations[AVOIDED]];
  return [...(taints === "" ? [] : taintTextErrors(taints)), ...(avoided === "" ? [] : avoidedErrors(avoided))];
}

function taintTextErrors(text: string): readonly FieldError[] {
  const { value, problem } = readJson(text);
  if (problem !== undefined) return [invalidField(AT, TAINTS, problem)];
  const list = value ?? [];
  if (!Array.isArray(list)) return [invalidField(AT, TAINTS, goUnmarshalError(value, "[]core.Taint"))];
  const taints = (list as readonly unknown[]).map((item) => (isRecord(item) ? named(item) : item));
  const misread = taints.map((taint) => taintProblem(taint)).find((each) => each !== undefined);
  if (misread !== undefined) return [invalidField(AT, TAINTS, misread)];
  return taintErrors(
    taints.map((taint) => (isRecord(taint) ? taint : {})),
    `${AT}.${TAINTS}`,
  );
}

const TAINT_FIELDS = [
  ["key", "Key", "string"],
  ["value", "Value", "string"],
  ["effect", "Effect", "core.TaintEffect"],
  ["timeAdded", "TimeAdded", ""],
] as const;

// Go reads the names of fields in any case.
function named(item: MutableJsonObject): MutableJsonObject {
  return Object.fromEntries(
    Object.entries(item).map(([key, value]) => {
      const field = TAINT_FIELDS.find(([name]) => name.toLowerCase() === key.toLowerCase());
      return [field?.[0] ?? key, value];
    }),
  );
}

function taintProblem(taint: unknown): string | undefined {
  if (taint === null) return undefined;
  if (!isRecord(taint)) return goUnmarshalError(taint, "core.Taint");
  return TAINT_FIELDS.flatMap(([name, goName, type]) => {
    const value = taint[name] ?? "";
    const isText = type === "" || typeof value === "string";
    return isText ? [] : [goUnmarshalError(value, type, `struct field Taint.${goName}`)];
  }).at(0);
}

function avoidedErrors(text: string): readonly FieldError[] {
  const { value, problem } = readJson(text);
  const field = `${AT}.AvoidPods`;
  if (problem !== undefined) return [invalidField(field, AVOIDED, problem)];
  if (!isRecord(value))
    return value === null ? [] : [invalidField(field, AVOIDED, goUnmarshalError(value, "v1.AvoidPods"))];
  const entries = value["preferAvoidPods"] ?? [];
  const target = "struct field AvoidPods.preferAvoidPods";
  if (!Array.isArray(entries))
    return [invalidField(field, AVOIDED, goUnmarshalError(entries, "[]v1.PreferAvoidPodsEntry", target))];
  const other = (entries as readonly unknown[]).find((entry) => !isRecord(entry) && entry !== null);
  if (other !== undefined)
    return [invalidField(field, AVOIDED, goUnmarshalError(other, "v1.PreferAvoidPodsEntry", target))];
  return eachItem(entries as readonly (MutableJsonObject | null)[], `${AT}.${AVOIDED}`, (entry, at) => {
    const controller = objectIn(objectIn(entry ?? {}, "podSignature"), "podController");
    const place = `${at}.PodSignature`;
    if (controller === undefined) return [requiredField(place)];
    return controller["controller"] === true
      ? []
      : [invalidField(`${place}.PodController.Controller`, false, "must point to a controller")];
  });
}

function readJson(text: string): { readonly value?: unknown; readonly problem?: string } {
  try {
    return { value: parseJson(text) };
  } catch (error) {
    return { problem: jsonProblem(text, error) };
  }
}
