import type { Shape } from "./package-model.ts";
import type { Random } from "./random.ts";

const BARE = [
  "abc", "Allow", "a b c", "x:y", "a.b/c", "foo-bar", "1.2.3", "10Mi", "0.5s", "http://x.example.com", "tru", "nil", "null", "yes",
  "True", "'single'", "a\"b", "é", "🚀", "ü x", "$x", "a=b", "<= 5", "#5", "5 apples", "2024-01-15", "0987",
  "+5", "a\\nb", "*", "(x)", "a|b", "&", "@", "%", "~", "^[a-z]+$", "!x", "_", "-", "--", ".", "..", "1e3x", "t", "f",
] as const; // prettier-ignore

const QUOTED = [
  "", "a, b", "a; b", "{x}", "a: b", "tab\\tx", "line\\nbreak", "quote \\\" x", "back\\\\slash", "\\u00e9", "\\x41", "\\101", "é",
  "  spaces  ", "'", "`", "# no comment", "true", "5", "1.5", "null", "- x", "trailing ", " leading", "a\\n", "\\n", "a\\n\\nb",
  "🚀 x", "\\U0001F680", "=", "y", "~", "[a]", "*a", "&a", "!a", "|", ">", "%", "@", "long ".repeat(30).trim(),
] as const; // prettier-ignore

const RAW = ["", "a\\d+", 'a "b" c', "x: y", "{a}", "^[a-z]([-a-z0-9]*[a-z0-9])?$", "a,b;c", "'", "  ", "\\n"] as const;

const NUMBERS = [
  "0", "1", "-1", "5", "10", "63", "255", "1000000", "2147483647", "-2147483648", "9007199254740993", "9223372036854775807", "010",
  "100", "3",
] as const; // prettier-ignore

const FRACTIONS = [
  "0.5", "1.50", "-2.25", "1e3", "1e21", "0.00001", "1234567.5", "123456789.25", "1e-7", "5.0", "-0.0", "1.", ".5", "2.5e-3", "0.1",
] as const; // prettier-ignore

/** Makes a text in one of the three notations that markers have for it. */
export function stringLiteral(random: Random): string {
  const drawn = random.next();
  if (drawn < 0.45) return random.pick(BARE);
  if (drawn < 0.85) return `"${random.pick(QUOTED)}"`;
  return `\`${random.pick(RAW)}\``;
}

/** Makes a text that does not end at a comma or a semicolon wherever it stands. */
export function quotedLiteral(random: Random, text: string): string {
  return random.chance(0.5) && !text.includes("`") ? `\`${text}\`` : JSON.stringify(text);
}

/** Makes an integer as markers write it. */
export function integerLiteral(random: Random): string {
  return random.pick(NUMBERS);
}

/** Makes a small integer that is not negative. */
export function countLiteral(random: Random): string {
  return String(random.pick([0, 1, 2, 3, 5, 10, 63, 253, 1024]));
}

/** Makes a number with or without a fraction. */
export function numberLiteral(random: Random): string {
  return random.chance(0.5) ? integerLiteral(random) : random.pick(FRACTIONS);
}

/** Makes a list of literals in one of the two notations. */
export function listLiteral(random: Random, items: readonly string[]): string {
  if (random.chance(0.5))
    return `{${items.join(random.pick([",", ", "]))}${random.chance(0.1) && items.length > 0 ? "," : ""}}`;
  return items.length === 0 ? "{}" : `${items.join(random.pick([";", "; "]))}${random.chance(0.1) ? ";" : ""}`;
}

/** Makes a value that fits a shape, as most values do that people write. */
export function valueLiteral(random: Random, shape: Shape, depth = 0): string {
  switch (shape) {
    case "integer":
      return integerLiteral(random);
    case "number":
      return numberLiteral(random);
    case "boolean":
      return random.pick(["true", "false"]);
    case "list":
      return listOfOneShape(random, 0);
    case "map":
    case "object":
      return mapLiteral(random, depth);
    case "int or string":
      return random.chance(0.5) ? integerLiteral(random) : stringLiteral(random);
    case "anything":
      return anyLiteral(random, depth);
    default:
      return stringLiteral(random);
  }
}

/** Makes any value, nested now and then. */
export function anyLiteral(random: Random, depth = 0): string {
  const shapes: readonly Shape[] = ["string", "string", "integer", "number", "boolean"];
  const nested: readonly Shape[] = depth < 2 ? ["list", "map"] : [];
  const shape = random.pick([...shapes, ...nested]);
  if (shape === "list") return listOfOneShape(random, 1);
  return depth === 0 ? valueLiteral(random, shape, depth) : elementLiteral(random, shape);
}

// The first item of a list determines how the others are read.
function listOfOneShape(random: Random, fewest: number): string {
  const of = random.pick<Shape>(["string", "integer", "number", "boolean"]);
  const items = random.many(fewest, 3, () => elementLiteral(random, of));
  const isMixed = new Set(items.map((item) => kindOfLiteral(item))).size > 1;
  return `{${(isMixed && !random.chance(0.03) ? items.slice(0, 1) : items).join(",")}}`;
}

function kindOfLiteral(literal: string): string {
  if (/^-?\d+$/u.test(literal)) return "integer";
  if (/^-?[\d.]+(?:e[+-]?\d+)?$/u.test(literal)) return "number";
  return literal === "true" || literal === "false" ? "boolean" : "string";
}

function mapLiteral(random: Random, depth: number): string {
  const entries = random.many(0, 3, (index) => `${mapKey(random, index)}: ${anyLiteral(random, depth + 1)}`);
  return `{${entries.join(random.pick([",", ", "]))}}`;
}

function mapKey(random: Random, index: number): string {
  return random.pick([`k${index}`, `"k ${index}"`, `\`k-${index}\``, `key${index}`]);
}

// Inside braces a bare text must not hold what separates.
function elementLiteral(random: Random, shape: Shape): string {
  const literal = valueLiteral(random, shape, 2);
  if (/^- ?\d/u.test(literal)) return random.chance(0.03) ? literal : "7";
  return /^[^"`{]*[,;{}:]/u.test(literal) ? `"x"` : literal;
}

/** Makes a JSON text for `+default`. */
export function jsonLiteral(random: Random, shape: Shape, depth = 0): string {
  // In TypeScript a line comment ends at U+2028, so that it cannot be in one as it is.
  return (JSON.stringify(jsonValue(random, shape, depth)) ?? "null").replaceAll("\u2028", "\\u2028");
}

/** Makes a JSON value, of the shape if that is not `anything`. */
function jsonValue(random: Random, shape: Shape, depth = 0): unknown {
  switch (shape) {
    case "integer":
      return random.pick([0, 1, -5, 63, 1_000_000, 2_147_483_647, 9_007_199_254_740_992]);
    case "number":
      return random.pick([0, 0.5, -1.25, 1e21, 1e-7, 1_234_567.5, 3]);
    case "boolean":
      return random.chance(0.5);
    case "list":
      return random.many(0, 3, () => jsonValue(random, "anything", depth + 1));
    case "map":
    case "object":
      return Object.fromEntries(
        random.many(0, 3, (index) => [
          random.pick([`k${index}`, `k ${index}`, `K-${index}`]),
          jsonValue(random, "anything", depth + 1),
        ]),
      );
    case "anything": {
      const shapes: readonly Shape[] = ["string", "integer", "number", "boolean"];
      return jsonValue(random, random.pick(depth < 2 ? [...shapes, "list", "map"] : shapes), depth);
    }
    default:
      return random.pick([
        "",
        "a",
        "yes",
        "a: b",
        "x\ny",
        "é🚀",
        "5",
        " lead",
        "tab\t",
        '"',
        "'",
        "\\",
        "#",
        "<&>",
        "\u2028",
        "~",
      ]);
  }
}
