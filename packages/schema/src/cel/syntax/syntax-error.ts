/** Thrown inside the parser to end it, and never leaves it; `offset` is in code points. */
export class CelSyntaxError extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}
