import { isRecord } from "@kubescaffold/platform";

import { CATALOGUE } from "../markers/catalogue.ts";
import type { MarkerGrammar } from "../markers/definitions/marker-definition.ts";
import { parseMarker } from "../markers/parse-marker.ts";
import { jsonText, quotedText } from "../typescript/literals.ts";
import { canonicalJson } from "./normal-form.ts";

/**
 * Writes a marker with its value; undefined when its grammar cannot say the value.
 *
 * Guarantees: what is returned reads as exactly this value.
 */
export function markerText(name: string, value: unknown): string | undefined {
  const definition = CATALOGUE.get(name);
  const rest = definition === undefined ? undefined : valueText(definition.grammar, value);
  if (rest === undefined) return undefined;
  const text = `+${name}${rest}`;
  // In a comment block a star, a backslash and a slash are the end of a comment in disguise.
  if (text.includes("*\\/") || /[\n\r\u2028\u2029]/u.test(text)) return undefined;
  const parsed = parseMarker(text, CATALOGUE);
  if (parsed.kind !== "marker" || parsed.definition !== definition || isBigger(parsed.value)) return undefined;
  return canonicalJson(parsed.value) === canonicalJson(value) ? text : undefined;
}

function valueText(grammar: MarkerGrammar, value: unknown): string | undefined {
  switch (grammar.kind) {
    case "flag":
      return value === true ? "" : undefined;
    case "json":
      return value === undefined ? undefined : `=${jsonText(value) ?? ""}`;
    case "decimal":
      return `=${String(value)}`;
    case "raw":
      return typeof value === "string" ? `=${value}` : undefined;
    case "value": {
      const text = singleText(value);
      return text === undefined ? undefined : `=${text}`;
    }
    case "tag":
      return undefined;
    default:
      return isRecord(value) ? argumentsText(value) : undefined;
  }
}

function argumentsText(value: Readonly<Record<string, unknown>>): string | undefined {
  const parts = Object.entries(value).map(([key, each]) => {
    const text = singleText(each);
    return text === undefined ? undefined : `${key}=${text}`;
  });
  return parts.includes(undefined) ? undefined : `:${parts.join(",")}`;
}

function singleText(value: unknown): string | undefined {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (!Array.isArray(value)) return undefined;
  const items = value.map((each: unknown) => singleText(each));
  return items.includes(undefined) ? undefined : `{${items.join(",")}}`;
}

// Words are as they are; what has backslashes or quotes is best read between backticks.
function quoted(text: string): string {
  const isWord = /^[A-Za-z][\w.-]*$/u.test(text) && text !== "true" && text !== "false";
  if (isWord) return text;
  const isPlain = !/[`\p{C}\p{Zl}\p{Zp}]/u.test(text) && !text.includes("*\\/");
  return isPlain && /["\\]/u.test(text) ? `\`${text}\`` : quotedText(text);
}

// Numbers beyond 2^53 are read digit by digit, which JSON has no form for.
function isBigger(value: unknown): boolean {
  return typeof value === "bigint" || (Array.isArray(value) && value.some((each) => isBigger(each)));
}
