import { DownloadError } from "../errors.ts";
import { addToStore, defaultStoreDirectory, listStore, type StoredRelease } from "./binary-store.ts";
import { download, requireSecure, type Fetch } from "./download.ts";
import { currentPlatform, fetchReleaseIndex, printRelease, type Platform } from "./release-index.ts";
import { compareVersions, parseVersionSelector, selectVersion, type VersionSelector } from "./version-selector.ts";

/** Which binaries are wanted and where they are kept. */
export interface SetupBinariesOptions {
  /** setup-envtest's grammar: `1.31.2`, `1.31.x`, `~1.31.1`, `<1.31`, `latest`, `latest-on-disk`, with `!` to ask the index; `latest` by default. */
  readonly version?: string;
  readonly platform?: Platform;
  readonly storeDirectory?: string;
  /** Where the list of archives is. */
  readonly indexUrl?: string;
  /** Uses what is in the store and never the network. */
  readonly installedOnly?: boolean;
  /** Downloads again what is in the store. */
  readonly force?: boolean;
  /** Checks archives against the hashes of the index; on unless switched off. */
  readonly verify?: boolean;
  readonly fetch?: Fetch;
}

/** The list that upstream publishes. */
export const DEFAULT_INDEX_URL: string =
  "https://raw.githubusercontent.com/kubernetes-sigs/controller-tools/HEAD/envtest-releases.yaml";

/**
 * Returns a folder with kube-apiserver, etcd and kubectl of a version, downloaded when the store has none that fits: what setup-envtest does.
 *
 * Fails: EnvironmentOptionsError for a version that is none; {@link DownloadError} when nothing fits or the network fails.
 *
 * @example
 * const binaryAssetsDirectory = await setupBinaries({ version: "1.35.x" });
 * const environment = new Environment({ backend: "binaries", binaryAssetsDirectory });
 */
export async function setupBinaries(options: SetupBinariesOptions = {}): Promise<string> {
  const {
    version = "latest",
    installedOnly = false,
    force = false,
    storeDirectory = defaultStoreDirectory(),
  } = options;
  const selector = parseVersionSelector(version);
  const platform = options.platform ?? currentPlatform();
  const isDiskEnough = installedOnly || selector.kind === "latest-on-disk" || !(selector.isLatestWanted || force);
  const stored = await findStored(storeDirectory, selector, platform);
  if (isDiskEnough && stored !== undefined) return stored.directory;
  if (installedOnly || selector.kind === "latest-on-disk") {
    throw new DownloadError(
      `cannot find binaries of version ${version} for ${platform.os}/${platform.arch} in ${storeDirectory}`,
      { hint: "allow the download, or ask for another version" },
    );
  }
  return downloadRelease({ ...options, storeDirectory, platform, selector, version });
}

async function findStored(
  storeDirectory: string,
  selector: VersionSelector,
  { os, arch }: Platform,
): Promise<StoredRelease | undefined> {
  const fitting = (await listStore(storeDirectory)).filter((release) => release.os === os && release.arch === arch);
  const version = selectVersion(
    selector,
    fitting.map((release) => release.version),
  );
  return version === undefined ? undefined : fitting.find((release) => compareVersions(release.version, version) === 0);
}

// The archives of upstream have less than a tenth of it.
const MOST_ARCHIVE_BYTES = 1024 ** 3;

interface Download extends SetupBinariesOptions {
  readonly storeDirectory: string;
  readonly platform: Platform;
  readonly selector: VersionSelector;
  readonly version: string;
}

async function downloadRelease({
  storeDirectory,
  platform,
  selector,
  version: wanted,
  ...options
}: Download): Promise<string> {
  const { fetch = globalThis.fetch, indexUrl = DEFAULT_INDEX_URL, force = false, verify = true } = options;
  const archives = (await fetchReleaseIndex(indexUrl, fetch)).filter(
    ({ os, arch }) => os === platform.os && arch === platform.arch,
  );
  const version = selectVersion(
    selector,
    archives.map((archive) => archive.version),
  );
  const archive = archives.find((item) => version !== undefined && compareVersions(item.version, version) === 0);
  if (archive === undefined)
    throw new DownloadError(
      `cannot find binaries of version ${wanted} for ${platform.os}/${platform.arch} in ${indexUrl}`,
    );
  const stored = (await listStore(storeDirectory)).find((release) => printRelease(release) === printRelease(archive));
  if (stored !== undefined && !force) return stored.directory;
  const bytes = await download(requireSecure(archive.url, indexUrl), fetch, { maxBytes: MOST_ARCHIVE_BYTES });
  return addToStore({ storeDirectory, archive, bytes, verify });
}
