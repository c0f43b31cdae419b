import { KUBERNETES_MINOR, type KubernetesMinor, readKubernetesVersion, SUPPORTED_MINORS } from "@kubescaffold/k8s";

import type { Terminal } from "../command/terminal.ts";

/** The name of the flag that selects the minor version of Kubernetes. */
export const KUBERNETES_FLAG = "kubernetes";

/** The minor versions, as texts of help write them: `1.34 to 1.37`. */
export const MINOR_RANGE: string = `${SUPPORTED_MINORS[0]} to ${SUPPORTED_MINORS.at(-1) ?? ""}`;

/** The declaration of the flag. */
interface KubernetesFlag {
  readonly name: "kubernetes";
  readonly kind: "string";
  readonly help: string;
}

/** The flag that selects the minor version of Kubernetes that a project is developed for. */
export const PROJECT_KUBERNETES_FLAG: KubernetesFlag = {
  name: KUBERNETES_FLAG,
  kind: "string",
  help: `minor version of Kubernetes for tests and \`scaffold dev\`: ${MINOR_RANGE}`,
};

/** The same, for a new project. */
export const NEW_KUBERNETES_FLAG: KubernetesFlag & { readonly default: string } = {
  ...PROJECT_KUBERNETES_FLAG,
  default: KUBERNETES_MINOR,
};

/** Returns the minor version that the flag selects, and prints a note for a text that is not the minor version itself. Fails: `KubernetesVersionError`. */
export function minorOf(text: string, terminal: Pick<Terminal, "writeError">): KubernetesMinor {
  const { minor, note } = readKubernetesVersion(text, `--${KUBERNETES_FLAG}`);
  if (note !== undefined) terminal.writeError(`note: ${note}\n`);
  return minor;
}
