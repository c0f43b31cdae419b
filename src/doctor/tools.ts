import { existsSync } from "node:fs";
import path from "node:path";

import { withoutByteOrderMark, type FileTree } from "../machinery/file-tree.ts";
import { EXACT_VERSION_RULE, readExactVersion } from "../project/exact-version.ts";
import { installedPackage } from "../project/installed-package.ts";
import { detectPackageManager, packageManagerOf } from "../project/package-manager.ts";
import { BASE_SECTION, type ProjectConfig, PROJECT_FILE } from "../project/project-config.ts";
import type { Finding } from "./project-files.ts";

/** What is compared besides the files that were scaffolded. */
export interface ToolSurroundings {
  readonly root: string;
  readonly project: ProjectConfig;
  readonly tree: FileTree;
  /** The version of this program. */
  readonly version: string;
  readonly nodeVersion: string;
  /** Reports whether there is a program of this name. */
  readonly hasProgram: (name: string) => boolean;
}

const LEAST_NODE = [20, 19];

/** Looks at Node, the installed packages, the recorded version and the programs that targets of the Makefile need. */
export function diagnoseTools(surroundings: ToolSurroundings): readonly Finding[] {
  return [
    ...oldNode(surroundings),
    ...notNamed(surroundings),
    ...notInstalled(surroundings),
    ...otherVersion(surroundings),
    ...otherManager(surroundings),
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
      message: `Node ${nodeVersion} is not supported`,
      hint: `install Node ${LEAST_NODE.join(".")} or later`,
    },
  ];
}

// What cmd/main.ts and the scripts of the project cannot do without.
const NEEDED = ["@kubescaffold/k8s", "@kubescaffold/runtime", "kubescaffold"];

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

function notNamed({ tree }: ToolSurroundings): readonly Finding[] {
  const manifest = tree.exists("cmd/main.ts") ? readManifest(tree.read("package.json")) : undefined;
  if (manifest === undefined) return [];
  if (typeof manifest !== "object" || manifest === null) {
    return [
      {
        severity: "error",
        path: "package.json",
        message: "it is not a JSON object",
        hint: "fix it, or restore it from version control",
      },
    ];
  }
  const named = { ...manifest.dependencies, ...manifest.devDependencies };
  const missing = NEEDED.filter((name) => named[name] === undefined);
  if (missing.length === 0) return [];
  return [
    {
      severity: "error",
      path: "package.json",
      message: `the project does not depend on ${missing.join(", ")}`,
      hint: "add the dependencies that `npx kubescaffold init --dry-run` prints in an empty folder, then run npm install",
    },
  ];
}

// Nothing when there is no such file, null when it cannot be read as one.
function readManifest(text: string | undefined): Manifest | null | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(withoutByteOrderMark(text)) as Manifest);
  } catch {
    return null;
  }
}

function notInstalled({ root, tree }: ToolSurroundings): readonly Finding[] {
  const isInstalled =
    existsSync(path.join(root, "node_modules")) || installedPackage(root, "@kubescaffold/runtime") !== undefined;
  if (!tree.exists("package.json") || isInstalled) return [];
  return [
    { severity: "note", path: "node_modules", message: "the dependencies are not installed", hint: "run npm install" },
  ];
}

function otherVersion({ project, version }: ToolSurroundings): readonly Finding[] {
  if (project.cliVersion === undefined || project.cliVersion === version) return [];
  if (readExactVersion(project.cliVersion) === undefined) {
    return [
      {
        severity: "error",
        path: PROJECT_FILE,
        message: `cliVersion is ${JSON.stringify(project.cliVersion)}: ${EXACT_VERSION_RULE}`,
        hint: "set the version that scaffolded the project, which `scaffold alpha update` starts from",
      },
    ];
  }
  return [
    {
      severity: "note",
      path: PROJECT_FILE,
      message: `the project was scaffolded by version ${project.cliVersion}, and this is version ${version}`,
      hint: "no action required: new files come from this version",
    },
  ];
}

// Whoever changes the package manager by hand is left with files that call the other one.
function otherManager({ project, tree }: ToolSurroundings): readonly Finding[] {
  const recorded = packageManagerOf(project);
  const found = detectPackageManager({ read: (file) => tree.read(file), exists: (file) => tree.exists(file) });
  if (found.name === recorded.name) return [];
  return [
    {
      severity: "note",
      path: PROJECT_FILE,
      message: `package.json or the lock file is of ${found.name}, but the project was scaffolded for ${recorded.name}`,
      hint: `the Makefile, Dockerfile, and workflows call ${recorded.name}: change them, and packageManager of plugins.${BASE_SECTION} in PROJECT`,
    },
  ];
}

const PROGRAMS: readonly (readonly [name: string, use: string])[] = [
  ["git", "to see what commands change"],
  ["kubectl", "for make install, deploy and their inverses"],
  ["docker", "for make docker-build; CONTAINER_TOOL names another program"],
  ["kind", "for make test-e2e"],
];

function missingPrograms({ project, hasProgram }: ToolSurroundings): readonly Finding[] {
  const { name: manager } = packageManagerOf(project);
  const own = [[manager, "to install packages and to run scripts"] as const];
  // npm is part of Node.js.
  return [...(manager === "npm" ? [] : own), ...PROGRAMS]
    .filter(([name]) => !hasProgram(name))
    .map(([name, use]) => ({
      severity: "note",
      path: "",
      message: `the program ${name} is not on the PATH`,
      hint: `install it; it is needed ${use}`,
    }));
}
