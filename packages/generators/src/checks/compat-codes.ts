/** The code of a difference to a former version. */
export type CompatCodeName =
  | "COMPAT_CRD_REMOVED"
  | "COMPAT_SCOPE_CHANGED"
  | "COMPAT_NAMES_CHANGED"
  | "COMPAT_VERSION_REMOVED"
  | "COMPAT_VERSION_UNSERVED"
  | "COMPAT_STORAGE_REMOVED"
  | "COMPAT_STORED_REMOVED"
  | "COMPAT_STORAGE_CHANGED"
  | "COMPAT_SUBRESOURCE_REMOVED"
  | "COMPAT_SUBRESOURCE_ADDED"
  | "COMPAT_SELECTABLE_REMOVED"
  | "COMPAT_COLUMN_REMOVED"
  | "COMPAT_FIELD_REMOVED"
  | "COMPAT_REQUIRED_ADDED"
  | "COMPAT_TYPE_CHANGED"
  | "COMPAT_NULLABLE_REMOVED"
  | "COMPAT_VALIDATION_TIGHTENED"
  | "COMPAT_ENUM_NARROWED"
  | "COMPAT_RULE_ADDED"
  | "COMPAT_PRUNING"
  | "COMPAT_LIST_TYPE_CHANGED"
  | "COMPAT_MERGE_CHANGED"
  | "COMPAT_DEFAULT_CHANGED";

/** A difference by its code: what it is, and whether it breaks stored objects or clients. */
export interface CompatCode {
  readonly code: CompatCodeName;
  readonly severity: "error" | "warning";
  /** One sentence for the pages of differences and errors. */
  readonly summary: string;
}

/** Every difference that is reported, in the order of the page about them; `relax` takes these names. */
export const COMPAT_CODES: readonly CompatCode[] = [
  breaks("COMPAT_CRD_REMOVED", "a kind of a generated group was removed, with all its objects"),
  breaks("COMPAT_SCOPE_CHANGED", "the scope changed, which is immutable"),
  breaks("COMPAT_NAMES_CHANGED", "the kind, its list kind, or a resource name changed"),
  breaks("COMPAT_VERSION_REMOVED", "a served version was removed"),
  breaks("COMPAT_VERSION_UNSERVED", "a version is no longer served"),
  breaks("COMPAT_STORAGE_REMOVED", "the storage version was removed, which API servers reject"),
  breaks(
    "COMPAT_STORED_REMOVED",
    "a version was removed in which objects are stored by status.storedVersions, which API servers reject",
  ),
  advises("COMPAT_STORAGE_CHANGED", "the schema of the new storage version does not contain all fields"),
  breaks("COMPAT_SUBRESOURCE_REMOVED", "the status or scale subresource was removed"),
  advises("COMPAT_SUBRESOURCE_ADDED", "status is now written through its subresource, and ignored elsewhere"),
  breaks("COMPAT_SELECTABLE_REMOVED", "a field can no longer be used in field selectors"),
  advises("COMPAT_COLUMN_REMOVED", "a printer column was removed"),
  breaks("COMPAT_FIELD_REMOVED", "a field was removed, so its values are pruned"),
  breaks("COMPAT_REQUIRED_ADDED", "a field is now required and has no default"),
  breaks("COMPAT_TYPE_CHANGED", "the type of a field changed"),
  breaks("COMPAT_NULLABLE_REMOVED", "a field is no longer nullable"),
  breaks("COMPAT_VALIDATION_TIGHTENED", "a bound, length, pattern, format, or combination is stricter"),
  breaks("COMPAT_ENUM_NARROWED", "an enum has fewer values, or is new"),
  breaks("COMPAT_RULE_ADDED", "a CEL rule was added or changed"),
  breaks("COMPAT_PRUNING", "unknown fields were preserved and are now pruned"),
  breaks("COMPAT_LIST_TYPE_CHANGED", "the keys or the type of a list changed, so stored items may be duplicates"),
  advises("COMPAT_MERGE_CHANGED", "the merge strategy of a list or object in server-side apply changed"),
  advises("COMPAT_DEFAULT_CHANGED", "a default was changed or removed"),
];

function breaks(code: CompatCodeName, summary: string): CompatCode {
  return { code, severity: "error", summary };
}

function advises(code: CompatCodeName, summary: string): CompatCode {
  return { code, severity: "warning", summary };
}
