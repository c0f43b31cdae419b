import { serverInteger } from "@kubescaffold/k8s";

import type { ApiObject } from "../storage/api-object.ts";

/** Returns the generation that follows that of an object, which is an integer of 64 bits: after the last one comes the first one, as in Go. */
export function nextGeneration({ metadata }: ApiObject): number {
  const generation: number | bigint = metadata.generation ?? 0;
  return serverInteger(BigInt.asIntN(64, BigInt(generation) + 1n)) as number;
}
