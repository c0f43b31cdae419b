import { aggregateFieldErrors, deepClone, type FieldError, goTypeName } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";

import { plainError } from "../../request/failures.ts";
import type { ApiObject } from "../../storage/api-object.ts";
import { annotationErrors, labelErrors } from "../built-in/rules/checks/template-meta-errors.ts";
import { textOf } from "../fields.ts";

type Metadata = ApiObject["metadata"];
type Texts = Readonly<Record<string, string>>;

/**
 * Returns the metadata of an object that a webhook has converted: that of the original, with the labels and annotations of the answer.
 *
 * Fails: with 500 and upstream's messages where the identity of the object has changed, or labels or annotations are invalid.
 */
export function convertedMetadata(original: Metadata, returned: unknown, webhook: string): Metadata {
  const strange = identityError(original, isRecord(returned) ? returned : {});
  if (strange !== undefined) {
    throw plainError(`${webhook} returned invalid object: ${strange}`);
  }
  const { labels: _labels, annotations: _annotations, ...kept } = original;
  const metadata: Metadata = deepClone(kept);
  try {
    for (const field of ["labels", "annotations"] as const) {
      const texts = textsOf(field, returned);
      checkChanged(field, { before: original[field], after: texts });
      if (Object.keys(texts).length > 0) metadata[field] = { ...texts };
    }
  } catch (error) {
    throw error instanceof MetadataProblem
      ? plainError(`${webhook} returned invalid metadata: ${error.message}`)
      : error;
  }
  return metadata;
}

class MetadataProblem extends Error {}

function identityError(original: Metadata, returned: Readonly<Record<string, unknown>>): string | undefined {
  const { name = "", namespace = "", uid = "" } = original;
  const fields = [
    ["name", name, returned["name"]],
    ["namespace", namespace, returned["namespace"]],
    ["UID", uid, returned["uid"]],
  ] as const;
  const changed = fields.find(([, before, after]) => before !== textOf(after));
  return changed === undefined ? undefined : `must have the same ${changed[0]}: ${changed[1]} != ${textOf(changed[2])}`;
}

function textsOf(field: "labels" | "annotations", returned: unknown): Texts {
  if (returned === undefined) throw new MetadataProblem("missing metadata in converted object");
  if (!isRecord(returned)) {
    throw new MetadataProblem(`invalid metadata of type ${goTypeName(returned)} in converted object`);
  }
  const texts = returned[field] ?? {};
  if (!isRecord(texts)) {
    throw new MetadataProblem(`invalid metadata.${field} of type ${goTypeName(texts)} in converted object`);
  }
  const strange = Object.entries(texts).find(([, value]) => typeof value !== "string");
  if (strange !== undefined) {
    const [key, value] = strange;
    throw new MetadataProblem(
      `metadata.${field}[${key}] must be a string, but is ${goTypeName(value)} in converted object`,
    );
  }
  return texts as Texts;
}

// Unchanged ones may be invalid, since they were stored so.
function checkChanged(
  field: "labels" | "annotations",
  { before = {}, after }: { readonly before: Texts | undefined; readonly after: Texts },
): void {
  const isSame =
    Object.keys(before).length === Object.keys(after).length &&
    Object.entries(after).every(([key, value]) => before[key] === value);
  if (isSame) return;
  const errors: readonly FieldError[] =
    field === "labels" ? labelErrors(after, "metadata.labels") : annotationErrors(after, "metadata.annotation");
  if (errors.length > 0) throw new MetadataProblem(aggregateFieldErrors(errors));
}
