import { stat } from "node:fs/promises";
import path from "node:path";

import { compareStrings } from "@kubescaffold/k8s";

import {
  addRelease,
  defaultStoreDirectory,
  type FillFolder,
  isSelectedPlatform,
  listReleases,
  releaseOfName,
  releasesFolder,
  removeRelease,
} from "../binaries/binary-store.ts";
import { currentPlatform, fetchReleaseIndex, printRelease, type Release } from "../binaries/release-index.ts";
import { DEFAULT_INDEX_URL } from "../binaries/setup-binaries.ts";
import { unpackArchive } from "../binaries/unpack-archive.ts";
import { type BinariesRequest, printPlatform, useBinaries } from "../binaries/use-binaries.ts";
import { isSelectedVersion, parseVersionSelector, printVersion } from "../binaries/version-selector.ts";
import { InvalidArgumentsError } from "../failures/errors.ts";
import type { ParsedArguments } from "./parse-arguments.ts";
import {
  jsonOf,
  type ListedRelease,
  printBinaries,
  type PrintableBinaries,
  type PrintedForm,
  printJson,
  printList,
} from "./print-binaries.ts";

/** What the commands read and write. */
export interface BinariesCommandFacts {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The archive of `sideload`. */
  readonly readInput: () => AsyncIterable<Uint8Array>;
  readonly writeOut: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Writes the stand-ins of a version of Kubernetes into a folder. */
  readonly writeStandIns: (kubernetesVersion: string, folder: string) => Promise<readonly string[]>;
}

/** The commands for binaries. */
export const BINARIES_COMMANDS = ["use", "list", "cleanup", "sideload"] as const;

/** Runs a command for binaries. Fails: {@link InvalidArgumentsError}, DownloadError. */
export async function runBinariesCommand(
  command: (typeof BINARIES_COMMANDS)[number],
  args: ParsedArguments,
  facts: BinariesCommandFacts,
): Promise<void> {
  const request = requestOf(args, facts);
  switch (command) {
    case "use":
      return printUsed(await use(request, args, facts), args, facts);
    case "list":
      return await list(request, args, facts);
    case "cleanup":
      return await cleanUp(request, args, facts);
    case "sideload":
      return printUsed(await sideload(request, args, facts), args, facts);
  }
}

function requestOf(
  { words, switches, texts }: ParsedArguments,
  { env, writeError }: BinariesCommandFacts,
): BinariesRequest {
  const [wanted = "latest", ...others] = words;
  if (others.length > 0) {
    throw new InvalidArgumentsError(`unexpected argument "${others[0] ?? ""}" after the version ${wanted}`);
  }
  const selector = parseVersionSelector(wanted === "" ? "latest" : wanted);
  const force = switches.get("force") ?? false;
  const isOffline = switches.get("installed-only") ?? Boolean(env["ENVTEST_INSTALLED_ONLY"]);
  const installedOnly = isOffline || selector.kind === "latest-on-disk";
  if (installedOnly && force) {
    throw new InvalidArgumentsError("cannot use --force without downloads", {
      hint: "remove --force, or --installed-only, ENVTEST_INSTALLED_ONLY, and latest-on-disk",
    });
  }
  const here = currentPlatform();
  const platform = { os: texts.get("os") ?? here.os, arch: texts.get("arch") ?? here.arch };
  if (platform.os === "" || platform.arch === "")
    throw new InvalidArgumentsError("the flags --os and --arch need values that are not empty");
  const isVerbose = ["debug", "info"].includes(texts.get("v")?.toLowerCase() ?? "");
  return {
    wanted,
    selector,
    platform,
    folder: releasesFolder(texts.get("bin-dir") || defaultStoreDirectory(env)),
    indexUrl: texts.get("index") || DEFAULT_INDEX_URL,
    installedOnly,
    force,
    verify: switches.get("verify") ?? true,
    fetch: globalThis.fetch,
    ...(isVerbose ? { onDownload: (url: string) => writeError(`downloading ${url}\n`) } : {}),
  };
}

async function use(
  request: BinariesRequest,
  { switches }: ParsedArguments,
  { env }: BinariesCommandFacts,
): Promise<PrintableBinaries> {
  const isEnvUsed = switches.get("use-env") ?? Boolean(env["ENVTEST_USE_ENV"]);
  const assets = isEnvUsed ? await usableAssets(env["KUBEBUILDER_ASSETS"]) : undefined;
  return assets ?? (await useBinaries(request));
}

const REQUIRED_BINARIES = ["kube-apiserver", "etcd", "kubectl"];

// The name of a store folder is enough, even if it is missing.
async function usableAssets(folder: string | undefined): Promise<PrintableBinaries | undefined> {
  if (!folder) return undefined;
  const release = releaseOfName(path.basename(folder));
  if (release !== undefined) return { ...release, directory: folder };
  const found = await Promise.all(
    REQUIRED_BINARIES.map(async (name) => stat(path.join(folder, name)).catch(() => undefined)),
  );
  return found.includes(undefined) ? undefined : { directory: folder };
}

function printUsed(binaries: PrintableBinaries, { texts }: ParsedArguments, { writeOut }: BinariesCommandFacts): void {
  const form = (texts.get("print") ?? "overview") as PrintedForm;
  const json = "version" in binaries ? jsonOf(binaries) : binaries;
  writeOut(texts.get("output") === "json" ? printJson(json) : printBinaries(form, binaries));
}

async function list(
  request: BinariesRequest,
  { texts }: ParsedArguments,
  { writeOut }: BinariesCommandFacts,
): Promise<void> {
  const { selector, platform, installedOnly, folder, indexUrl, fetch, onDownload } = request;
  const isListed = (release: Release): boolean =>
    isSelectedVersion(selector, release.version) && isSelectedPlatform(platform, release);
  const installed = (await listReleases(folder)).filter(isListed);
  const listed: ListedRelease[] = installed.map((release) => ({ ...release, state: "installed" }));
  const print = (): void => {
    const isJson = texts.get("output") === "json";
    writeOut(isJson ? printJson({ binaries: listed.map(jsonOf) }) : printList(listed));
  };
  try {
    if (!installedOnly) {
      onDownload?.(indexUrl);
      for (const { version, os, arch, sha512 } of (await fetchReleaseIndex(indexUrl, fetch)).filter(isListed))
        listed.push({ version, os, arch, sha512, state: "available" });
    }
  } catch (error) {
    // The store is listed even if the index cannot be read.
    print();
    throw error;
  }
  print();
}

async function cleanUp(
  { selector, platform, folder }: BinariesRequest,
  { texts }: ParsedArguments,
  { writeOut }: BinariesCommandFacts,
): Promise<void> {
  const removed: Release[] = [];
  const isJson = texts.get("output") === "json";
  const failures: unknown[] = [];
  for (const release of (await listReleases(folder)).toSorted(byName)) {
    if (!isSelectedVersion(selector, release.version) || !isSelectedPlatform(platform, release)) continue;
    try {
      await removeRelease(release);
      removed.push(release);
      if (!isJson) writeOut(`removed ${printVersion(release.version)} (${printPlatform(release)})\n`);
    } catch (error) {
      failures.push(error);
    }
  }
  if (isJson) writeOut(printJson({ removed: removed.map(jsonOf) }));
  if (failures.length > 0) throw failures[0];
}

function byName(a: Release, b: Release): number {
  return compareStrings(printRelease(a), printRelease(b));
}

async function sideload(
  { selector, wanted, platform, folder }: BinariesRequest,
  { words, switches }: ParsedArguments,
  { readInput, writeStandIns }: BinariesCommandFacts,
): Promise<PrintableBinaries> {
  if (selector.kind !== "exact" || platform.os === "*" || platform.arch === "*") {
    throw new InvalidArgumentsError(
      words.length === 0
        ? "sideload needs a version"
        : `cannot sideload version ${wanted} for ${printPlatform(platform)}: it is not one version for one platform`,
      { hint: "name both, as in `envtest sideload 1.37.2 <archive.tar.gz`" },
    );
  }
  const release: Release = { version: selector.version, ...platform };
  const isStandIns = switches.get("stand-ins") ?? false;
  if (isStandIns && printPlatform(platform) !== printPlatform(currentPlatform()))
    throw new InvalidArgumentsError(
      `cannot sideload stand-ins for ${printPlatform(platform)}: they run on this machine alone, which is ${printPlatform(currentPlatform())}`,
    );
  const fill: FillFolder = isStandIns
    ? async (staging) => writeStandIns(printVersion(release.version), staging)
    : async (staging) => unpackArchive(readInput(), staging);
  return { ...release, directory: await addRelease(folder, release, fill) };
}
