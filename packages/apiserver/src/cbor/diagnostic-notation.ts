import { floatOf, type Head, HeadReader, isFloat } from "./item-head.ts";

/** Prints a well-formed data item in the diagnostic notation of RFC 8949, as messages show it. Texts that are not UTF-8 make it incomplete. */
export function diagnosticNotation(bytes: Uint8Array): string {
  return item(new HeadReader(bytes));
}

function item(reader: HeadReader): string {
  const head = reader.head();
  switch (head.type) {
    case "positive integer":
      return String(head.argument);
    case "negative integer":
      return String(-1n - BigInt(head.argument));
    case "byte string":
    case "UTF-8 text string":
      return head.isIndefinite ? chunks(reader, head) : string(reader, head);
    case "array":
      return head.isIndefinite ? `[_ ${untilBreak(reader, item)}]` : `[${list(reader, head, item)}]`;
    case "map":
      return head.isIndefinite ? `{_ ${untilBreak(reader, pair)}}` : `{${list(reader, head, pair)}}`;
    case "tag":
      return `${String(head.argument)}(${item(reader)})`;
    case "primitives":
      return isFloat(head) ? float(floatOf(head)) : simple(head);
  }
}

const pair = (reader: HeadReader): string => `${item(reader)}: ${item(reader)}`;

function list(reader: HeadReader, { argument }: Head, print: (reader: HeadReader) => string): string {
  return Array.from({ length: Number(argument) }, () => print(reader)).join(", ");
}

function untilBreak(reader: HeadReader, print: (reader: HeadReader) => string): string {
  const texts: string[] = [];
  while (!reader.takesBreak()) texts.push(print(reader));
  return texts.join(", ");
}

function chunks(reader: HeadReader, { type }: Head): string {
  if (reader.takesBreak()) return type === "byte string" ? "''_" : '""_';
  return `(_ ${untilBreak(reader, item)})`;
}

function string(reader: HeadReader, { type, argument }: Head): string {
  const bytes = reader.take(argument);
  const text = utf8(bytes);
  if (type === "UTF-8 text string") return quoted(text ?? "", '"');
  return bytes.length > 0 && text !== undefined ? quoted(text, "'") : `h'${Buffer.from(bytes).toString("hex")}'`;
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { "\t": String.raw`\t`, "\n": String.raw`\n`, "\r": String.raw`\r` };

function quoted(text: string, quote: string): string {
  const units = text.split("").map((unit) => {
    if (unit === "\\" || unit === quote) return `\\${unit}`;
    if (unit >= " " && unit <= "~") return unit;
    return ESCAPES[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return `${quote}${units.join("")}${quote}`;
}

function float(value: number): string {
  const text = Object.is(value, -0) ? "-0" : String(value);
  if (text.includes(".")) return text;
  return text.includes("e") ? text.replace("e", ".0e") : `${text}.0`;
}

const SIMPLE: Readonly<Record<number, string>> = { 20: "false", 21: "true", 22: "null", 23: "undefined" };

function simple({ argument }: Head): string {
  return SIMPLE[Number(argument)] ?? `simple(${String(argument)})`;
}
