import { isInRange, type Release } from "@kubescaffold/apiserver/cluster-api";
import { canonicalQuantity, parseQuantity } from "@kubescaffold/k8s";
import type { PodTemplateSpec } from "@kubescaffold/k8s/core/v1";

import { templateStructs } from "./template-structs.ts";

/** The version of Kubernetes whose structs a template has. */
export type TemplateRelease = Pick<Release, "minor">;

/**
 * Returns a pod template as the text that controllers of Kubernetes hash: the Go value with the types of its fields, which each minor version adds to.
 *
 * The value is what a controller receives: empty lists and maps are absent, and quantities are read from their stored form.
 */
export function templateText(template: PodTemplateSpec, { minor }: TemplateRelease): string {
  const known = structsByMinor.get(minor) ?? readStructs(minor);
  structsByMinor.set(minor, known);
  return `(v1.PodTemplateSpec)${structText("v1.PodTemplateSpec", template as Json, known)}`;
}

type Json = Readonly<Record<string, unknown>>;

interface Field {
  readonly name: string;
  readonly jsonName: string;
  readonly type: string;
}

type Structs = ReadonlyMap<string, readonly Field[]>;

const structsByMinor = new Map<string, Structs>();

function readStructs(minor: string): Structs {
  return new Map(
    templateStructs
      .trim()
      .split("\n")
      .map((line) => line.split("|"))
      .map(([name = "", ...fields]) => [name, fields.flatMap((field) => readField(field, minor))]),
  );
}

function readField(text: string, minor: string): readonly Field[] {
  const [field = "", range = ""] = text.split(";");
  if (!isInRange(minor, range)) return [];
  const [name = "", jsonName = "", ...type] = field.split(":");
  return [{ name, jsonName, type: type.join(":") }];
}

function structText(type: string, value: Json, structs: Structs): string {
  const fields = (structs.get(type) ?? []).map((field) => {
    // The fields of an embedded struct are those of the outer one in JSON.
    const inner = field.jsonName === "" ? value : value[field.jsonName];
    return `${field.name}:(${goTypeOf(field.type)})${valueText(field.type, inner ?? undefined, structs)}`;
  });
  return `{${fields.join(" ")}}`;
}

// Named types that are no structs are followed by their underlying type.
function goTypeOf(type: string): string {
  return type.replaceAll(/=(?:\[\]|map\[[^\]]*\])?[\w.]+/gu, "");
}

function valueText(type: string, value: unknown, structs: Structs): string {
  const kind = underlying(type);
  if (kind.startsWith("*")) return value === undefined ? "<nil>" : valueText(kind.slice(1), value, structs);
  if (kind.startsWith("[]")) return listText(kind.slice(2), (value ?? []) as readonly unknown[], structs);
  if (kind.startsWith("map[")) return mapText(kind.slice(kind.indexOf("]") + 1), (value ?? {}) as Json, structs);
  switch (kind) {
    case "string":
      return scalarText(value, "");
    case "bool":
      return scalarText(value, "false");
    case "int32":
    case "int64":
      return scalarText(value, "0");
    case "v1.Time":
      return NO_TIME;
    case "resource.Quantity":
      return quantityText(scalarText(value, "0"));
    case "intstr.IntOrString":
      return numberOrText(value);
    default:
      return structText(kind, (value ?? {}) as Json, structs);
  }
}

function underlying(type: string): string {
  return /^[\w.]+=(?<type>.*)$/u.exec(type)?.groups?.["type"] ?? type;
}

function scalarText(value: unknown, absent: string): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "bigint" || typeof value === "boolean" ? String(value) : absent;
}

function listText(item: string, values: readonly unknown[], structs: Structs): string {
  return values.length === 0
    ? "<nil>"
    : `[${values.map((value) => valueText(item, value ?? undefined, structs)).join(" ")}]`;
}

function mapText(item: string, values: Json, structs: Structs): string {
  const keys = Object.keys(values).toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
  if (keys.length === 0) return "<nil>";
  return `map[${keys.map((key) => `${key}:${valueText(item, values[key] ?? undefined, structs)}`).join(" ")}]`;
}

// Templates are not created.
const NO_TIME = "{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}";

function numberOrText(value: unknown): string {
  const [type, number, text] = typeof value === "string" ? ["1", "0", value] : ["0", scalarText(value, "0"), ""];
  return `{Type:(intstr.Type)${type} IntVal:(int32)${number} StrVal:(string)${text}}`;
}

function quantityText(quantity: string): string {
  const text = canonicalQuantity(quantity);
  const { unscaled, scale, format, text: canonical = "" } = parseQuantity(text);
  const large = isLarge(text) ? decimalText(unscaled, scale) : undefined;
  const [value, exponent] = large === undefined ? [unscaled, scale] : [0n, 0];
  const amount = `{value:(int64)${String(value)} scale:(resource.Scale)${String(exponent)}}`;
  const decimal = `{Dec:(*inf.Dec)${large ?? "<nil>"}}`;
  const notation = `s:(string)${canonical} Format:(resource.Format)${format}`;
  return `{i:(resource.int64Amount)${amount} d:(resource.infDecAmount)${decimal} ${notation}}`;
}

const INT64_DIGITS = 18;
const BINARY_DIGITS = 15;
const BINARY_SUFFIXES = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const SMALLEST_SCALE = 9;

// Amounts of more digits than 64 bits surely hold are decimals of any size.
function isLarge(text: string): boolean {
  const end = text.search(/[^\d.+-]/u);
  const [number, suffix] = end === -1 ? [text, ""] : [text.slice(0, end), text.slice(end)];
  const [whole = "", fraction = ""] = number.replace(/^[+-]/u, "").split(".");
  const digits = Math.max(whole.replace(/^0+/u, "").length, 1);
  const power = BINARY_SUFFIXES.indexOf(suffix);
  if (power === -1) return INT64_DIGITS - digits - fraction.length < 0;
  return fraction !== "" || BINARY_DIGITS - digits - 3 * (power + 1) - 1 < 0;
}

const WORD = 64n;

function decimalText(unscaled: bigint, scale: number): string {
  // Other amounts than zero are rounded to nanos.
  const [digits, places] =
    unscaled === 0n ? [0n, 0] : [unscaled * 10n ** BigInt(scale + SMALLEST_SCALE), SMALLEST_SCALE];
  const words: bigint[] = [];
  for (let rest = digits < 0n ? -digits : digits; rest > 0n; rest >>= WORD) words.push(BigInt.asUintN(64, rest));
  const abs = words.length === 0 ? "<nil>" : `[${words.join(" ")}]`;
  return `{unscaled:(big.Int){neg:(bool)${String(digits < 0n)} abs:(big.nat)${abs}} scale:(inf.Scale)${String(places)}}`;
}
