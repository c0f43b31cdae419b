/** Returns a string as a literal of TypeScript, with the quotes that a formatter chooses. */
export function stringLiteral(text: string): string {
  const doubled = JSON.stringify(text);
  const hasFewerSingles = text.split('"').length > text.split("'").length;
  return hasFewerSingles ? `'${doubled.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'` : doubled;
}

const PRINT_WIDTH = 120;

/** Returns strings as a literal of a list: on one line where that fits behind what stands before it, else with one line each. */
export function listLiteral(texts: readonly string[], { before }: { readonly before: number }): string {
  const literals = texts.map((text) => stringLiteral(text));
  const line = `[${literals.join(", ")}]`;
  return before + line.length + 1 <= PRINT_WIDTH ? line : `[\n${literals.map((each) => `  ${each},\n`).join("")}]`;
}
