/** The width that the formatter of generated projects keeps lines to. */
const LINE_WIDTH = 120;

/**
 * Breaks the lines of a TypeScript source that are longer than {@link LINE_WIDTH}, where the formatter of generated projects breaks them.
 *
 * Guarantees: shorter lines and comments stay as they are, and so does what has no place to break at; names as long as servers take them are broken
 * as the formatter does it in all that the templates hold.
 */
export function breakLongLines(text: string): string {
  return text
    .split("\n")
    .flatMap((line) => breakLongLine(line))
    .join("\n");
}

/** Breaks the exported constants of a TypeScript source as {@link breakLongLines} does, and leaves every other line alone. */
export function breakConstants(text: string): string {
  return text
    .split("\n")
    .flatMap((line) => (line.startsWith("export const ") ? breakLongLine(line) : [line]))
    .join("\n");
}

/** Breaks one line, and returns it alone where it fits. */
export function breakLongLine(line: string): readonly string[] {
  if (line.length <= LINE_WIDTH || /^\s*(?:\/[/*]|\*)/u.test(line)) return [line];
  const indent = /^ */u.exec(line)?.[0] ?? "";
  const code = line.slice(indent.length);
  const broken =
    breakImport(code) ??
    breakTypeArguments(code) ??
    breakChain(code) ??
    breakAssignment(code, indent.length) ??
    breakMembers(code, indent.length) ??
    breakGroup(code, indent.length);
  if (broken === undefined || broken.length === 1) return [line];
  return broken.flatMap((each) => breakLongLine(indent + each));
}

type Broken = readonly string[] | undefined;

function breakImport(code: string): Broken {
  if (!/^(?:import|export) (?:type )?\{/u.test(code)) return undefined;
  const [, start, names, end] = /^([^{]*\{) ([^}]*) (\} from .*)$/u.exec(code) ?? [];
  // A formatter leaves one name where it is.
  if (start === undefined || names === undefined || end === undefined || !names.includes(", ")) return [code];
  return [start, ...names.split(", ").map((name) => `  ${name},`), end];
}

function breakTypeArguments(code: string): Broken {
  const [, start, types, end] = /^(const \w+: \w+<|export const \w+: \w+<)([^<>]*)(> = \{)$/u.exec(code) ?? [];
  if (start === undefined || types?.includes(", ") !== true || end === undefined) return undefined;
  return [start, ...types.split(", ").map((type, index, all) => `  ${type}${index + 1 < all.length ? "," : ""}`), end];
}

// Several calls, one after the other, are below each other.
function breakChain(code: string): Broken {
  const dots = topLevel(code).flatMap(({ index, text }) =>
    text === "." && /^\.#?\w+\(/u.test(code.slice(index)) ? [index] : [],
  );
  const [first = 0] = dots;
  const head = code.slice(0, first);
  const calls = dots.length + (/\w\([^()]*\)$/u.test(head) ? 1 : 0);
  const isChain = calls > 2 || (dots.length === 2 && /^(?:await |return |const \w+ = )?\w+$/u.test(head));
  if (!isChain || first === 0) return undefined;
  return [head, ...dots.map((dot, index) => `  ${code.slice(dot, dots[index + 1])}`)];
}

// What is assigned begins on its own line where it has no brackets to break, or not even they would fit.
function breakAssignment(code: string, indent: number): Broken {
  // A parameter that is taken apart, with its default.
  if (/^[{}]/u.test(code)) return undefined;
  const sign = topLevel(code).find(
    ({ index, text }) => text === "=" && /^ =(?: |$)/u.test(code.slice(index - 1)),
  )?.index;
  if (sign === undefined || sign + 2 >= code.length) return undefined;
  const value = code.slice(sign + 2);
  if (value.includes(" => ")) return undefined;
  const isOperation = topLevel(value).some(({ text }) => text === "?" || text === "|");
  const opening = groupsOf(code).find(({ start }) => start > sign)?.start;
  const fits = opening !== undefined && indent + opening < LINE_WIDTH;
  return fits && !isOperation ? undefined : [code.slice(0, sign + 1), `  ${value}`];
}

// Of what is awaited, the first member that does not fit begins its own line.
function breakMembers(code: string, indent: number): Broken {
  const [, members = ""] = /^\(await [^;]*\)((?:\.\w+)+),$/u.exec(code) ?? [];
  const dots = topLevel(code).flatMap(({ index, text }) => (text === "." ? [index] : []));
  const [first = 0] = dots;
  if (members === "" || first !== code.length - members.length - 1 || indent + first > LINE_WIDTH) return undefined;
  const long = dots.findIndex((_, place) => indent + (dots[place + 1] ?? code.length) > LINE_WIDTH);
  return [code.slice(0, dots[long]), `  ${code.slice(dots[long])}`];
}

// The last brackets whose beginning fits, since what is before them may stay on the line.
function breakGroup(code: string, indent: number): Broken {
  const groups = groupsOf(code);
  const group = groups.findLast(({ start }) => indent + start < LINE_WIDTH) ?? groups[0];
  if (group === undefined) return undefined;
  const [before, inner, after] = [
    code.slice(0, group.start + 1),
    code.slice(group.start + 1, group.end).trim(),
    code.slice(group.end),
  ];
  const items = splitItems(inner);
  const hugged = before.endsWith("(") ? hugLast(items) : undefined;
  if (hugged !== undefined && indent + before.length + hugged.start.length <= LINE_WIDTH) {
    return [before + hugged.start, ...hugged.items.map((item) => `  ${item},`), `}${after}`];
  }
  return [before, ...items.map((item) => `  ${item},`), after];
}

// An object that is the last argument opens on the line of the call.
function hugLast(items: readonly string[]): { readonly start: string; readonly items: readonly string[] } | undefined {
  const last = items.at(-1) ?? "";
  const [only] = groupsOf(last);
  if (!last.startsWith("{") || only?.end !== last.length - 1) return undefined;
  return { start: [...items.slice(0, -1), "{"].join(", "), items: splitItems(last.slice(1, -1).trim()) };
}

function splitItems(text: string): readonly string[] {
  const commas = topLevel(text).flatMap(({ index, text: sign }) => (sign === "," ? [index] : []));
  return [...commas, text.length]
    .map((end, index) => text.slice(index === 0 ? 0 : (commas[index - 1] ?? 0) + 1, end).trim())
    .filter((item) => item !== "");
}

interface Group {
  readonly start: number;
  readonly end: number;
}

// The pairs of brackets that are in no other, without those that hold nothing.
function groupsOf(code: string): readonly Group[] {
  const found: Group[] = [];
  let start = -1;
  for (const { index, text, depth } of scan(code)) {
    if ("([{".includes(text) && depth === 0) start = index;
    if (")]}".includes(text) && depth === 0 && start >= 0) {
      if (index > start + 1 && isList(code, { start, end: index })) found.push({ start, end: index });
      start = -1;
    }
  }
  return found;
}

// Arguments, parameters, lists and objects: what takes a comma at its end. Other brackets are parts of expressions, conditions or blocks.
function isList(code: string, { start, end }: Group): boolean {
  const before = code.slice(0, start);
  if (code.charAt(start) === "(")
    return /[\w$)\]>]$/u.test(before) && !/\b(?:await|for|if|return|switch|while)$/u.test(before);
  if (code.charAt(start) === "[") return !/[\w$)\]]$/u.test(before);
  return !/(?:=>|\)) $/u.test(before) && !code.slice(start, end).includes(";");
}

function topLevel(code: string): readonly Sign[] {
  return scan(code).filter(({ depth, text }) => depth === 0 && !"([{}])".includes(text));
}

interface Sign {
  readonly index: number;
  readonly text: string;
  readonly depth: number;
}

// All signs outside of texts, with the number of brackets around them; brackets themselves have that of what is around them.
function scan(code: string): readonly Sign[] {
  const signs: Sign[] = [];
  let depth = 0;
  let quote = "";
  for (let index = 0; index < code.length; index += 1) {
    const text = code.charAt(index);
    if (quote !== "") {
      if (text === "\\") index += 1;
      else if (text === quote) quote = "";
    } else if (`"'\``.includes(text)) quote = text;
    else {
      if (")]}".includes(text)) depth -= 1;
      signs.push({ index, text, depth });
      if ("([{".includes(text)) depth += 1;
    }
  }
  return signs;
}
