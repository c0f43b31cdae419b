import { SelectorError } from "../failures/errors.ts";
import { compareStrings } from "../fields/go-format.ts";
import { checkLabelKey, newLabelRequirement, type LabelOperator, type LabelRequirement } from "./label-requirement.ts";

/** Reads the requirements of a selector in text form, in the order of the text. */
export function parseLabelRequirements(text: string): readonly LabelRequirement[] {
  const tokens = new TokenReader(text);
  const requirements: LabelRequirement[] = [];
  for (;;) {
    const next = tokens.peek();
    if (next.kind === "end") return requirements;
    if (!startsRequirement(next)) fail(`found '${next.text}', expected: !, identifier, or 'end of string'`);
    requirements.push(parseRequirement(tokens));
    const after = tokens.take();
    if (after.kind === "end") return requirements;
    if (after.kind !== ",") fail(`found '${after.text}', expected: ',' or 'end of string'`);
    const following = tokens.peek();
    if (!startsRequirement(following)) fail(`found '${following.text}', expected: identifier after ','`);
  }
}

interface Token {
  readonly kind:
    | "end"
    | "identifier"
    | "error"
    | "("
    | ")"
    | ","
    | "!"
    | "=="
    | "="
    | ">"
    | "<"
    | "!="
    | "in"
    | "notin";
  readonly text: string;
}

const SYMBOLS = new Set<string>([")", ",", "!", "==", "=", ">", "<", "!=", "("]);
const BINARY_OPERATORS: Readonly<Partial<Record<Token["kind"], LabelOperator>>> = {
  in: "in",
  notin: "notin",
  "=": "=",
  "==": "==",
  "!=": "!=",
  ">": "gt",
  "<": "lt",
};
const EXPECTED_OPERATORS = "in, notin, =, ==, !=, gt, lt";

/** Hands out tokens one by one; the words `in` and `notin` are operators only where one is expected. */
class TokenReader {
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(text: string) {
    this.#tokens = tokenize(text);
  }

  peek(): Token {
    return asValue(this.#at(this.#position));
  }

  take(): Token {
    return asValue(this.takeOperator());
  }

  takeOperator(): Token {
    return this.#at(this.#position++);
  }

  #at(position: number): Token {
    return this.#tokens[position] ?? { kind: "end", text: "" };
  }
}

function asValue(token: Token): Token {
  return token.kind === "in" || token.kind === "notin" ? { kind: "identifier", text: token.text } : token;
}

function startsRequirement({ kind }: Token): boolean {
  return kind === "identifier" || kind === "!";
}

function parseRequirement(tokens: TokenReader): LabelRequirement {
  try {
    return requirementOf(tokens);
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    throw new SelectorError(`unable to parse requirement: ${error.message}`);
  }
}

function requirementOf(tokens: TokenReader): LabelRequirement {
  const first = tokens.take();
  const isNegated = first.kind === "!";
  const key = isNegated ? tokens.take() : first;
  if (key.kind !== "identifier") fail(`found '${key.text}', expected: identifier`);
  checkLabelKey(key.text);
  if (isNegated) return newLabelRequirement({ key: key.text, operator: "!", values: [] });
  const next = tokens.peek().kind;
  if (next === "end" || next === ",") return newLabelRequirement({ key: key.text, operator: "exists", values: [] });
  const operator = parseOperator(tokens);
  const values = operator === "in" || operator === "notin" ? parseValues(tokens) : [parseExactValue(tokens)];
  return newLabelRequirement({ key: key.text, operator, values: [...new Set(values)].toSorted(compareStrings) });
}

function parseOperator(tokens: TokenReader): LabelOperator {
  const token = tokens.takeOperator();
  return BINARY_OPERATORS[token.kind] ?? fail(`found '${token.text}', expected: ${EXPECTED_OPERATORS}`);
}

function parseExactValue(tokens: TokenReader): string {
  const next = tokens.peek().kind;
  if (next === "end" || next === ",") return "";
  const token = tokens.take();
  return token.kind === "identifier" ? token.text : fail(`found '${token.text}', expected: identifier`);
}

function parseValues(tokens: TokenReader): readonly string[] {
  const open = tokens.take();
  if (open.kind !== "(") fail(`found '${open.text}' expected: '('`);
  const next = tokens.peek();
  if (next.kind === ")") {
    tokens.take();
    return [""];
  }
  if (next.kind !== "identifier" && next.kind !== ",") fail(`found '${next.text}', expected: ',', ')' or identifier`);
  const values = parseList(tokens);
  if (tokens.take().kind !== ")") fail(`found '${next.text}', expected: ')'`);
  return values;
}

// Between two commas, and beside a comma at an end, stands the empty value.
function parseList(tokens: TokenReader): readonly string[] {
  const values: string[] = [];
  for (;;) {
    const token = tokens.take();
    const next = tokens.peek();
    if (token.kind === "identifier") {
      values.push(token.text);
      if (next.kind === ")") return values;
      if (next.kind !== ",") fail(`found '${next.text}', expected: ',' or ')'`);
    } else if (token.kind === ",") {
      if (values.length === 0 || next.kind === ")" || next.kind === ",") values.push("");
      if (next.kind === ")") return values;
    } else fail(`found '${token.text}', expected: ',', or identifier`);
  }
}

function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const [part] of text.matchAll(/[=!(),<>]+|[^=!(),<>\s]+/g)) {
    if (/^[=!(),<>]/.test(part)) {
      for (const symbol of symbols(part)) tokens.push(symbol);
    } else tokens.push({ kind: part === "in" || part === "notin" ? part : "identifier", text: part });
  }
  return tokens;
}

// Takes the longest symbol at each place.
function symbols(run: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let start = 0; start < run.length;) {
    const text = SYMBOLS.has(run.slice(start, start + 2)) ? run.slice(start, start + 2) : run.charAt(start);
    tokens.push({ kind: text as Token["kind"], text });
    start += text.length;
  }
  return tokens;
}

function fail(message: string): never {
  throw new SelectorError(message);
}
