import type { Release } from "../binaries/release-index.ts";
import { printPlatform, type UsedBinaries } from "../binaries/use-binaries.ts";
import { printVersion } from "../binaries/version-selector.ts";
import type { PRINTED_FORMS } from "./parse-arguments.ts";

/** A form in which a folder is printed. */
export type PrintedForm = (typeof PRINTED_FORMS)[number];

/** Prints a folder: by itself without a newline, as a line for shells, or the overview. */
export function printFolder(form: PrintedForm, folder: string, overview: string): string {
  switch (form) {
    case "path":
      return folder;
    case "env":
      return `export KUBEBUILDER_ASSETS='${folder.replaceAll("'", `'"'"'`)}'\n`;
    default:
      return overview;
  }
}

/** Binaries that are used: those of a store, or of a folder whose version is unknown. */
export type PrintableBinaries = UsedBinaries | { readonly directory: string };

/** Prints binaries in a form. */
export function printBinaries(form: PrintedForm, binaries: PrintableBinaries): string {
  const { directory } = binaries;
  if (!("version" in binaries)) return printFolder(form, directory, `Version: *\nOS/Arch: */*\nPath: ${directory}\n`);
  const hash = binaries.sha512 === undefined ? "" : `sha512: ${binaries.sha512}\n`;
  const facts = `Version: ${printVersion(binaries.version)}\nOS/Arch: ${printPlatform(binaries)}\n`;
  return printFolder(form, directory, `${facts}${hash}Path: ${directory}\n`);
}

/** A line of a list: a release that is installed, or available in the index. */
export interface ListedRelease extends Release {
  readonly state: "installed" | "available";
  /** The hash of an available archive. */
  readonly sha512?: string;
}

/** Prints a list as a table. */
export function printList(releases: readonly ListedRelease[]): string {
  const width = Math.max(...releases.map(({ version }) => printVersion(version).length)) + 3;
  return releases
    .map((each) => `(${each.state})  ${`v${printVersion(each.version)}`.padEnd(width)}${printPlatform(each)}\n`)
    .join("");
}

/** A release as it is printed in JSON. */
type ReleaseJson = Omit<Release, "version"> & { readonly version: string };

/** Returns a release as it is printed in JSON. */
export function jsonOf<T extends Release>({ version, ...rest }: T): Omit<T, "version"> & { readonly version: string } {
  return { version: printVersion(version), ...rest };
}

/** What a command prints in JSON. */
type BinariesDocument =
  | ReleaseJson
  | { readonly directory: string }
  | { readonly binaries: readonly ReleaseJson[] }
  | { readonly removed: readonly ReleaseJson[] };

/** Prints a JSON document. */
export function printJson(document: BinariesDocument): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
