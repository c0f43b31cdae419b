import type { DiagnosticCode } from "../diagnostics/codes.ts";
import type { SourceLocation } from "../loader/type-model.ts";

/** What a check found, before it is known whether it is relaxed. */
export interface Finding {
  readonly code: DiagnosticCode;
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly hint: string;
  readonly location: SourceLocation;
  /** Where a marker may relax it: the places from the kind down to the finding. */
  readonly owners: readonly SourceLocation[];
}

/** Returns a function that makes its value at the first call and returns it at every other. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
