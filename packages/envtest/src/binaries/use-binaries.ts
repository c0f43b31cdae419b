import path from "node:path";

import { DownloadError } from "../failures/errors.ts";
import { addRelease, hasRelease, isSelectedPlatform, listReleases } from "./binary-store.ts";
import { download, requireSecure, type Fetch } from "./download.ts";
import { fetchReleaseIndex, printRelease, type Platform, type Release, type ReleaseArchive } from "./release-index.ts";
import { unpackArchive, verifyHash } from "./unpack-archive.ts";
import { compareVersions, isSelectedVersion, type VersionSelector } from "./version-selector.ts";

/** A request for binaries. */
export interface BinariesRequest {
  /** The version in the user's words, for messages. */
  readonly wanted: string;
  readonly selector: VersionSelector;
  /** The platform; `*` matches all. */
  readonly platform: Platform;
  /** The folder that contains a folder for each release. */
  readonly folder: string;
  readonly indexUrl: string;
  readonly installedOnly: boolean;
  readonly force: boolean;
  readonly verify: boolean;
  readonly fetch: Fetch;
  /** Receives the URLs that are downloaded. */
  readonly onDownload?: (url: string) => void;
}

/** Binaries on the disk. */
export interface UsedBinaries extends Release {
  /** The path of their folder. */
  readonly directory: string;
  /** The SHA-512 hash of the archive if the index was read. */
  readonly sha512?: string;
}

/**
 * Returns the binaries that a request selects, and downloads them if the folder has no match.
 *
 * The rules are those of setup-envtest: an exact version, and one that the folder has, are used without reading the index, unless `latest` or a final `!` requests
 * the newest.
 *
 * Fails: {@link DownloadError} when nothing matches, or the download fails.
 */
export async function useBinaries(request: BinariesRequest): Promise<UsedBinaries> {
  const { folder, force, installedOnly, wanted, platform } = request;
  const release = await chooseRelease(request);
  if (!force) {
    if (release.os === "*" || release.arch === "*") {
      throw new DownloadError(
        `cannot use version ${wanted} for ${printPlatform(platform)}: it selects several platforms`,
        {
          hint: "name one operating system and one architecture",
        },
      );
    }
    if (await hasRelease(folder, release)) return located(folder, release);
  }
  if (installedOnly) throw notInstalled(request);
  return await fetchRelease(release, request);
}

type Choice = Release & { readonly archive?: ReleaseArchive };

async function chooseRelease(request: BinariesRequest): Promise<Choice> {
  const { selector, platform, folder, force, installedOnly } = request;
  if (selector.kind === "exact") return { version: selector.version, ...platform };
  const stored = (await listReleases(folder)).find((release) => isRequested(request, release));
  if (installedOnly || !selector.isLatestWanted) {
    if (stored !== undefined) return stored;
    if (installedOnly) throw notInstalled(request);
  }
  const archive = (await readIndex(request)).find((each) => isRequested(request, each));
  if (archive === undefined) throw notInIndex(request);
  const isStoredNewer = stored !== undefined && compareVersions(stored.version, archive.version) > 0;
  return isStoredNewer && !force ? stored : { ...archive, archive };
}

function isRequested({ selector, platform }: BinariesRequest, release: Release): boolean {
  return isSelectedVersion(selector, release.version) && isSelectedPlatform(platform, release);
}

// The archives of upstream have less than a tenth of it.
const MOST_ARCHIVE_BYTES = 1024 ** 3;

async function fetchRelease(release: Choice, request: BinariesRequest): Promise<UsedBinaries> {
  const { folder, indexUrl, fetch, verify, onDownload } = request;
  const name = printRelease(release);
  const archive = release.archive ?? (await readIndex(request)).find((each) => printRelease(each) === name);
  if (archive === undefined) throw notInIndex(request);
  onDownload?.(archive.url);
  const bytes = await download(requireSecure(archive.url, indexUrl), fetch, { maxBytes: MOST_ARCHIVE_BYTES });
  if (verify) verifyHash(archive, bytes);
  await addRelease(folder, archive, async (staging) => unpackArchive([bytes], staging));
  return located(folder, { ...release, ...(verify ? { archive } : { archive: undefined }) });
}

async function readIndex({ indexUrl, fetch, onDownload }: BinariesRequest): Promise<readonly ReleaseArchive[]> {
  onDownload?.(indexUrl);
  return await fetchReleaseIndex(indexUrl, fetch);
}

function located(folder: string, release: Release & { readonly archive?: ReleaseArchive | undefined }): UsedBinaries {
  const { version, os, arch, archive } = release;
  const directory = path.join(folder, printRelease(release));
  return { version, os, arch, directory, ...(archive === undefined ? {} : { sha512: archive.sha512 }) };
}

function notInstalled({ wanted, platform, folder }: BinariesRequest): DownloadError {
  return new DownloadError(`cannot find binaries of version ${wanted} for ${printPlatform(platform)} in ${folder}`, {
    hint: "allow the download, or request another version",
  });
}

function notInIndex({ wanted, platform, indexUrl }: BinariesRequest): DownloadError {
  return new DownloadError(`cannot find binaries of version ${wanted} for ${printPlatform(platform)} in ${indexUrl}`, {
    hint: "request another version or platform",
  });
}

/** Formats a platform as in `linux/amd64`. */
export function printPlatform({ os, arch }: Platform): string {
  return `${os}/${arch}`;
}
