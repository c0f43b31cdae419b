const RESERVED: ReadonlySet<string> = new Set([
  "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop",
  "package", "namespace", "return", "var", "void", "while",
]); // prettier-ignore

const ESCAPES: Readonly<Record<string, string>> = { __: "underscores", ".": "dot", "-": "dash", "/": "slash" };
const UNESCAPES: Readonly<Record<string, string>> = { underscores: "__", dot: ".", dash: "-", slash: "/" };

/** Reports whether CEL keeps the word for itself. */
export function isReservedWord(word: string): boolean {
  return RESERVED.has(word);
}

/** Returns the name by which rules reach a property (`a-b` is `a__dash__b`), or undefined where they cannot. */
export function escapePropertyName(name: string): string | undefined {
  if (RESERVED.has(name)) return `__${name}__`;
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  return name.replaceAll(/__|[-./]/g, (part) => `__${ESCAPES[part] ?? ""}__`);
}

/** Returns the property that an escaped name stands for, or undefined where it stands for none. */
export function unescapePropertyName(escaped: string): string | undefined {
  // Most names are their own, and rules ask at each evaluation.
  if (!escaped.includes("__")) return escaped;
  let isValid = true;
  const name = escaped.replaceAll(/__[^_]+__/g, (match) => {
    const word = match.slice(2, -2);
    const plain = UNESCAPES[word] ?? (RESERVED.has(word) && match === escaped ? word : undefined);
    isValid &&= plain !== undefined;
    return plain ?? "";
  });
  return isValid ? name : undefined;
}
