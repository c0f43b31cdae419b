import { readYaml } from "@kubescaffold/k8s/yaml";

import { DownloadError } from "../errors.ts";
import { download, type Fetch } from "./download.ts";
import { parseReleasedVersion, printVersion, type ReleasedVersion } from "./version-selector.ts";

/** For which machine binaries are made, in Go's words. */
export interface Platform {
  readonly os: string;
  readonly arch: string;
}

/** An archive that can be downloaded. */
export interface ReleaseArchive extends Platform {
  readonly version: ReleasedVersion;
  readonly url: string;
  /** SHA-512 in hexadecimal digits. */
  readonly sha512: string;
}

const ARCHIVE = /^envtest-v?(?<version>\d+\.\d+\.\d+)-(?<os>[a-z0-9]+)-(?<arch>[a-z0-9]+)\.tar\.gz$/u;

// Upstream's list has some 60 000 bytes.
const MOST_BYTES = 16 * 1024 ** 2;

/** Downloads the list of archives. Fails: {@link DownloadError} when it cannot be reached or read. */
export async function fetchReleaseIndex(url: string, fetch: Fetch): Promise<readonly ReleaseArchive[]> {
  const bytes = await download(url, fetch, { maxBytes: MOST_BYTES });
  const archives = parseReleaseIndex(new TextDecoder().decode(bytes));
  if (archives.length === 0) throw new DownloadError(`cannot read the list of binaries at ${url}: it names none`);
  return archives;
}

/** Reads a list of archives; entries that are none are left out. */
function parseReleaseIndex(text: string): readonly ReleaseArchive[] {
  const { releases = {} } = (readYaml(text) ?? {}) as {
    readonly releases?: Readonly<
      Record<string, Readonly<Record<string, { readonly hash?: unknown; readonly selfLink?: unknown }>>>
    >;
  };
  return Object.values(releases).flatMap((archives) =>
    Object.entries(archives).flatMap(([name, { hash, selfLink }]) => {
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

/** Returns this machine's platform. */
export function currentPlatform(): Platform {
  const os = process.platform === "win32" ? "windows" : process.platform;
  const arch = { x64: "amd64", ia32: "386" }[process.arch as string] ?? process.arch;
  return { os, arch };
}

/** Prints a version and its platform as stores name folders. */
export function printRelease({ version, os, arch }: Platform & { readonly version: ReleasedVersion }): string {
  return `${printVersion(version)}-${os}-${arch}`;
}
