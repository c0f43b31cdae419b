/** A text, or a value that {@link joinPieces} expands. */
export type Piece = string | ValuePiece;

/** A value that has to be expanded. */
interface ValuePiece {
  readonly value: unknown;
}

/**
 * Prints a value: `expand` returns the text of a scalar, and the texts and parts that an object or list consists of.
 *
 * Guarantees: any number of levels, without recursion.
 */
export function joinPieces(root: unknown, expand: (value: unknown) => string | readonly Piece[]): string {
  const whole = expand(root);
  if (typeof whole === "string") return whole;
  const texts: string[] = [];
  const open = [whole.values()];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { done, value: piece } = top.next();
    if (done === true) {
      open.pop();
      continue;
    }
    const expanded = typeof piece === "string" ? piece : expand(piece.value);
    if (typeof expanded === "string") texts.push(expanded);
    else open.push(expanded.values());
  }
  return texts.join("");
}

/** Returns the pieces of a list or object with a separator between them. */
export function enclosed(
  [start, separator, end]: readonly [string, string, string],
  parts: Iterable<readonly [label: string, value: unknown]>,
): readonly Piece[] {
  const pieces: Piece[] = [];
  let before = start;
  for (const [label, value] of parts) {
    pieces.push(before + label, { value });
    before = separator;
  }
  pieces.push(pieces.length === 0 ? start + end : end);
  return pieces;
}
