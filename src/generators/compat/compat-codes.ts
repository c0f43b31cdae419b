/** The code of a difference to a former version. */
export type CompatCodeName =
  | "COMPAT_CRD_REMOVED"
  | "COMPAT_SCOPE_CHANGED"
  | "COMPAT_NAMES_CHANGED"
  | "COMPAT_VERSION_REMOVED"
  | "COMPAT_VERSION_UNSERVED"
  | "COMPAT_STORAGE_REMOVED"
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
  breaks("COMPAT_CRD_REMOVED", "a kind of a group that is generated is gone, with all its objects"),
  breaks("COMPAT_SCOPE_CHANGED", "the scope differs, which servers refuse to change"),
  breaks("COMPAT_NAMES_CHANGED", "the kind, its list or a name by which it is asked for differs"),
  breaks("COMPAT_VERSION_REMOVED", "a version that was served is gone"),
  breaks("COMPAT_VERSION_UNSERVED", "a version that was served is not served any more"),
  breaks("COMPAT_STORAGE_REMOVED", "the version that objects are stored in is gone, which servers refuse"),
  advises("COMPAT_STORAGE_CHANGED", "objects will be stored in a version whose schema does not hold all they have"),
  breaks("COMPAT_SUBRESOURCE_REMOVED", "the status or scale subresource is gone"),
  advises("COMPAT_SUBRESOURCE_ADDED", "status is written through its subresource now, and ignored elsewhere"),
  breaks("COMPAT_SELECTABLE_REMOVED", "a field cannot be used in field selectors any more"),
  advises("COMPAT_COLUMN_REMOVED", "a printer column is gone"),
  breaks("COMPAT_FIELD_REMOVED", "a field is gone, so that its values are pruned"),
  breaks("COMPAT_REQUIRED_ADDED", "a field must be given now and has no default"),
  breaks("COMPAT_TYPE_CHANGED", "a field has another type"),
  breaks("COMPAT_NULLABLE_REMOVED", "a field may not be null any more"),
  breaks("COMPAT_VALIDATION_TIGHTENED", "a bound, length, pattern, format or combination allows less"),
  breaks("COMPAT_ENUM_NARROWED", "an enum has fewer values, or is new"),
  breaks("COMPAT_RULE_ADDED", "a CEL rule is new or says something else"),
  breaks("COMPAT_PRUNING", "unknown fields were kept and are pruned now"),
  breaks(
    "COMPAT_LIST_TYPE_CHANGED",
    "a list has other keys, or became a set or map, so that stored items may be repeated",
  ),
  advises("COMPAT_MERGE_CHANGED", "a list or object is merged or replaced differently by server-side apply"),
  advises("COMPAT_DEFAULT_CHANGED", "a default differs or is gone"),
];

function breaks(code: CompatCodeName, summary: string): CompatCode {
  return { code, severity: "error", summary };
}

function advises(code: CompatCodeName, summary: string): CompatCode {
  return { code, severity: "warning", summary };
}
