import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from "../resources/deletion-finalizer-names.ts";
import type { Strategy } from "../resources/strategy.ts";
import type { ApiObject } from "../storage/api-object.ts";
import type { DeleteOptions } from "./delete-options.ts";

/** Returns the finalizers that an object has once its delete has begun: those of garbage collection follow the policy. */
export function deletionFinalizers(object: ApiObject, strategy: Strategy, options: DeleteOptions): readonly string[] {
  const present = object.metadata.finalizers ?? [];
  if (strategy.defaultPropagation === "unsupported") {
    return present;
  }
  const others = present.filter((finalizer) => finalizer !== ORPHAN_FINALIZER && finalizer !== FOREGROUND_FINALIZER);
  const wanted = wantedFinalizer(present, strategy, options);
  return wanted === undefined ? others : [...others, wanted];
}

function wantedFinalizer(
  present: readonly string[],
  strategy: Strategy,
  { propagationPolicy, orphanDependents }: DeleteOptions,
): string | undefined {
  switch (propagationPolicy) {
    case "Orphan":
      return ORPHAN_FINALIZER;
    case "Foreground":
      return FOREGROUND_FINALIZER;
    case "Background":
      return undefined;
    case undefined:
      break;
  }
  if (orphanDependents !== undefined) {
    return orphanDependents ? ORPHAN_FINALIZER : undefined;
  }
  const decided = present.find((finalizer) => finalizer === ORPHAN_FINALIZER || finalizer === FOREGROUND_FINALIZER);
  return decided ?? (strategy.defaultPropagation === "orphan" ? ORPHAN_FINALIZER : undefined);
}
