/** The code of a check. */
export type CheckCodeName =
  | "CRD_DEFAULT_REJECTED"
  | "CRD_DEFAULT_PRUNED"
  | "CRD_DEFAULT_MISPLACED"
  | "CRD_PATTERN_INVALID"
  | "CRD_LIST_MAP_KEY"
  | "CRD_LIST_TYPE"
  | "CRD_UNIQUE_ITEMS"
  | "CRD_NOT_STRUCTURAL"
  | "CRD_EMBEDDED_METADATA"
  | "CRD_RULE_INVALID"
  | "CRD_RULE_COST"
  | "CRD_TOO_LARGE"
  | "CRD_TOO_LARGE_TO_APPLY"
  | "CRD_NAME_INVALID"
  | "CRD_NAME_CONFLICT"
  | "CRD_SCOPE_INVALID"
  | "CRD_GROUP_PROTECTED"
  | "CRD_METADATA_INVALID"
  | "CRD_COLUMN_INVALID"
  | "CRD_COLUMN_UNKNOWN"
  | "CRD_SELECTABLE_FIELD"
  | "CRD_SCALE_PATH"
  | "CRD_SCALE_UNKNOWN"
  | "CRD_DEPRECATION_WARNING"
  | "CRD_PRESERVE_UNKNOWN";

/** A check by its code: what it finds, how bad that is, and whether a server refuses the CRD for it. */
export interface CheckCode {
  readonly code: CheckCodeName;
  readonly severity: "error" | "warning";
  /** One sentence for the pages of checks and errors. */
  readonly summary: string;
}

/** Every check of a CRD, in the order of the page about them; `relax` takes these names. */
export const CHECK_CODES: readonly CheckCode[] = [
  error("CRD_DEFAULT_REJECTED", "a default is refused by the schema that it belongs to"),
  error("CRD_DEFAULT_PRUNED", "a default has fields that its schema does not know, so that they would be lost"),
  error("CRD_DEFAULT_MISPLACED", "a default stands where servers allow none"),
  error("CRD_PATTERN_INVALID", "a pattern is no regular expression of Go (RE2)"),
  error(
    "CRD_LIST_MAP_KEY",
    "a key of a list of type map is missing, repeated, optional without default, nullable or no scalar",
  ),
  error("CRD_LIST_TYPE", "the type of a list or map does not fit its items"),
  error("CRD_UNIQUE_ITEMS", "uniqueItems is true, which servers refuse"),
  error("CRD_NOT_STRUCTURAL", "the schema is not structural, so that servers refuse it"),
  error("CRD_EMBEDDED_METADATA", "labels, annotations and names in metadata inside an object would be lost"),
  error("CRD_RULE_INVALID", "a CEL rule does not parse, does not fit the types of the schema, or has wrong settings"),
  error("CRD_RULE_COST", "a CEL rule may cost more than servers allow"),
  error("CRD_TOO_LARGE", "the CRD is larger than etcd stores"),
  warning("CRD_TOO_LARGE_TO_APPLY", "the CRD is larger than client-side apply can record"),
  error("CRD_NAME_INVALID", "a name of the resource, of its group or of a version is not one that servers take"),
  error("CRD_NAME_CONFLICT", "two kinds of a group share a name"),
  error("CRD_SCOPE_INVALID", "the scope is neither Namespaced nor Cluster"),
  error("CRD_GROUP_PROTECTED", "the group belongs to Kubernetes and lacks the annotation that approves it"),
  error("CRD_METADATA_INVALID", "a label or annotation of the CRD is not one that servers take"),
  error("CRD_COLUMN_INVALID", "a printer column has no name, an unknown type or format, or a path that is none"),
  warning("CRD_COLUMN_UNKNOWN", "a printer column shows a field that the schema does not have"),
  error("CRD_SELECTABLE_FIELD", "a selectable field does not lead to a string, boolean or integer outside metadata"),
  error("CRD_SCALE_PATH", "a path of the scale subresource is not below spec or status"),
  warning("CRD_SCALE_UNKNOWN", "a path of the scale subresource leads to a field that the schema does not have"),
  error("CRD_DEPRECATION_WARNING", "a deprecation warning is empty, too long, or not printable"),
  error("CRD_PRESERVE_UNKNOWN", "spec.preserveUnknownFields is true, which servers refuse"),
];

function error(code: CheckCodeName, summary: string): CheckCode {
  return { code, severity: "error", summary };
}

function warning(code: CheckCodeName, summary: string): CheckCode {
  return { code, severity: "warning", summary };
}
