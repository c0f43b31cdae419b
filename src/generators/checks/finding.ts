import type { SourceLocation } from "../../loader/type-model.ts";

/** What a check found, before it is known whether it is relaxed. */
export interface Finding {
  readonly code: string;
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly hint: string;
  readonly location: SourceLocation;
  /** Where a marker may relax it: the places from the kind down to the finding. */
  readonly owners: readonly SourceLocation[];
}
