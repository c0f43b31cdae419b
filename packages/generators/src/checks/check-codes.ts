/** The code of a check. */
export type CheckCodeName =
  | "CRD_DEFAULT_REJECTED"
  | "CRD_DEFAULT_PRUNED"
  | "CRD_DEFAULT_MISPLACED"
  | "CRD_PATTERN_INVALID"
  | "CRD_LIST_MAP_KEY"
  | "CRD_LIST_TYPE"
  | "CRD_UNIQUE_ITEMS"
  | "CRD_BOUND_OUT_OF_RANGE"
  | "CRD_ENUM_TYPE"
  | "CRD_NOT_STRUCTURAL"
  | "CRD_EMBEDDED_METADATA"
  | "CRD_RULE_INVALID"
  | "CRD_RULE_COST"
  | "CRD_TOO_LARGE"
  | "CRD_TOO_LARGE_TO_APPLY"
  | "CRD_NAME_INVALID"
  | "CRD_NAME_CONFLICT"
  | "CRD_SCOPE_INVALID"
  | "CRD_SCOPE_MISMATCH"
  | "CRD_GROUP_PROTECTED"
  | "CRD_METADATA_INVALID"
  | "CRD_COLUMN_INVALID"
  | "CRD_COLUMN_UNKNOWN"
  | "CRD_SELECTABLE_FIELD"
  | "CRD_SCALE_PATH"
  | "CRD_SCALE_UNKNOWN"
  | "CRD_DEPRECATION_WARNING"
  | "CRD_PRESERVE_UNKNOWN";

/** A check by its code: what it finds, how bad that is, and whether a server rejects the CRD for it. */
export interface CheckCode {
  readonly code: CheckCodeName;
  readonly severity: "error" | "warning";
  /** One sentence for the pages of checks and errors. */
  readonly summary: string;
}

/** Every check of a CRD, in the order of the page about them; `relax` takes these names. */
export const CHECK_CODES: readonly CheckCode[] = [
  error("CRD_DEFAULT_REJECTED", "a default does not match its schema"),
  error("CRD_DEFAULT_PRUNED", "a default has fields that are not in its schema, which API servers would prune"),
  error("CRD_DEFAULT_MISPLACED", "a default is set where API servers allow none"),
  error("CRD_PATTERN_INVALID", "a pattern is not a valid Go regular expression (RE2)"),
  error(
    "CRD_LIST_MAP_KEY",
    "a key of a list of type map is missing, duplicate, optional without default, nullable, or not a scalar",
  ),
  error("CRD_LIST_TYPE", "the type of a list or map does not match its items"),
  error("CRD_UNIQUE_ITEMS", "uniqueItems is true, which API servers reject"),
  error("CRD_BOUND_OUT_OF_RANGE", "a bound of an integer is not within 64 bits, so API servers refuse every value"),
  error("CRD_ENUM_TYPE", "a value of an enum is not of the type of its property, so API servers refuse it"),
  error("CRD_NOT_STRUCTURAL", "the schema is not structural, so API servers reject it"),
  error("CRD_EMBEDDED_METADATA", "embedded metadata would lose its labels, annotations, and names"),
  error(
    "CRD_RULE_INVALID",
    "a CEL rule does not compile, does not match the types of the schema, or has invalid settings",
  ),
  error("CRD_RULE_COST", "a CEL rule may exceed the cost budget of API servers"),
  error("CRD_TOO_LARGE", "the CRD exceeds the size limit of etcd"),
  warning("CRD_TOO_LARGE_TO_APPLY", "the CRD exceeds the annotation limit of client-side apply"),
  error("CRD_NAME_INVALID", "a name of the resource, its group, or a version is not valid"),
  error("CRD_NAME_CONFLICT", "two kinds of a group have the same name"),
  error("CRD_SCOPE_INVALID", "the scope is neither Namespaced nor Cluster"),
  warning("CRD_SCOPE_MISMATCH", "a cluster-scoped kind extends NamespacedObject, whose objects have a namespace"),
  error("CRD_GROUP_PROTECTED", "the group belongs to Kubernetes and has no approval annotation"),
  error("CRD_METADATA_INVALID", "a label or annotation of the CRD is not valid"),
  error("CRD_COLUMN_INVALID", "a printer column has no name, an unknown type or format, or an invalid path"),
  warning("CRD_COLUMN_UNKNOWN", "a printer column refers to a field that is not in the schema"),
  error("CRD_SELECTABLE_FIELD", "a selectable field is not a string, boolean, or integer outside metadata"),
  error("CRD_SCALE_PATH", "a path of the scale subresource is not below spec or status"),
  warning("CRD_SCALE_UNKNOWN", "a path of the scale subresource refers to a field that is not in the schema"),
  error("CRD_DEPRECATION_WARNING", "a deprecation warning is empty, too long, or not printable"),
  error("CRD_PRESERVE_UNKNOWN", "spec.preserveUnknownFields is true, which API servers reject"),
];

function error(code: CheckCodeName, summary: string): CheckCode {
  return { code, severity: "error", summary };
}

function warning(code: CheckCodeName, summary: string): CheckCode {
  return { code, severity: "warning", summary };
}
