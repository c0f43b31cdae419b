import { childPath, keyPath, type FieldPath } from "../model/field-path.ts";
import { additionalSchemaOf, propertyOf, type JsonSchema } from "../model/json-schema.ts";

/**
 * Reads the `fieldPath` of a rule (`.spec['some.key'].x`) against the schema that carries the rule, and returns it as errors print
 * it; undefined where it is no path or leads to nothing that the schema declares.
 */
export function readRuleFieldPath(text: string, schema: JsonSchema): string | undefined {
  const tokens = tokensOf(text);
  let place: Place | undefined = { path: undefined, schema };
  for (let index = 0; index < tokens.length && place !== undefined;) {
    if (tokens[index] === ".") {
      place = step(place, tokens[index + 1]);
      index += 2;
    } else {
      place = tokens[index] === "[" && tokens[index + 2] === "]" ? step(place, unquote(tokens[index + 1])) : undefined;
      index += 3;
    }
  }
  return place?.path;
}

interface Place {
  readonly path: FieldPath;
  readonly schema: JsonSchema;
}

function step({ path, schema }: Place, name: string | undefined): Place | undefined {
  if (name === undefined) {
    return undefined;
  }
  if (Object.keys(schema.properties ?? {}).length > 0) {
    const property = propertyOf(schema, name);
    return property === undefined ? undefined : { path: childPath(path, name), schema: property };
  }
  const additional = additionalSchemaOf(schema);
  return additional === undefined ? undefined : { path: keyPath(path, name), schema: additional };
}

// A quoted text is one token whatever it holds; dots and brackets are tokens of their own.
function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = text[at] === "'" ? endOfQuoted(text, at) : endOfPlain(text, at);
    tokens.push(text.slice(at, end));
    at = end;
  }
  return tokens;
}

// The closing quote follows no backslash; without one, all of the rest is in quotes.
function endOfQuoted(text: string, start: number): number {
  for (let at = start + 2; at < text.length; at++) {
    if (text[at] === "'" && text[at - 1] !== "\\") return at + 1;
  }
  return text[start + 1] === "'" ? start + 2 : text.length;
}

function endOfPlain(text: string, start: number): number {
  let at = start;
  while (at < text.length && !".[]".includes(text.charAt(at))) at++;
  return Math.max(at, start + 1);
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "'": "'",
  "\\": "\\",
};

function unquote(token: string | undefined): string | undefined {
  if (token === undefined || !/^'[^]*'$/.test(token) || token.length < 2) {
    return undefined;
  }
  let isSound = true;
  const text = token.slice(1, -1).replaceAll(/\\./g, (escape) => {
    const meant = ESCAPES[escape.charAt(1)];
    isSound &&= meant !== undefined;
    return meant ?? "";
  });
  return isSound ? text : undefined;
}
