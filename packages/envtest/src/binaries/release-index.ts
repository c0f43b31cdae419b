import { compareStrings, messageOf } from "@kubescaffold/k8s";
import { readYaml } from "@kubescaffold/k8s/yaml";
import { isRecord } from "@kubescaffold/platform";

import { DownloadError } from "../failures/errors.ts";
import { download, type Fetch } from "./download.ts";
import { compareVersions, parseReleasedVersion, printVersion, type ReleasedVersion } from "./version-selector.ts";

/** The operating system and architecture of binaries, in Go's names. */
export interface Platform {
  /** The operating system: `linux`. */
  readonly os: string;
  /** The architecture: `amd64`. */
  readonly arch: string;
}

/** Binaries of a version for a platform. */
export interface Release extends Platform {
  /** The version of the binaries. */
  readonly version: ReleasedVersion;
}

/** A downloadable archive. */
export interface ReleaseArchive extends Release {
  /** The URL of the archive. */
  readonly url: string;
  /** The SHA-512 hash in hexadecimal digits. */
  readonly sha512: string;
}

const ARCHIVE = /^envtest-v(?<version>\d+\.\d+\.\d+)-(?<os>[a-zA-Z0-9_]+)-(?<arch>[a-zA-Z0-9_]+)\.tar\.gz$/u;

// Upstream's list has some 60 000 bytes.
const MOST_BYTES = 16 * 1024 ** 2;

/** Downloads the index of archives, newest first, then by platform. Fails: {@link DownloadError} when it cannot be downloaded or parsed. */
export async function fetchReleaseIndex(url: string, fetch: Fetch): Promise<readonly ReleaseArchive[]> {
  const bytes = await download(url, fetch, { maxBytes: MOST_BYTES });
  const archives = parseReleaseIndex(new TextDecoder().decode(bytes), url);
  return archives.toSorted((a, b) => compareVersions(b.version, a.version) || comparePlatforms(a, b));
}

function parseReleaseIndex(text: string, url: string): readonly ReleaseArchive[] {
  const index = readIndex(text, url);
  if (!isRecord(index) || !isRecord(index["releases"])) {
    throw new DownloadError(`cannot read the index of binaries at ${url}: it has no mapping "releases"`, {
      hint: "use the URL of an index in the format of setup-envtest",
    });
  }
  // Invalid entries are skipped.
  return recordsIn(index["releases"]).flatMap(([, archives]) =>
    recordsIn(archives).flatMap(([name, { hash, selfLink }]) => {
      const { version, os, arch } = ARCHIVE.exec(name)?.groups ?? {};
      const parsed = parseReleasedVersion(version ?? "");
      if (
        parsed === undefined ||
        os === undefined ||
        arch === undefined ||
        typeof hash !== "string" ||
        typeof selfLink !== "string"
      )
        return [];
      return [{ version: parsed, os, arch, url: selfLink, sha512: hash.toLowerCase() }];
    }),
  );
}

function readIndex(text: string, url: string): unknown {
  try {
    return readYaml(text);
  } catch (cause) {
    throw new DownloadError(`cannot read the index of binaries at ${url}: ${messageOf(cause)}`, { cause });
  }
}

function recordsIn(value: unknown): readonly (readonly [string, Readonly<Record<string, unknown>>])[] {
  return Object.entries(isRecord(value) ? value : {}).flatMap(([name, entry]) =>
    isRecord(entry) ? [[name, entry] as const] : [],
  );
}

/** Returns the platform of this machine. */
export function currentPlatform(): Platform {
  const os = process.platform === "win32" ? "windows" : process.platform;
  const arch = { x64: "amd64", ia32: "386" }[process.arch as string] ?? process.arch;
  return { os, arch };
}

/** Orders platforms by operating system, then by architecture. */
export function comparePlatforms(a: Platform, b: Platform): number {
  return compareStrings(a.os, b.os) || compareStrings(a.arch, b.arch);
}

/** Formats a version and its platform as the name of a store folder. */
export function printRelease({ version, os, arch }: Release): string {
  return `${printVersion(version)}-${os}-${arch}`;
}
