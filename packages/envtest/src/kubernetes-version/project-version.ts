import { readFileSync, statSync } from "node:fs";
import path from "node:path";

import { readYaml } from "@kubescaffold/k8s/yaml";
import { isRecord } from "@kubescaffold/platform";

const LAYOUT = "ts.kubescaffold.dev/";
const SECTION = "base.ts.kubescaffold.dev/v1";
const KEY = "kubernetesVersion";

/** The version of Kubernetes of a project, and the file that states it. */
export interface ProjectVersion {
  /** The text in the file; undefined where the file has none, which stands for 1.35. */
  readonly text: string | undefined;
  readonly file: string;
}

/** Returns the version of the project that a folder is in, by the nearest file PROJECT upward; undefined outside of projects of Kubescaffold. */
export function projectVersion(folder: string): ProjectVersion | undefined {
  const file = nearestProject(path.resolve(folder));
  const text = file === undefined ? undefined : readQuietly(file);
  if (file === undefined || text?.includes(LAYOUT) !== true) return undefined;
  // Most projects have no version, and their files need not be parsed.
  return { file, text: text.includes(KEY) ? recordedIn(text) : undefined };
}

function nearestProject(folder: string): string | undefined {
  for (let current = folder; ; current = path.dirname(current)) {
    const file = path.join(current, "PROJECT");
    if (isFile(file)) return file;
    if (current === path.dirname(current)) return undefined;
  }
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

function readQuietly(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

// Commands report the errors of a file that is not YAML.
function recordedIn(text: string): string | undefined {
  try {
    const project = readYaml(text);
    const plugins = isRecord(project) ? project["plugins"] : undefined;
    const section = isRecord(plugins) ? plugins[SECTION] : undefined;
    return isRecord(section) ? (section[KEY] as string | undefined) : undefined;
  } catch {
    return undefined;
  }
}
