import { SelectorError } from "../failures/errors.ts";
import { compareStrings } from "../fields/go-format.ts";

/** One requirement on a field; `==` reads as `=`. */
export interface FieldRequirement {
  /** The path of the field, such as `metadata.name`. */
  readonly field: string;
  /** Whether the value must equal or differ. */
  readonly operator: "=" | "!=";
  /** The value to compare with. */
  readonly value: string;
}

/**
 * Reads a field selector in text form, `metadata.name=web,status.phase!=Running`; an empty text chooses everything.
 *
 * Guarantees: the requirements come in the order of their text.
 * Fails: {@link SelectorError} with upstream's message.
 */
export function parseFieldSelector(text: string): readonly FieldRequirement[] {
  return splitTerms(text)
    .toSorted(compareStrings)
    .filter((term) => term !== "")
    .map((term) => parseTerm(term, text))
    .filter(({ field, value }) => field !== "" || value !== "");
}

/** Reports whether all requirements hold; a field that an object does not have is the empty string. */
export function matchesFields(
  requirements: readonly FieldRequirement[],
  fieldOf: (field: string) => string | undefined,
): boolean {
  return requirements.every(({ field, operator, value }) => ((fieldOf(field) ?? "") === value) === (operator === "="));
}

/**
 * Returns a function that reports whether all requirements hold, like {@link matchesFields}; use it to match many objects.
 *
 * Guarantees: a call reads each field once, regardless of the number of requirements on it.
 */
export function fieldMatcher(
  requirements: readonly FieldRequirement[],
): (fieldOf: (field: string) => string | undefined) => boolean {
  const rules = new Map<string, { readonly wanted: Set<string>; readonly unwanted: Set<string> }>();
  for (const { field, operator, value } of requirements) {
    const rule = rules.get(field) ?? { wanted: new Set(), unwanted: new Set() };
    rules.set(field, rule);
    (operator === "=" ? rule.wanted : rule.unwanted).add(value);
  }
  return (fieldOf) => {
    for (const [field, { wanted, unwanted }] of rules) {
      const value = fieldOf(field) ?? "";
      if (unwanted.has(value) || wanted.size > 1 || (wanted.size === 1 && !wanted.has(value))) return false;
    }
    return true;
  };
}

/** Prints requirements as a selector in text form. */
export function formatFieldSelector(requirements: readonly FieldRequirement[]): string {
  return requirements.map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`).join(",");
}

/** Returns the value that a selector demands of a field, when it demands one. */
export function requiredFieldValue(requirements: readonly FieldRequirement[], field: string): string | undefined {
  return requirements.find((requirement) => requirement.field === field && requirement.operator === "=")?.value;
}

/** Escapes what has a meaning in a selector: backslash, comma and equals sign. */
export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, "\\$&");
}

function splitTerms(text: string): readonly string[] {
  const terms: string[] = [];
  let term = "";
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === ",") {
      terms.push(term);
      term = "";
    } else {
      term += character;
      if (character === "\\") term += text.charAt(++index);
    }
  }
  return [...terms, term];
}

function parseTerm(term: string, selector: string): FieldRequirement {
  const sign = term.indexOf("=");
  if (sign < 0) throw new SelectorError(`invalid selector: '${selector}'; can't understand '${term}'`);
  if (term[sign - 1] === "!")
    return { field: term.slice(0, sign - 1), operator: "!=", value: unescape(term.slice(sign + 1)) };
  const value = term.slice(term[sign + 1] === "=" ? sign + 2 : sign + 1);
  return { field: term.slice(0, sign), operator: "=", value: unescape(value) };
}

function unescape(value: string): string {
  let text = "";
  for (let index = 0; index < value.length; index++) {
    const character = value.charAt(index);
    if (character === "," || character === "=") {
      throw new SelectorError(`invalid field selector: unescaped character in value: ${character.charCodeAt(0)}`);
    }
    if (character !== "\\") {
      text += character;
      continue;
    }
    const [escaped = ""] = value.slice(index + 1);
    if (!["\\", ",", "="].includes(escaped)) {
      throw new SelectorError(`invalid field selector: invalid escape sequence: \\${escaped}`);
    }
    text += escaped;
    index++;
  }
  return text;
}
