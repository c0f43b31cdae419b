import { readYaml } from "@kubescaffold/k8s/yaml";
import { isRecord } from "@kubescaffold/platform";

import { DownloadError } from "../failures/errors.ts";
import { download, type Fetch } from "./download.ts";
import { parseReleasedVersion, printVersion, type ReleasedVersion } from "./version-selector.ts";

/** The operating system and architecture of binaries, in Go's names. */
export interface Platform {
  /** The operating system: `linux`. */
  readonly os: string;
  /** The architecture: `amd64`. */
  readonly arch: string;
}

/** A downloadable archive. */
export interface ReleaseArchive extends Platform {
  /** The version of the binaries. */
  readonly version: ReleasedVersion;
  /** The URL of the archive. */
  readonly url: string;
  /** The SHA-512 hash in hexadecimal digits. */
  readonly sha512: string;
}

const ARCHIVE = /^envtest-v?(?<version>\d+\.\d+\.\d+)-(?<os>[a-z0-9]+)-(?<arch>[a-z0-9]+)\.tar\.gz$/u;

// Upstream's list has some 60 000 bytes.
const MOST_BYTES = 16 * 1024 ** 2;

/** Downloads the index of archives. Fails: {@link DownloadError} when it cannot be downloaded or parsed. */
export async function fetchReleaseIndex(url: string, fetch: Fetch): Promise<readonly ReleaseArchive[]> {
  const bytes = await download(url, fetch, { maxBytes: MOST_BYTES });
  const archives = parseReleaseIndex(new TextDecoder().decode(bytes));
  if (archives.length === 0) throw new DownloadError(`cannot read the list of binaries at ${url}: it is empty`);
  return archives;
}

/** Parses an index of archives; invalid entries are skipped. */
function parseReleaseIndex(text: string): readonly ReleaseArchive[] {
  const index = readYaml(text);
  return recordsIn(isRecord(index) ? index["releases"] : undefined).flatMap(([, archives]) =>
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

/** Formats a version and its platform as the name of a store folder. */
export function printRelease({ version, os, arch }: Platform & { readonly version: ReleasedVersion }): string {
  return `${printVersion(version)}-${os}-${arch}`;
}
