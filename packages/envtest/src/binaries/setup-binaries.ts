import { defaultStoreDirectory, releasesFolder } from "./binary-store.ts";
import type { Fetch } from "./download.ts";
import { currentPlatform, type Platform } from "./release-index.ts";
import { useBinaries } from "./use-binaries.ts";
import { parseVersionSelector } from "./version-selector.ts";

/** Options of {@link setupBinaries}. */
export interface SetupBinariesOptions {
  /** A version in setup-envtest's grammar: `1.31.2`, `1.31.x`, `~1.31.1`, `<1.31`, `latest`, `latest-on-disk`; a final `!` selects the newest of the index. Default: `latest`. */
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
 * Fails: EnvironmentOptionsError for an invalid version; DownloadError when nothing matches or the network fails.
 *
 * Mirrors the command setup-envtest of controller-runtime.
 *
 * @example
 * const binaryAssetsDirectory = await setupBinaries({ version: "1.37.x" });
 * const environment = new Environment({ backend: "binaries", binaryAssetsDirectory });
 */
export async function setupBinaries(options: SetupBinariesOptions = {}): Promise<string> {
  const { storeDirectory = defaultStoreDirectory() } = options;
  return await setupBinariesIn(releasesFolder(storeDirectory), options);
}

/** Does what {@link setupBinaries} does, with a folder that contains a folder for each release in place of a store. */
export async function setupBinariesIn(
  folder: string,
  options: Omit<SetupBinariesOptions, "storeDirectory">,
): Promise<string> {
  const { version = "latest", installedOnly = false } = options;
  const selector = parseVersionSelector(version);
  const { directory } = await useBinaries({
    wanted: version,
    selector,
    folder,
    platform: options.platform ?? currentPlatform(),
    indexUrl: options.indexUrl ?? DEFAULT_INDEX_URL,
    installedOnly: installedOnly || selector.kind === "latest-on-disk",
    force: options.force ?? false,
    verify: options.verify ?? true,
    fetch: options.fetch ?? globalThis.fetch,
  });
  return directory;
}
