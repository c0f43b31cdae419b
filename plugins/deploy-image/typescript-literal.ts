import { stringLiteral } from "kubescaffold/plugin";

const PRINT_WIDTH = 120;

/** Reports whether a formatter breaks a line. */
function isTooLong(line: string): boolean {
  return line.length > PRINT_WIDTH;
}

/** Returns a literal with the space before it: a line break where it does not fit behind the text that it is assigned by. */
export function assigned(literal: string, before: string): string {
  return isTooLong(`${before} ${literal};`) ? `\n  ${literal}` : ` ${literal}`;
}

/** Returns strings as a literal of a list: on one line where that fits behind the text before it, else with one line each. */
export function listLiteral(texts: readonly string[], before: string): string {
  const literals = texts.map((text) => stringLiteral(text));
  const line = `[${literals.join(", ")}]`;
  return !isTooLong(`${before}${line};`) ? line : `[\n${literals.map((each) => `  ${each},\n`).join("")}]`;
}
