/** What differs in the tables of another minor version. A line replaces the one of the same name, and `-` with a name stands for a line that is absent. */
export interface ServerPatch {
  /** The minor version. */
  readonly minor: string;
  /** The version of the sources, such as `1.37.2`. */
  readonly version: string;
  /** Lines of the table of feature gates. */
  readonly gates: string;
  /** The whole table of retired gates. */
  readonly retiredGates: string;
  /** Lines of the table of roles. */
  readonly roles: string;
  /** Lines of the table of bindings. */
  readonly bindings: string;
}
