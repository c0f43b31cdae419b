/** The minor version of Kubernetes whose types and tables this package contains, and whose behavior the embedded API server has. */
export const KUBERNETES_MINOR = "1.35";

/** The patch release of {@link KUBERNETES_MINOR} that types, tables, and behavior were taken from. */
export const KUBERNETES_VERSION = "1.35.4";
