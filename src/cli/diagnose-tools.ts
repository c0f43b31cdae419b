import { existsSync } from "node:fs";
import path from "node:path";

import type { FileTree } from "../machinery/file-tree.ts";
import { type ProjectConfig, PROJECT_FILE } from "../project/project-config.ts";
import type { Finding } from "./diagnose-project.ts";

/** What is compared besides the files that were scaffolded. */
export interface ToolSurroundings {
  readonly root: string;
  readonly project: ProjectConfig;
  readonly tree: FileTree;
  /** The version of this program. */
  readonly version: string;
  readonly nodeVersion: string;
  /** Says whether there is a program of this name. */
  readonly hasProgram: (name: string) => boolean;
}

const LEAST_NODE = [20, 19];

/** Looks at Node, the installed packages, the recorded version and the programs that targets of the Makefile need. */
export function diagnoseTools(surroundings: ToolSurroundings): readonly Finding[] {
  return [
    ...oldNode(surroundings),
    ...notInstalled(surroundings),
    ...otherVersion(surroundings),
    ...missingPrograms(surroundings),
  ];
}

function oldNode({ nodeVersion }: ToolSurroundings): readonly Finding[] {
  const [major = 0, minor = 0] = nodeVersion.replace(/^v/u, "").split(".").map(Number);
  const [leastMajor = 0, leastMinor = 0] = LEAST_NODE;
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return [];
  return [
    {
      severity: "error",
      path: "",
      message: `Node ${nodeVersion} is too old`,
      hint: `install Node ${LEAST_NODE.join(".")} or later`,
    },
  ];
}

function notInstalled({ root, tree }: ToolSurroundings): readonly Finding[] {
  if (!tree.exists("package.json") || existsSync(path.join(root, "node_modules"))) return [];
  return [
    { severity: "note", path: "node_modules", message: "the dependencies are not installed", hint: "run npm install" },
  ];
}

function otherVersion({ project, version }: ToolSurroundings): readonly Finding[] {
  if (project.cliVersion === undefined || project.cliVersion === version) return [];
  return [
    {
      severity: "note",
      path: PROJECT_FILE,
      message: `the project was scaffolded by version ${project.cliVersion}, and this is version ${version}`,
      hint: "nothing to do: what is added now comes from this version",
    },
  ];
}

const PROGRAMS: readonly (readonly [name: string, use: string])[] = [
  ["git", "to see what commands change"],
  ["kubectl", "for make install, deploy and their inverses"],
  ["docker", "for make docker-build; CONTAINER_TOOL names another program"],
  ["kind", "for make test-e2e"],
];

function missingPrograms({ hasProgram }: ToolSurroundings): readonly Finding[] {
  return PROGRAMS.filter(([name]) => !hasProgram(name)).map(([name, use]) => ({
    severity: "note",
    path: "",
    message: `the program ${name} is not on the PATH`,
    hint: `it is needed ${use}`,
  }));
}
