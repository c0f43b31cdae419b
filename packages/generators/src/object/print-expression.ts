import { propertyKey, stringLiteral } from "../typescript/literals.ts";

/** A piece of code to be printed. */
export type Expression =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "code"; readonly code: string }
  | { readonly kind: "list"; readonly items: readonly Expression[] }
  | {
      readonly kind: "record";
      /** The code of an object whose members come first. */
      readonly spread?: string;
      readonly entries: readonly (readonly [key: string, value: Expression])[];
    };

/** Where an expression is printed. */
export interface PrintPlace {
  /** How many blanks its line begins with. */
  readonly indent: number;
  /** How many characters are before and behind it on its line. */
  readonly around?: number;
  /** Whether it is broken into lines even if one would do. */
  readonly isBroken?: boolean;
}

const WIDTH = 120;
const ASCII = { isAscii: true };

/**
 * Prints an expression as formatters do: on one line where that is wide enough, else one member or item a line.
 *
 * Guarantees: the text is plain ASCII, so that its width is known; a formatter with 120 columns leaves it alone.
 */
export function printExpression(expression: Expression, { indent, around = 0, isBroken = false }: PrintPlace): string {
  const flat = printFlat(expression);
  if (expression.kind === "value" || expression.kind === "code") return flat;
  if (!isBroken && indent + around + flat.length <= WIDTH && !mustBreak(expression)) return flat;
  if (expression.kind === "list" && expression.items.length > 1 && expression.items.every(isNumber))
    return printNumbers(expression.items.map(printFlat), indent);
  const [open, close] = expression.kind === "list" ? "[]" : "{}";
  const lines = linesOf(expression, indent + 2).map((line) => `${" ".repeat(indent + 2)}${line},\n`);
  return lines.length === 0 ? flat : `${open}\n${lines.join("")}${" ".repeat(indent)}${close}`;
}

function linesOf(expression: Extract<Expression, { kind: "list" | "record" }>, indent: number): readonly string[] {
  if (expression.kind === "list") return expression.items.map((each) => printExpression(each, { indent, around: 1 }));
  const members = expression.entries.map(([key, value]) => printMember(key, value, indent));
  return expression.spread === undefined ? members : [`...${expression.spread}`, ...members];
}

// A text that is too long for the line of its key gets the next one.
function printMember(key: string, value: Expression, indent: number): string {
  const name = `${propertyKey(key, ASCII)}:`;
  const text = printExpression(value, { indent, around: name.length + 2 });
  const isText = value.kind === "value" && typeof value.value === "string";
  const isTooLong = indent + name.length + 1 + text.length + 1 > WIDTH;
  return isText && isTooLong ? `${name}\n${" ".repeat(indent + 2)}${text}` : `${name} ${text}`;
}

// Formatters give each of several objects in a list its own lines.
function mustBreak(expression: Expression): boolean {
  if (expression.kind === "value" || expression.kind === "code") return false;
  if (expression.kind === "record") return expression.entries.some(([, value]) => mustBreak(value));
  const { items } = expression;
  if (items.some((each) => mustBreak(each))) return true;
  const isTable = (kind: "list" | "record"): boolean =>
    items.length > 1 && items.every((each) => each.kind === kind && sizeOf(each) > 1);
  return isTable("list") || isTable("record");
}

function sizeOf(expression: Expression): number {
  if (expression.kind === "list") return expression.items.length;
  return expression.kind === "record" ? expression.entries.length + (expression.spread === undefined ? 0 : 1) : 0;
}

function isNumber(expression: Expression): boolean {
  return expression.kind === "value" && (typeof expression.value === "number" || typeof expression.value === "bigint");
}

// As many numbers a line as fit.
function printNumbers(numbers: readonly string[], indent: number): string {
  const lines: string[] = [];
  for (const number of numbers) {
    const piece = `${number},`;
    const last = lines.at(-1);
    if (last === undefined || indent + 2 + last.length + 1 + piece.length > WIDTH) lines.push(piece);
    else lines[lines.length - 1] = `${last} ${piece}`;
  }
  return `[\n${lines.map((line) => `${" ".repeat(indent + 2)}${line}\n`).join("")}${" ".repeat(indent)}]`;
}

function printFlat(expression: Expression): string {
  switch (expression.kind) {
    case "value":
      return printValue(expression.value);
    case "code":
      return expression.code;
    case "list":
      return `[${expression.items.map((each) => printFlat(each)).join(", ")}]`;
    case "record": {
      const spread = expression.spread === undefined ? [] : [`...${expression.spread}`];
      const members = expression.entries.map(([key, value]) => `${propertyKey(key, ASCII)}: ${printFlat(value)}`);
      const all = [...spread, ...members];
      return all.length === 0 ? "{}" : `{ ${all.join(", ")} }`;
    }
  }
}

function printValue(value: unknown): string {
  if (typeof value === "string") return stringLiteral(value, ASCII);
  // A bound beyond 2^53 is what a server in JavaScript reads, too.
  return typeof value === "bigint" ? String(Number(value)) : JSON.stringify(value);
}
