import { DownloadError } from "../failures/errors.ts";
import { addToStore, defaultStoreDirectory, listStore, type StoredRelease } from "./binary-store.ts";
import { download, requireSecure, type Fetch } from "./download.ts";
import { currentPlatform, fetchReleaseIndex, printRelease, type Platform } from "./release-index.ts";
import { compareVersions, parseVersionSelector, selectVersion, type VersionSelector } from "./version-selector.ts";

/** Options of {@link setupBinaries}. */
export interface SetupBinariesOptions {
  /** A version in setup-envtest's grammar: `1.31.2`, `1.31.x`, `~1.31.1`, `<1.31`, `latest`, `latest-on-disk`; a final `!` always reads the index. Default: `latest`. */
  readonly version?: string;
  /** The platform of the binaries. Default: that of this machine. */
  readonly platform?: Platform;
  /** The store folder. Default: that of setup-envtest. */
  readonly storeDirectory?: string;
  /** The URL of the index. Default: {@link DEFAULT_INDEX_URL}. */
  readonly indexUrl?: string;
  /** Uses only the store and never the network. Default: false. */
  readonly installedOnly?: boolean;
  /** Downloads the binaries even if they are in the store. Default: false. */
  readonly force?: boolean;
  /** Verifies archives against the hashes of the index. Default: true. */
  readonly verify?: boolean;
  /** Fetches URLs. Default: the global `fetch`. */
  readonly fetch?: Fetch;
}

/** The URL of upstream's index. */
export const DEFAULT_INDEX_URL: string =
  "https://raw.githubusercontent.com/kubernetes-sigs/controller-tools/HEAD/envtest-releases.yaml";

/**
 * Returns a folder with kube-apiserver, etcd, and kubectl of a version, and downloads them if the store has no match, like setup-envtest.
 *
 * Fails: EnvironmentOptionsError for an invalid version; {@link DownloadError} when nothing matches or the network fails.
 *
 * Mirrors the command setup-envtest of controller-runtime.
 *
 * @example
 * const binaryAssetsDirectory = await setupBinaries({ version: "1.37.x" });
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
      { hint: "allow the download, or request another version" },
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
