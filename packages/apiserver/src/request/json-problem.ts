const CONTEXTS: readonly (readonly [RegExp, string])[] = [
  [/property name/, "looking for beginning of object key string"],
  [/':'/, "after object key"],
  [/',' or '\}'/, "after object key:value pair"],
  [/',' or '\]'/, "after array element"],
  [/after JSON/, "after top-level value"],
];

/** Says why a text is no JSON, in the words of Go's reader; the error is the one of `JSON.parse`. */
export function jsonProblem(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const position = /position (\d+)/.exec(message)?.[1];
  const code = position === undefined ? undefined : text.slice(Number(position)).trimStart().codePointAt(0);
  if (code === undefined || /Unterminated string/.test(message)) {
    return "unexpected end of JSON input";
  }
  const context = CONTEXTS.find(([pattern]) => pattern.test(message))?.[1] ?? "looking for beginning of value";
  const character = String.fromCodePoint(code);
  return `invalid character '${character === "'" ? "\\'" : character}' ${context}`;
}
