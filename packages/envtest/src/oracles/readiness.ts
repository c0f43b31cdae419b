import { isRecord } from "@kubescaffold/platform";

const READY_TYPES = ["Ready", "Available"];

/**
 * Returns what an object at rest lacks: its ready condition is not true, or its status describes an earlier generation. Without a given type, the condition is
 * `Ready`, or else `Available`; an object without one is ready when it is at rest.
 */
export function missingReadiness(
  object: { readonly metadata: { readonly generation?: number }; readonly status?: unknown },
  readyCondition?: string,
): readonly string[] {
  const status = isRecord(object.status) ? object.status : {};
  const { generation } = object.metadata;
  const { observedGeneration } = status;
  const isStale =
    typeof observedGeneration === "number" && generation !== undefined && observedGeneration !== generation;
  return [
    ...missingCondition(status, readyCondition),
    ...(isStale
      ? [`status.observedGeneration is ${String(observedGeneration)}, and the generation is ${String(generation)}`]
      : []),
  ];
}

/** Returns what keeps an object that was deleted. */
export function missingDeletion({
  metadata: { finalizers = [] },
}: {
  readonly metadata: { readonly finalizers?: readonly string[] };
}): string {
  return `it is not deleted${finalizers.length === 0 ? "" : `: its finalizers are ${finalizers.join(", ")}`}`;
}

function missingCondition(status: Readonly<Record<string, unknown>>, wanted: string | undefined): readonly string[] {
  const conditions = (Array.isArray(status["conditions"]) ? status["conditions"] : []).filter(isRecord);
  const types = wanted === undefined ? READY_TYPES : [wanted];
  const found = types
    .map((type) => conditions.find((each) => each["type"] === type))
    .find((each) => each !== undefined);
  if (found === undefined) return wanted === undefined ? [] : [`there is no condition ${wanted}`];
  if (found["status"] === "True") return [];
  const { type, status: value, reason, message } = found;
  const why = [reason, message].filter((text) => typeof text === "string" && text !== "").join(": ");
  return [`the condition ${String(type)} is ${String(value)}${why === "" ? "" : ` (${why})`}`];
}
