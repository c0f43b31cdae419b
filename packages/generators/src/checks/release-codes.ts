/** A check of what a supported minor version of Kubernetes lacks, by its code. */
export interface ReleaseCode {
  readonly code: `KUBERNETES_LACKS_${"FIELD" | "FORMAT" | "RESOURCE" | "TYPE" | "VERB"}`;
  readonly severity: "warning";
}

/** Every check of what a supported minor version lacks, in the order of the page about them; `relax` takes these names. */
export const RELEASE_CODES: readonly ReleaseCode[] = (["TYPE", "FIELD", "RESOURCE", "VERB", "FORMAT"] as const).map(
  (name) => ({ code: `KUBERNETES_LACKS_${name}`, severity: "warning" }),
);
