import { chmod, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";

import { messageOf } from "@kubescaffold/k8s";
import { makeFolder } from "@kubescaffold/platform/files";

import { DownloadError } from "../failures/errors.ts";
import { comparePlatforms, printRelease, type Platform, type Release } from "./release-index.ts";
import { compareVersions, parseReleasedVersion } from "./version-selector.ts";

/** A complete folder of binaries. */
export interface StoredRelease extends Release {
  /** The path of the folder. */
  readonly directory: string;
}

/** Returns the store folder of setup-envtest on this system. */
export function defaultStoreDirectory(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const home = env["HOME"] || homedir();
  if (process.platform === "darwin") return path.join(home, "Library", "Application Support", "io.kubebuilder.envtest");
  if (process.platform === "win32") return path.join(env["LocalAppData"] ?? home, "kubebuilder-envtest");
  return path.join(env["XDG_DATA_HOME"] || path.join(home, ".local", "share"), "kubebuilder-envtest");
}

/** Returns the folder of a store that contains a folder for each release. */
export function releasesFolder(storeDirectory: string): string {
  return path.join(storeDirectory, "k8s");
}

const STORED =
  /^(?<version>(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*))-(?<os>[a-zA-Z0-9_]+)-(?<arch>[a-zA-Z0-9_]+)$/u;

/** Returns the release that the name of a folder states, such as `1.37.2-linux-amd64`; undefined for other names. */
export function releaseOfName(name: string): Release | undefined {
  const { version, os, arch } = STORED.exec(name)?.groups ?? {};
  const parsed = parseReleasedVersion(version ?? "");
  return parsed === undefined || os === undefined || arch === undefined ? undefined : { version: parsed, os, arch };
}

/** Returns the releases in a folder, newest first, then by platform; none if it does not exist. Fails: {@link DownloadError} if it cannot be read. */
export async function listReleases(folder: string): Promise<readonly StoredRelease[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw diskFailure("read", folder, error);
  });
  return entries
    .flatMap((entry) => {
      const release = entry.isDirectory() ? releaseOfName(entry.name) : undefined;
      return release === undefined ? [] : [{ ...release, directory: path.join(folder, entry.name) }];
    })
    .sort((a, b) => compareVersions(b.version, a.version) || comparePlatforms(a, b));
}

/** Reports whether a folder has a release. */
export async function hasRelease(folder: string, release: Release): Promise<boolean> {
  return (await stat(path.join(folder, printRelease(release))).catch(() => undefined)) !== undefined;
}

/** Writes programs into a new folder, and returns the names of the files. */
export type FillFolder = (folder: string) => Promise<readonly string[]>;

/**
 * Adds a release to a folder of releases, or replaces it, and returns its own folder, which is read-only like those of setup-envtest.
 *
 * Guarantees: the complete folder appears atomically; two processes may do this concurrently; a failure leaves nothing behind, and keeps what was there.
 * Fails: {@link DownloadError} when the files cannot be written, or contain no kube-apiserver; with the errors of `fill`.
 */
export async function addRelease(folder: string, release: Release, fill: FillFolder): Promise<string> {
  const staging = await writing(folder, async () => {
    makeFolder(folder);
    return await mkdtemp(path.join(folder, ".unpacking-"));
  });
  try {
    const names = await fill(staging);
    if (!names.some((name) => name === "kube-apiserver" || name === "kube-apiserver.exe"))
      throw new DownloadError(`cannot add ${printRelease(release)} to ${folder}: the archive has no kube-apiserver`, {
        hint: "use an archive of kube-apiserver, etcd, and kubectl",
      });
    return await writing(folder, async () => putInPlace(staging, path.join(folder, printRelease(release))));
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Removes a stored release. Fails: {@link DownloadError} when its folder cannot be removed. */
export async function removeRelease({ directory }: StoredRelease): Promise<void> {
  try {
    await removeFolder(directory);
  } catch (error) {
    throw diskFailure("remove", directory, error);
  }
}

async function putInPlace(staging: string, target: string): Promise<string> {
  try {
    await rename(staging, target);
  } catch (error) {
    // Another process was faster, or the release is replaced.
    if (!(await stat(target).catch(() => undefined))) throw error;
    await removeFolder(target);
    await rename(staging, target);
  }
  await chmod(target, 0o555);
  return target;
}

// The folders of releases are read-only.
async function removeFolder(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  await rm(folder, { recursive: true, force: true });
}

async function writing<T>(folder: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw diskFailure("write to", folder, error);
  }
}

/** Returns the error of a failed operation on the disk. */
export function diskFailure(action: string, file: string, cause: unknown): DownloadError {
  const isFull = cause instanceof Error && "code" in cause && (cause.code === "ENOSPC" || cause.code === "EDQUOT");
  const hint = isFull ? "free some space, or use another folder" : "check the permissions, or use another folder";
  return new DownloadError(`cannot ${action} ${file}: ${isFull ? "the disk is full" : messageOf(cause)}`, {
    cause,
    hint,
  });
}

/** Reports whether a platform is selected; `*` selects all. */
export function isSelectedPlatform(selected: Platform, { os, arch }: Platform): boolean {
  return (selected.os === "*" || selected.os === os) && (selected.arch === "*" || selected.arch === arch);
}
