import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { pipeline, Readable, Transform } from "node:stream";
import { pipeline as pipelineDone } from "node:stream/promises";
import { createGunzip } from "node:zlib";

import { makeFolder } from "@kubescaffold/platform/files";
import { extract } from "tar-stream";

import { DownloadError } from "../failures/errors.ts";
import { printRelease, type Platform, type ReleaseArchive } from "./release-index.ts";
import { parseReleasedVersion, type ReleasedVersion } from "./version-selector.ts";

/** A complete folder of binaries. */
export interface StoredRelease extends Platform {
  /** The version of the binaries. */
  readonly version: ReleasedVersion;
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

/** Returns the releases of a store. */
export async function listStore(storeDirectory: string): Promise<readonly StoredRelease[]> {
  const folder = path.join(storeDirectory, "k8s");
  const names = await readdir(folder).catch(() => []);
  return names.flatMap((name) => {
    const { version, os, arch } = /^(?<version>[\d.]+)-(?<os>[a-z0-9]+)-(?<arch>[a-z0-9]+)$/u.exec(name)?.groups ?? {};
    const parsed = parseReleasedVersion(version ?? "");
    return parsed === undefined || os === undefined || arch === undefined
      ? []
      : [{ version: parsed, os, arch, directory: path.join(folder, name) }];
  });
}

/**
 * Unpacks an archive into a store and returns the folder.
 *
 * Guarantees: the complete folder appears atomically; two processes may do this concurrently.
 * Fails: {@link DownloadError} when the archive does not match its hash, or contains no kube-apiserver.
 */
export async function addToStore({
  storeDirectory,
  archive,
  bytes,
  verify = true,
}: {
  readonly storeDirectory: string;
  readonly archive: ReleaseArchive;
  readonly bytes: Uint8Array;
  /** Checks the archive against its hash in the index; on unless switched off. */
  readonly verify?: boolean;
}): Promise<string> {
  if (verify) verifyHash(archive, bytes);
  const folder = path.join(storeDirectory, "k8s");
  makeFolder(folder);
  const staging = await mkdtemp(path.join(folder, ".unpacking-"));
  try {
    const programs = await unpack(bytes, staging);
    if (!programs.some((name) => name.startsWith("kube-apiserver")))
      throw new DownloadError(`cannot use ${archive.url}: it contains no kube-apiserver`);
    return await putInPlace(staging, path.join(folder, printRelease(archive)));
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

function verifyHash({ url, sha512 }: ReleaseArchive, bytes: Uint8Array): void {
  const actual = createHash("sha512").update(bytes).digest("hex");
  if (actual !== sha512)
    throw new DownloadError(`cannot use ${url}: its SHA-512 is ${actual}, but the index has ${sha512}`);
}

// Only regular files are unpacked, by base name: the folders in archives have changed over time, and no path can escape.
async function unpack(bytes: Uint8Array, folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  const archive = extract();
  archive.on("entry", (header, stream, next) => {
    const name = path.posix.basename(header.name);
    if (header.type !== "file" || name === "" || name.startsWith(".")) {
      stream.resume();
      stream.on("end", next);
      return;
    }
    names.push(name);
    pipeline(stream, createWriteStream(path.join(folder, name), { mode: 0o755 }), next);
  });
  try {
    await pipelineDone(Readable.from([bytes]), createGunzip(), limitLength(), archive);
  } catch (cause) {
    if (cause instanceof DownloadError) throw cause;
    throw new DownloadError("cannot unpack the archive of binaries", { cause });
  }
  return names;
}

// Zeros shrink to a thousandth: a small archive could fill a disk.
const MOST_UNPACKED_BYTES = 4 * 1024 ** 3;

function limitLength(): Transform {
  let length = 0;
  return new Transform({
    transform: (part: Uint8Array, _, done) => {
      length += part.byteLength;
      const isTooLong = length > MOST_UNPACKED_BYTES;
      done(isTooLong ? new DownloadError("cannot unpack the archive of binaries: it is too large") : null, part);
    },
  });
}

async function putInPlace(staging: string, target: string): Promise<string> {
  try {
    await rename(staging, target);
  } catch (error) {
    // Another process was faster, or the folder is replaced with `force`.
    if (!(await stat(target).catch(() => undefined))) throw error;
    await rm(target, { recursive: true, force: true });
    await rename(staging, target);
  }
  return target;
}
