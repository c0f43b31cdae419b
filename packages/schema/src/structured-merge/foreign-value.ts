/** A value of Go in an apply configuration that JSON does not have, which no schema takes. */
export class ForeignValue {
  /** The name of its type in Go, such as `uint64`. */
  readonly goType: string;
  /** The value as Go prints it. */
  readonly text: string;
  /** The value in Go's syntax. */
  readonly syntax: string;

  constructor(goType: string, text: string, syntax: string = text) {
    this.goType = goType;
    this.text = text;
    this.syntax = syntax;
  }
}
