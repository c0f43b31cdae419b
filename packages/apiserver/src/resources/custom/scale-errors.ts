import { goTypeName, goValue, invalidField, type FieldError } from "@kubescaffold/k8s";

import type { ApiObject } from "../../storage/api-object.ts";
import { readPath } from "../json-path.ts";

const MOST_REPLICAS = 2 ** 31 - 1;

/** Returns an error when the field in which a custom resource keeps its replicas is no count. */
export function scaleErrors(object: ApiObject, path: string | undefined): readonly FieldError[] {
  const value = path === undefined ? undefined : readPath(object, path);
  if (path === undefined || value === undefined || value === null) {
    return [];
  }
  if (typeof value !== "number" || !Number.isInteger(value)) {
    const detail = `${path} accessor error: ${goValue(value)} is of the type ${goTypeName(value)}, expected int64`;
    return [invalidField(path, 0, detail)];
  }
  if (value < 0) {
    return [invalidField(path, value, "should be a non-negative integer")];
  }
  return value > MOST_REPLICAS ? [invalidField(path, value, `should be less than or equal to ${MOST_REPLICAS}`)] : [];
}
