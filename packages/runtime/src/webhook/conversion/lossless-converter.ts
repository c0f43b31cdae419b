import { deepClone, type GroupVersionKind } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { Schema } from "@kubescaffold/schema";

import type { SpokeConverter } from "../conversion-registry.ts";
import { changesBetween, restoreChanges } from "./conversion-changes.ts";
import { takeConversionData, withConversionData } from "./conversion-data.ts";

/** A version of a kind, with the schema of its objects. */
export interface ConvertedVersion<T extends KubernetesObject> extends GroupVersionKind {
  /** The schema of the objects, from `zz_generated.schema.ts`. */
  readonly schema: Schema<T>;
}

/** Options of {@link losslessConverter}. */
export interface LosslessConverterOptions<Hub extends KubernetesObject, Spoke extends KubernetesObject> {
  /** The hub. */
  readonly hub: ConvertedVersion<Hub>;
  /** The spoke. */
  readonly spoke: ConvertedVersion<Spoke>;
  /** Converts a spoke to the hub, as far as the hub has fields for it. */
  readonly toHub: (spoke: Spoke) => Hub;
  /** Converts the hub to a spoke, as far as the spoke has fields for it. */
  readonly fromHub: (hub: Hub) => Spoke;
}

/**
 * Returns a converter that keeps the values which the other version cannot express in the annotation `conversion.kubescaffold.dev/<version>`.
 *
 * After each conversion, the result is converted back. Differences from the original object are stored in the annotation, and applied when the
 * object is converted back, except to fields that were changed in between.
 *
 * Guarantees: round trips in both directions are lossless; the annotation adds no value that the schema refuses, and an invalid
 * annotation is ignored, so that nobody can prevent others from reading an object.
 *
 * Cluster API: util/conversion.MarshalData
 */
export function losslessConverter<Hub extends KubernetesObject, Spoke extends KubernetesObject>({
  hub,
  spoke,
  toHub,
  fromHub,
}: LosslessConverterOptions<Hub, Spoke>): SpokeConverter<Hub, Spoke> {
  const { group, version, kind } = spoke;
  return {
    spoke: { group, version, kind },
    convertTo: (object) => convert(object, { from: spoke, to: hub, there: toHub, back: fromHub }),
    convertFrom: (object) => convert(object, { from: hub, to: spoke, there: fromHub, back: toHub }),
  };
}

interface Conversion<From extends KubernetesObject, To extends KubernetesObject> {
  readonly from: ConvertedVersion<From>;
  readonly to: ConvertedVersion<To>;
  readonly there: (object: From) => To;
  readonly back: (object: To) => From;
}

function convert<From extends KubernetesObject, To extends KubernetesObject>(
  object: From,
  conversion: Conversion<From, To>,
): To {
  const { from, to, there } = conversion;
  const { metadata, changes } = takeConversionData(object.metadata, to.version);
  const converted = to.schema.prune(there({ ...object, metadata })).value;
  const result = restoreChanges(converted, changes, to.schema);
  const lost = lostBy(object, result, conversion);
  return { ...result, metadata: withConversionData(result.metadata, from.version, lost) };
}

function lostBy<From extends KubernetesObject, To extends KubernetesObject>(
  object: From,
  result: To,
  { from, back }: Conversion<From, To>,
): ReturnType<typeof changesBetween> {
  const returned = convertBack(deepClone(result), back);
  return returned === undefined ? [] : changesBetween(from.schema.prune(returned).value, object);
}

// An object must be readable even if its conversion back fails, which refuses a later write.
function convertBack<From, To>(object: To, back: (object: To) => From): From | undefined {
  try {
    return back(object);
  } catch {
    return undefined;
  }
}
