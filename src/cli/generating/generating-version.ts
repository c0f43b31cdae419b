import {
  KUBERNETES_MINOR,
  KUBERNETES_VERSION_VARIABLE,
  type KubernetesMinor,
  readKubernetesVersion,
  UNRECORDED_MINOR,
} from "@kubescaffold/k8s";

import { createDiskReader } from "../../machinery/disk.ts";
import type { FileTree } from "../../machinery/file-tree.ts";
import { KUBERNETES_KEY, kubernetesVersionOf } from "../../project/kubernetes-version.ts";
import { PROJECT_FILE } from "../../project/project-config.ts";
import { parseProject } from "../../project/project-file.ts";
import type { Terminal } from "../command/terminal.ts";
import { projectFolder } from "../session/project-folder.ts";

/** Where the minor version may be stated. */
interface VersionSources {
  /** The version of the flag, if it was given. */
  readonly flag?: KubernetesMinor | undefined;
  readonly root: string;
  readonly tree: FileTree;
  readonly terminal: Pick<Terminal, "writeError">;
}

/**
 * Returns the minor version of Kubernetes whose built-in structs generators use: that of the flag, or else of `KUBESCAFFOLD_KUBERNETES_VERSION`, or else
 * of PROJECT in the folder or the nearest one above, or else the default.
 *
 * Fails: `KubernetesVersionError` for the first of them that exists.
 */
export function generatingVersion({ flag, root, tree, terminal }: VersionSources): KubernetesMinor {
  if (flag !== undefined) return flag;
  const variable = process.env[KUBERNETES_VERSION_VARIABLE];
  if (variable) {
    const { minor, note } = readKubernetesVersion(variable, KUBERNETES_VERSION_VARIABLE);
    if (note !== undefined) terminal.writeError(`note: ${note}\n`);
    return minor;
  }
  const text = tree.read(PROJECT_FILE) ?? createDiskReader(projectFolder(root)).read(PROJECT_FILE);
  // Another program's PROJECT may contain anything.
  if (text?.includes(LAYOUT) !== true) return KUBERNETES_MINOR;
  // Most projects have no version, and their files need not be parsed.
  return text.includes(KUBERNETES_KEY) ? kubernetesVersionOf(parseProject(text)) : UNRECORDED_MINOR;
}

const LAYOUT = "ts.kubescaffold.dev/";
