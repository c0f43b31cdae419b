import { elementsOf } from "../../src/cel/values/cel-list.ts";
import { formatDouble } from "../../src/cel/values/cel-number.ts";
import { CelOptional } from "../../src/cel/values/cel-optional.ts";
import { CelTimestamp, CelDuration } from "../../src/cel/values/cel-time.ts";
import { CelError, CelList, CelMap, CelUint, type CelValue } from "../../src/cel/values/cel-value.ts";
import { CelFormat } from "../../src/cel/values/named-format.ts";
import { CelTypeValue, runtimeType } from "../../src/cel/values/runtime-type.ts";

/** Writes a value as the reference program does. */
export function encodeValue(value: CelValue): unknown {
  if (value === null) return { null: true };
  if (typeof value === "boolean") return { bool: value };
  if (typeof value === "bigint") return { int: String(value) };
  if (typeof value === "number") return { double: formatDouble(value) };
  if (typeof value === "string") return { string: value };
  if (value instanceof CelError) return { error: value.message };
  if (value instanceof CelUint) return { uint: String(value.value) };
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString("base64") };
  if (value instanceof CelDuration) return { duration: String(value.nanos) };
  if (value instanceof CelTimestamp) return { timestamp: String(new CelTimestamp(value.nanos)) };
  if (value instanceof CelTypeValue) return { type: value.represents.name };
  if (value instanceof CelOptional) return { optional: value.held === undefined ? null : encodeValue(value.held) };
  if (value instanceof CelList) return { list: elementsOf(value).map((element) => encodeValue(element)) };
  if (value instanceof CelMap) return { map: encodeMap(value) };
  return { [runtimeType(value).name]: value instanceof CelFormat ? "a format" : String(value) };
}

function encodeMap(map: CelMap): unknown {
  const pairs = map.keys().map((key) => [encodeValue(key), encodeValue(map.find(key) ?? null)] as const);
  return pairs.toSorted(([left], [right]) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));
}
