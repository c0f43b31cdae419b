import { readYaml } from "@kubescaffold/k8s/yaml";

import { DownloadError, messageOf } from "../errors.ts";
import { parseReleasedVersion, printVersion, type ReleasedVersion } from "./version-selector.ts";

/** Fetches over the network; the web's own by default. */
export type Fetch = (url: string) => Promise<Response>;

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

/** Downloads the list of archives. Fails: {@link DownloadError} when it cannot be reached or read. */
export async function fetchReleaseIndex(url: string, fetch: Fetch): Promise<readonly ReleaseArchive[]> {
  const response = await fetchOk(url, fetch);
  const archives = parseReleaseIndex(await response.text());
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

/** Returns a good answer. Fails: {@link DownloadError} for every other. */
export async function fetchOk(url: string, fetch: Fetch): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url);
  } catch (cause) {
    throw new DownloadError(`cannot download ${url}: ${messageOf(cause)}`, {
      cause,
      hint: "without a network use the embedded backend, or set KUBEBUILDER_ASSETS to a folder with the binaries",
    });
  }
  if (!response.ok)
    throw new DownloadError(
      `cannot download ${url}: the answer is ${String(response.status)} ${response.statusText}`.trimEnd(),
    );
  return response;
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
