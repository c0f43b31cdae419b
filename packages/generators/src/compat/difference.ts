import type { CompatCodeName } from "../checks/compat-codes.ts";

/** A difference between two definitions that breaks something, or is worth knowing. */
export interface Difference {
  readonly code: CompatCodeName;
  readonly message: string;
  readonly hint: string;
  /** The version of the current definition that it is in; undefined for the definition as a whole. */
  readonly version?: string;
  /** Where in the schema of that version, such as `.properties[spec].properties[size]`. */
  readonly path?: string;
  /** The markers that can be meant, without the prefix of their family. */
  readonly markers?: readonly string[];
}

/** The same before it is known in which version it is. */
export type SchemaDifference = Omit<Difference, "version"> & { readonly path: string };
