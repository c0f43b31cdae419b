import { CelOptional } from "../values/cel-optional.ts";
import { CelObject, type CelValue } from "../values/cel-value.ts";

/** Returns the size by which a value counts: characters, bytes, items, members; 1 for what has no size. */
export function actualSize(value: CelValue): number {
  if (typeof value === "string") {
    return Array.from(value).length;
  }
  if (value instanceof Uint8Array) {
    return value.length;
  }
  if (value instanceof CelOptional) {
    return value.held === undefined ? 1 : actualSize(value.held);
  }
  return value instanceof CelObject ? Number(value.size() ?? 1n) : 1;
}
