import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";

import { execa } from "execa";

import { ManagerBundleError } from "../../../image/errors.ts";
import type { Invocation } from "../../command/command.ts";
import { ExternalProgramError } from "../../command/errors.ts";

const SCRIPT = "hack/build.mjs";
const BUNDLE = "dist/manager.mjs";
const METAFILE = "dist/manager.meta.json";

/** The manager in one file, and what esbuild says of it. */
export interface ManagerBundle {
  readonly bytes: Uint8Array;
  /** Is absent where the build does not write it. */
  readonly metafile: string | undefined;
}

/** Bundles the manager of the project in the working folder. Fails: `ExternalProgramError`, after the errors were printed. */
export async function buildManager({ cwd, terminal }: Invocation): Promise<void> {
  if (!existsSync(path.join(cwd, SCRIPT))) {
    throw new ManagerBundleError(`cannot bundle the manager: there is no ${SCRIPT}`, {
      hint: `restore it from version control, or build ${BUNDLE} another way and pass --build=false`,
    });
  }
  // What an earlier build said must not be taken for what this one does.
  rmSync(path.join(cwd, METAFILE), { force: true });
  const { failed, stderr, stdout } = await execa(process.execPath, [SCRIPT], {
    cwd,
    env: environmentOfBuild(process.env),
    extendEnv: false,
    reject: false,
  });
  if (!failed) return;
  terminal.writeError(`${[stdout, stderr].filter(Boolean).join("\n")}\n`);
  throw new ExternalProgramError(`cannot bundle the manager: ${SCRIPT} failed`, {
    hint: "fix the errors above; `npm install` installs missing packages",
  });
}

// A build runs code of many packages, which must not see the password of the key that vouches for it.
function environmentOfBuild(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => name !== "COSIGN_PASSWORD"));
}

/** Reads what a build left. Fails: `ManagerBundleError` when there is no bundle. */
export function readManager(root: string): ManagerBundle {
  const file = path.join(root, BUNDLE);
  if (!existsSync(file)) {
    throw new ManagerBundleError(`cannot build an image without ${BUNDLE}`, {
      hint: `change ${SCRIPT} to write this file, or omit --build=false`,
    });
  }
  const metafile = path.join(root, METAFILE);
  return { bytes: readFileSync(file), metafile: existsSync(metafile) ? readFileSync(metafile, "utf8") : undefined };
}

/** Returns what is said when the packages in a bundle are not known. */
export function missingMetafile(): ManagerBundleError {
  return new ManagerBundleError(`cannot list the packages in the bundle: ${SCRIPT} did not write ${METAFILE}`, {
    hint: `build with \`metafile: true\` and write the metafile as JSON to ${METAFILE}, or pass --sbom=false`,
  });
}
