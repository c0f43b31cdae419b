import { type KubernetesMinor, readKubernetesVersion, UNRECORDED_MINOR } from "@kubescaffold/k8s";

import { baseSection, type ProjectConfig, withBaseSection } from "./project-config.ts";

/** The key of the minor version of Kubernetes in the section of the default plugin. */
export const KUBERNETES_KEY = "kubernetesVersion";

/** Returns the minor version of Kubernetes that a project is developed for. Fails: `KubernetesVersionError`. */
export function kubernetesVersionOf(project: ProjectConfig): KubernetesMinor {
  const text = baseSection(project)[KUBERNETES_KEY];
  return text === undefined
    ? UNRECORDED_MINOR
    : readKubernetesVersion(text as string, `${KUBERNETES_KEY} of PROJECT`).minor;
}

/** Returns the project with a record of its minor version of Kubernetes; that of projects without a record is not recorded. */
export function withKubernetesVersion(project: ProjectConfig, minor: KubernetesMinor): ProjectConfig {
  const { [KUBERNETES_KEY]: _, ...others } = baseSection(project);
  return withBaseSection(project, minor === UNRECORDED_MINOR ? others : { ...others, [KUBERNETES_KEY]: minor });
}
