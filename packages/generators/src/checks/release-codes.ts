import type { DiagnosticCode } from "../diagnostics/codes.ts";

/** A check of what a supported minor version of Kubernetes lacks, by its code. */
export interface ReleaseCode {
  readonly code: Extract<DiagnosticCode, `KUBERNETES_LACKS_${string}`>;
  readonly severity: "warning";
}

/** Every check of what a supported minor version lacks, in the order of the page about them; `relax` takes these names. */
export const RELEASE_CODES: readonly ReleaseCode[] = [
  { code: "KUBERNETES_LACKS_TYPE", severity: "warning" },
  { code: "KUBERNETES_LACKS_FIELD", severity: "warning" },
  { code: "KUBERNETES_LACKS_RESOURCE", severity: "warning" },
  { code: "KUBERNETES_LACKS_VERB", severity: "warning" },
  { code: "KUBERNETES_LACKS_FORMAT", severity: "warning" },
];
