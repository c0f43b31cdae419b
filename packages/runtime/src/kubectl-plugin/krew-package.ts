import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";

import { printYaml } from "@kubescaffold/k8s/yaml";
import { pack } from "tar-stream";

import { PluginPackageError } from "./errors.ts";

/** What a manifest for krew says of a plugin. */
export interface KrewManifestOptions {
  /** The name of the plugin: users run `kubectl <name>`. */
  readonly name: string;
  /** The version, such as `v1.2.3` or `1.2.3`. */
  readonly version: string;
  /** A phrase for the list of plugins; krew recommends at most 50 characters. */
  readonly shortDescription: string;
  /** The description. Default: the short one. */
  readonly description?: string;
  /** The address of the project. Default: none. */
  readonly homepage?: string;
  /** The folder of the archive's address; the name of the archive is added. */
  readonly downloadFolder: string;
  /** The files of the archive, by name. The program has the name `kubectl-<name>` with underscores in place of dashes. */
  readonly files: Readonly<Record<string, Uint8Array>>;
}

/** An archive and the manifest that names its checksum. */
export interface KrewPackage {
  /** The name of the archive. */
  readonly archiveName: string;
  /** The archive: a compressed tar archive. */
  readonly archive: Uint8Array;
  /** The SHA-256 checksum of the archive, as hexadecimal text. */
  readonly sha256: string;
  /** The manifest for krew, as YAML. */
  readonly manifest: string;
}

/** Returns the name of the program that kubectl runs for `kubectl <name>`: dashes would separate commands. */
export function pluginProgramName(name: string): string {
  return `kubectl-${name.replaceAll("-", "_")}`;
}

/**
 * Packs the files of a built plugin, and writes the manifest with which krew installs it on Linux and macOS.
 *
 * Guarantees: the same files give the same bytes, on every system.
 * Fails: {@link PluginPackageError}.
 */
export async function packForKrew(options: KrewManifestOptions): Promise<KrewPackage> {
  const version = versionOf(options.version);
  const bin = pluginProgramName(options.name);
  if (options.files[bin] === undefined) {
    throw new PluginPackageError(`cannot pack kubectl ${options.name}: there is no file ${bin}`, {
      hint: "build the plugin first",
    });
  }
  if (!URL.canParse(options.downloadFolder) || !options.downloadFolder.startsWith("https://")) {
    throw new PluginPackageError(
      `cannot pack kubectl ${options.name}: ${JSON.stringify(options.downloadFolder)} is not an https address`,
      { hint: "set the address of the folder that the archive will be downloaded from" },
    );
  }
  const archive = compress(await tarOf(options.files));
  const sha256 = createHash("sha256").update(archive).digest("hex");
  const archiveName = `${bin}-${version}.tar.gz`;
  const uri = `${options.downloadFolder.replace(/\/$/u, "")}/${archiveName}`;
  return { archiveName, archive, sha256, manifest: printYaml(manifestOf(options, { version, bin, uri, sha256 })) };
}

// Versions of krew start with a v.
function versionOf(text: string): string {
  if (/^v?\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/u.test(text)) return text.startsWith("v") ? text : `v${text}`;
  throw new PluginPackageError(`cannot use the version ${JSON.stringify(text)}: it is not a semantic version`, {
    hint: "use a version such as v1.2.3",
  });
}

interface Packed {
  readonly version: string;
  readonly bin: string;
  readonly uri: string;
  readonly sha256: string;
}

function manifestOf(options: KrewManifestOptions, { version, bin, uri, sha256 }: Packed): object {
  const { name, shortDescription, description = shortDescription, homepage } = options;
  return {
    apiVersion: "krew.googlecontainertools.github.com/v1alpha2",
    kind: "Plugin",
    metadata: { name },
    spec: {
      version,
      ...(homepage === undefined ? {} : { homepage }),
      shortDescription,
      description,
      caveats: "Requires Node.js 20.19 or later.\n",
      platforms: [
        {
          selector: { matchExpressions: [{ key: "os", operator: "In", values: ["darwin", "linux"] }] },
          uri,
          sha256,
          bin,
        },
      ],
    },
  };
}

async function tarOf(files: Readonly<Record<string, Uint8Array>>): Promise<Buffer> {
  const archive = pack();
  const names = Object.keys(files).toSorted();
  for (const name of names) {
    const bytes = Buffer.from(files[name] ?? []);
    const isProgram = bytes.subarray(0, 2).toString("latin1") === "#!";
    archive.entry({ name, mode: isProgram ? 0o755 : 0o644, uid: 0, gid: 0, mtime: new Date(0) }, bytes);
  }
  archive.finalize();
  return await buffer(archive);
}

const OS_FIELD = 9;
const UNKNOWN_OS = 255;

// The header tells which system compressed it.
function compress(bytes: Uint8Array): Uint8Array {
  const compressed = gzipSync(bytes, { level: 9 });
  compressed[OS_FIELD] = UNKNOWN_OS;
  return compressed;
}
