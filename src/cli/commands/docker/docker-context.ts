import { copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

import { makeFolder } from "@kubescaffold/platform/files";

import { requireOwnTarget } from "../../../machinery/commit/project-paths.ts";
import { realDisk } from "../../../machinery/disk.ts";
import { withoutByteOrderMark } from "../../../machinery/file-tree.ts";
import type { Invocation } from "../../command/command.ts";
import { DeployError } from "../../command/errors.ts";
import { readProgram } from "../../programs/run-program.ts";
import { uninterrupted } from "../../programs/uninterrupted.ts";

const TARGET = "dist/docker-context";

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/**
 * Packs the dependencies by path of the project in the working folder into `dist/docker-context`, with a package.json that names the tarballs and
 * keeps only the bundler of the development dependencies.
 *
 * Guarantees: a folder of an earlier run is removed; after a failure or a signal there is none. Fails: {@link DeployError}, `InterruptedError`, `SymbolicLinkError`,
 * `ExternalProgramError` of npm.
 */
export async function writeDockerContext(invocation: Invocation): Promise<void> {
  const folder = path.join(invocation.cwd, TARGET);
  await requireOwnTarget(realDisk, invocation.cwd, folder);
  rmSync(folder, { recursive: true, force: true });
  const manifest = readManifest(invocation.cwd);
  const local = Object.entries(manifest.dependencies ?? {}).filter(([, spec]) => spec.startsWith("file:"));
  if (local.length === 0) return;
  try {
    const packed = await uninterrupted(async () => await packAll(invocation, local));
    const esbuild = manifest.devDependencies?.["esbuild"];
    const context = {
      ...manifest,
      dependencies: { ...manifest.dependencies, ...packed },
      devDependencies: esbuild === undefined ? {} : { esbuild },
    };
    writeFileSync(path.join(folder, "package.json"), `${JSON.stringify(context, undefined, 2)}\n`);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  const count = local.length === 1 ? "1 package" : `${String(local.length)} packages`;
  invocation.terminal.writeError(`packed ${count} into ${TARGET}\n`);
}

function readManifest(root: string): Manifest {
  try {
    return JSON.parse(withoutByteOrderMark(readFileSync(path.join(root, "package.json"), "utf8"))) as Manifest;
  } catch (cause) {
    throw new DeployError("cannot read package.json: it does not exist or is not JSON", {
      hint: "fix it, or restore it from version control",
      cause,
    });
  }
}

async function packAll(
  invocation: Invocation,
  local: readonly (readonly [name: string, spec: string])[],
): Promise<Readonly<Record<string, string>>> {
  const packed: Record<string, string> = {};
  for (const [name, spec] of local) packed[name] = await packPackage(invocation, spec.slice("file:".length));
  return packed;
}

async function packPackage(invocation: Invocation, spec: string): Promise<string> {
  const source = path.resolve(invocation.cwd, spec);
  const folder = path.join(invocation.cwd, TARGET, "packages");
  makeFolder(folder);
  if (isFile(source)) {
    copyFileSync(source, path.join(folder, path.basename(source)));
    return `file:packages/${path.basename(source)}`;
  }
  const output = await readProgram(
    { name: "npm", hint: "install npm, which is part of Node.js" },
    ["pack", "--json", "--ignore-scripts", "--pack-destination", folder],
    { invocation: { ...invocation, cwd: source } },
  );
  return `file:packages/${packedName(output)}`;
}

function isFile(source: string): boolean {
  const status = statSync(source, { throwIfNoEntry: false });
  if (status !== undefined) return status.isFile();
  throw new DeployError(`cannot pack the dependency ${source}: no such file or folder`, {
    hint: "fix its path in package.json, then run `npm install`",
  });
}

// npm prints an array of packages, or since version 12 an object of them.
function packedName(output: string): string {
  const report = JSON.parse(output) as readonly Packed[] | Readonly<Record<string, Packed>>;
  return Object.values(report)[0]?.filename ?? "";
}

interface Packed {
  readonly filename: string;
}
