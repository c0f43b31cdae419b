import { readdirSync } from "node:fs";
import path from "node:path";

import type { EmbeddedClusterOptions } from "@kubescaffold/cluster";

import { ServerFlagError } from "../failures/errors.ts";
import { type ImageBehavior, readImageBehaviors } from "./image-behaviors.ts";
import { lastValue, type ServerFlags } from "./parse-flags.ts";

/** The meaning of the flags that kube-apiserver does not have. */
export interface ClusterFlags {
  readonly cluster: Pick<
    EmbeddedClusterOptions,
    "lifecycleControllers" | "workloadControllers" | "workloadSimulation" | "persist" | "restoreFrom"
  >;
  readonly images: readonly ImageBehavior[];
  /** The file for the kubeconfig of an administrator. */
  readonly kubeconfig: string | undefined;
  /** The file for the address of a server that is ready. */
  readonly readyFile: string | undefined;
}

/** Reads the flags of controllers, workloads, files, and snapshots, and the files that they name; writes nothing. Fails: {@link ServerFlagError}. */
export async function readClusterFlags(flags: ServerFlags): Promise<ClusterFlags> {
  const imagesFile = textOf(flags, "images");
  const simulatesPods = isOn(flags, "workloads") ?? imagesFile !== undefined;
  const runsControllers = isOn(flags, "controllers") ?? simulatesPods;
  if (imagesFile !== undefined && !simulatesPods) throw needs("images", "workloads");
  if (simulatesPods && !runsControllers) throw needs("workloads", "controllers");
  const [kubeconfig, readyFile] = [textOf(flags, "kubeconfig"), textOf(flags, "ready-file")];
  if (kubeconfig !== undefined && readyFile !== undefined && path.resolve(kubeconfig) === path.resolve(readyFile)) {
    throw new ServerFlagError(`cannot use ${kubeconfig} for both --kubeconfig and --ready-file`, {
      hint: "pass two files",
    });
  }
  return {
    cluster: {
      // An API server alone has none: they are parts of kube-controller-manager.
      lifecycleControllers: runsControllers,
      workloadControllers: runsControllers,
      workloadSimulation: simulatesPods,
      ...snapshotOptions(flags),
    },
    images: imagesFile === undefined ? [] : await readImageBehaviors(imagesFile),
    kubeconfig,
    readyFile,
  };
}

function snapshotOptions(flags: ServerFlags): Pick<EmbeddedClusterOptions, "persist" | "restoreFrom"> {
  const folder = textOf(flags, "snapshot");
  const isSaved = isOn(flags, "save-snapshot") === true;
  if (folder === undefined) {
    if (isSaved) throw needs("save-snapshot", "snapshot");
    return {};
  }
  if (isSaved) return { persist: folder };
  requireSnapshot(folder);
  return { restoreFrom: folder };
}

function requireSnapshot(folder: string): void {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    throw missingSnapshot((error as Error).message, error);
  }
  if (!names.some((name) => /^(?:snapshot|log)-\d+\.jsonl$/u.test(name))) {
    throw missingSnapshot(`${folder} contains none`);
  }
}

function missingSnapshot(why: string, cause?: unknown): ServerFlagError {
  return new ServerFlagError(`cannot read the snapshot of --snapshot: ${why}`, {
    hint: "add --save-snapshot to create one",
    cause,
  });
}

function needs(flag: string, needed: string): ServerFlagError {
  return new ServerFlagError(`cannot use --${flag} without --${needed}`, {
    hint: `add --${needed}, or remove --${flag}`,
  });
}

function textOf(flags: ServerFlags, name: string): string | undefined {
  const text = lastValue(flags, name);
  return text === "" ? undefined : text;
}

function isOn(flags: ServerFlags, name: string): boolean | undefined {
  const value = lastValue(flags, name);
  return value === undefined ? undefined : value === "true";
}
