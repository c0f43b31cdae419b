import { ScaffoldError } from "../failures/errors.ts";
import { SUPPORTED_MINORS } from "./supported-minors.ts";

/**
 * Thrown when a text is not a version of Kubernetes, or a version that is not supported.
 *
 * Fix: Use one of the minor versions that the message contains.
 */
export class KubernetesVersionError extends ScaffoldError {
  readonly code = "KUBERNETES_VERSION";

  /** Describes a value of `origin`, such as an option, a flag, or a variable. */
  constructor(origin: string, problem: string) {
    super(`cannot use ${origin}: ${problem}; supported are ${listed("and")}`, { hint: `use ${listed("or")}` });
  }
}

function listed(conjunction: string): string {
  return `${SUPPORTED_MINORS.slice(0, -1).join(", ")}, ${conjunction} ${SUPPORTED_MINORS.at(-1) ?? ""}`;
}
