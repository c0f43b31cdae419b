import {
  compareStrings,
  type FieldError,
  invalidField,
  labelValueErrors,
  qualifiedNameErrors,
  tooLongField,
} from "@kubescaffold/k8s";

import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { textOf } from "../../../fields.ts";

/** Returns what is wrong with a map of labels, as upstream's ValidateLabels does. */
export function labelErrors(labels: MutableJsonObject | undefined, field: string): readonly FieldError[] {
  return sortedEntries(labels).flatMap(([key, value]) => [
    ...qualifiedNameErrors(key).map((problem) => invalidField(field, key, problem)),
    ...labelValueErrors(textOf(value)).map((problem) => invalidField(field, value, problem)),
  ]);
}

const MOST_BYTES = 256 * 1024;

/** Returns what is wrong with a map of annotations, as upstream's ValidateAnnotations does. */
export function annotationErrors(annotations: MutableJsonObject | undefined, field: string): readonly FieldError[] {
  const entries = sortedEntries(annotations);
  const bytes = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(textOf(value)),
    0,
  );
  return [
    ...entries.flatMap(([key]) =>
      qualifiedNameErrors(key.toLowerCase()).map((problem) => invalidField(field, key, problem)),
    ),
    ...(bytes > MOST_BYTES ? [tooLongField(field, MOST_BYTES)] : []),
  ];
}

function sortedEntries(map: MutableJsonObject | undefined): readonly (readonly [string, unknown])[] {
  return Object.entries(map ?? {}).toSorted(([left], [right]) => compareStrings(left, right));
}
