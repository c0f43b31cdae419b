import { formatDouble } from "../values/cel-number.ts";
import { CelUint, type CelValue } from "../values/cel-value.ts";

/** Writes a key or index as messages show it. */
export function formatKey(key: CelValue): string {
  if (typeof key === "number") return formatDouble(key);
  return key instanceof CelUint ? String(key.value) : String(key);
}
