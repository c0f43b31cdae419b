import * as literals from "@kubescaffold/generators/typescript";

// The contract declares these itself: its types need no package that plugins do not install.

/**
 * Prints a text as a string literal of TypeScript, with the quotes that a formatter chooses.
 *
 * Guarantees: evaluating the literal gives the text; the literal is on one line for every reader, and no character of it is invisible or changes the
 * direction of what follows. With `isAscii`, it is plain ASCII.
 */
export function stringLiteral(text: string, options: { readonly isAscii?: boolean } = {}): string {
  return literals.stringLiteral(text, options);
}

/**
 * Prints a text in double quotes, as TypeScript, JSON, YAML, and markers all read it.
 *
 * Guarantees: reading gives the text; it is on one line for every reader, and nothing in it changes the direction of what follows.
 */
export function quotedText(text: string): string {
  return literals.quotedText(text);
}
