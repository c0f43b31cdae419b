/** The minor version of Kubernetes that everything has by default: the types and tables of this package, and the embedded API server. */
export const KUBERNETES_MINOR = "1.35";

/** The patch release of {@link KUBERNETES_MINOR} that types, tables, and behavior were taken from. */
export const KUBERNETES_VERSION = "1.35.4";

/** The minor versions of Kubernetes that the embedded API server can have, the oldest first. */
export const SUPPORTED_MINORS = ["1.34", "1.35", "1.36", "1.37"] as const;

/** A minor version of Kubernetes that the embedded API server can have. */
export type KubernetesMinor = (typeof SUPPORTED_MINORS)[number];

/** The minor version of what does not record one: projects and stored states from before it could be selected. */
export const UNRECORDED_MINOR: KubernetesMinor = "1.35";

/** The environment variable that selects a minor version. */
export const KUBERNETES_VERSION_VARIABLE = "KUBESCAFFOLD_KUBERNETES_VERSION";

/** Reports whether a text is a supported minor version, such as `1.36`. */
export function isSupportedMinor(text: string): text is KubernetesMinor {
  return (SUPPORTED_MINORS as readonly string[]).includes(text);
}

/** Returns the number after the dot of a minor version, such as 36 for `1.36`, by which minor versions are compared. */
export function minorNumber(minor: string): number {
  return Number(minor.slice(minor.indexOf(".") + 1));
}
