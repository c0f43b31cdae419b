import path from "node:path";

import { KUBERNETES_MINOR, type KubernetesMinor, UNRECORDED_MINOR } from "@kubescaffold/k8s";

import { createDiskReader, pathKindSync } from "../../machinery/disk.ts";
import type { FileTree } from "../../machinery/file-tree.ts";
import { KUBERNETES_KEY, kubernetesVersionOf } from "../../project/kubernetes-version.ts";
import { PROJECT_FILE } from "../../project/project-config.ts";
import { parseProject } from "../../project/project-file.ts";
import { projectFolder } from "../session/project-folder.ts";

/** Where the minor version may be stated. */
interface VersionSources {
  /** The version of the flag, if it was given. */
  readonly flag?: KubernetesMinor | undefined;
  readonly root: string;
  readonly tree: FileTree;
}

/**
 * Returns the minor version of Kubernetes whose built-in structs generators use: that of the flag, or else of PROJECT in the folder or the nearest one above,
 * or else the default. The variable that selects the version of test servers is ignored: what is committed must not depend on which server tests it.
 *
 * Fails: `KubernetesVersionError` for an unsupported version in PROJECT.
 */
export function generatingVersion({ flag, root, tree }: VersionSources): KubernetesMinor {
  if (flag !== undefined) return flag;
  // A link may lead to a device, which has no end.
  if (!["file", "absent"].includes(pathKindSync(path.join(root, PROJECT_FILE)))) return KUBERNETES_MINOR;
  const text = tree.read(PROJECT_FILE) ?? createDiskReader(projectFolder(root)).read(PROJECT_FILE);
  // Another program's PROJECT may contain anything.
  if (text?.includes(LAYOUT) !== true) return KUBERNETES_MINOR;
  // Most projects have no version, and their files need not be parsed.
  return text.includes(KUBERNETES_KEY) ? kubernetesVersionOf(parseProject(text)) : UNRECORDED_MINOR;
}

const LAYOUT = "ts.kubescaffold.dev/";
