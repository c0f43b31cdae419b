import { KUBERNETES_VERSION_VARIABLE, readKubernetesVersion } from "@kubescaffold/k8s";

import { defaultRelease, loadRelease, type Release } from "./release.ts";

/**
 * Returns the release that an option, or else the variable `KUBESCAFFOLD_KUBERNETES_VERSION`, selects; the default one without both.
 *
 * Prints a line on standard error for a text that is not the minor version itself, such as `1.36.2`, once in a process. Fails: `KubernetesVersionError`.
 */
export function selectedRelease(
  option: string | undefined,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Release {
  if (option !== undefined) return releaseOf(option, "kubernetesVersion");
  const variable = env[KUBERNETES_VERSION_VARIABLE];
  return variable ? releaseOf(variable, KUBERNETES_VERSION_VARIABLE) : defaultRelease;
}

/** The facts of the minor version of a server that programs around it use. */
export type ServerRelease = Pick<Release, "minor" | "version" | "gates" | "since">;

/** Returns the facts of the minor version that a server with this option has. Fails: `KubernetesVersionError`. */
export function serverRelease(kubernetesVersion?: string): ServerRelease {
  return selectedRelease(kubernetesVersion);
}

function releaseOf(text: string, origin: string): Release {
  const { minor, note } = readKubernetesVersion(text, origin);
  if (note !== undefined && !printed.has(note)) {
    printed.add(note);
    process.stderr.write(`${note}\n`);
  }
  const release = loadRelease(minor);
  if (release === undefined) throw new TypeError(`there are no tables of Kubernetes ${minor}`);
  return release;
}

const printed = new Set<string>();
