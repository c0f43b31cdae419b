import {
  KUBERNETES_MINOR,
  KUBERNETES_VERSION_VARIABLE,
  type KubernetesMinor,
  readKubernetesVersion,
  type RestConfig,
  UNRECORDED_MINOR,
} from "@kubescaffold/k8s";
import { createDiscoveryClient, createRestClient } from "@kubescaffold/runtime";

import { KubernetesVersionMismatchError } from "../failures/errors.ts";
import { projectVersion } from "./project-version.ts";

/** Where a version may be stated, by precedence. */
export interface VersionSources {
  /** The text of an option or flag. */
  readonly kubernetesVersion?: string | undefined;
  /** The name of the option or flag in messages. Default: `kubernetesVersion`. */
  readonly option?: string;
  /** The environment variables. Default: those of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The folder whose PROJECT file counts, or that of a parent. Default: the current folder. */
  readonly directory?: string | undefined;
}

/** A minor version of Kubernetes, and where it was stated. */
export interface RequestedVersion {
  readonly minor: KubernetesMinor;
  /** `project` is a PROJECT file that contains it, `default` everything that does not state one. */
  readonly source: "option" | "variable" | "project" | "default";
  /** A sentence for the user, where the stated text is not the minor version itself. */
  readonly note: string | undefined;
}

/**
 * Returns the minor version that is requested by an option or flag, or else by `KUBESCAFFOLD_KUBERNETES_VERSION`, or else by PROJECT, or else by default.
 *
 * Fails: `KubernetesVersionError` for the first of them that exists.
 */
export function requestedVersion({
  kubernetesVersion,
  option = "kubernetesVersion",
  env = process.env,
  directory = process.cwd(),
}: VersionSources = {}): RequestedVersion {
  if (kubernetesVersion !== undefined) return { ...readKubernetesVersion(kubernetesVersion, option), source: "option" };
  const variable = env[KUBERNETES_VERSION_VARIABLE];
  if (variable) return { ...readKubernetesVersion(variable, KUBERNETES_VERSION_VARIABLE), source: "variable" };
  const project = projectVersion(directory);
  if (project?.text !== undefined)
    return { ...readKubernetesVersion(project.text, `kubernetesVersion of ${project.file}`), source: "project" };
  return { minor: project === undefined ? KUBERNETES_MINOR : UNRECORDED_MINOR, note: undefined, source: "default" };
}

/** Returns the requested version as {@link requestedVersion} does, and prints its note on standard error, once in a process. */
export function announcedVersion(sources: VersionSources = {}): RequestedVersion {
  const requested = requestedVersion(sources);
  const { note } = requested;
  if (note !== undefined && !printed.has(note)) {
    printed.add(note);
    process.stderr.write(`${note}\n`);
  }
  return requested;
}

const printed = new Set<string>();

/** Compares the version that a server reports with one that was requested. Fails: {@link KubernetesVersionMismatchError}. */
export async function requireVersion(config: RestConfig, { minor, source }: RequestedVersion): Promise<void> {
  if (source === "default") return;
  const client = createRestClient(config);
  try {
    const { gitVersion } = await createDiscoveryClient(client).serverVersion();
    if (!gitVersion.startsWith(`v${minor}.`)) throw new KubernetesVersionMismatchError(minor, gitVersion, source);
  } finally {
    await client.close();
  }
}
