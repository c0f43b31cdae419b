import { readFile } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { createGunzip } from "node:zlib";

import { readModels, TYPE_META_PROPERTIES } from "@kubescaffold/generators/descriptions";
import { definitionOf, type Descriptions } from "@kubescaffold/k8s/tables";
import { asRecord } from "@kubescaffold/platform";
import { extract } from "tar-stream";

import type { Invocation } from "../../command/command.ts";
import { ExternalProgramError, InputError } from "../../command/errors.ts";
import { readOutput } from "../../programs/run-program.ts";
import { withTemporaryFolder } from "../../programs/uninterrupted.ts";

/** Packages under the MIT license, whose declarations contain the descriptions of the release's OpenAPI document. They do not state the release. */
const PACKAGES = ["kubernetes-models@5.1.0", "@kubernetes-models/apimachinery@3.0.2"] as const;
const RELEASE = "v1.36.0";

const NPM = { name: "npm", hint: "install Node.js with npm, or use --from=cluster" };
// The usual waits between attempts, 10 and 20 seconds, are longer than the download.
const SHORT_WAITS = ["--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=2000"];

/**
 * Reads the descriptions in npm packages; npm downloads them from its registry and verifies their integrity.
 *
 * Fails: {@link ExternalProgramError} when npm cannot download them, {@link InputError} for packages without descriptions, and as `readOutput`.
 */
export async function readPackageDescriptions(invocation: Pick<Invocation, "cwd" | "terminal">): Promise<Descriptions> {
  return await withTemporaryFolder("kubescaffold-k8s-docs", async (folder) => {
    const models = new Map<string, string>();
    const names = fileNamesIn(await download(invocation, folder));
    for (const name of names) await addDeclarations(models, path.join(folder, name));
    const types = readModels(models, { definitionOf, typeMeta: TYPE_META });
    if (types["core/v1.PodSpec"] === undefined || types["meta/v1.ObjectMeta"] === undefined)
      throw withoutDescriptions();
    return { release: RELEASE, source: PACKAGES[0], types };
  });
}

// npm needs no cache for a download.
async function download(invocation: Pick<Invocation, "cwd" | "terminal">, folder: string): Promise<string> {
  const first = await pack(invocation, folder);
  const result =
    first.failure !== undefined && DISK_CODES.has(first.failure.code)
      ? await pack(invocation, folder, `--cache=${path.join(folder, "cache")}`)
      : first;
  if (result.failure === undefined) return result.text;
  throw new ExternalProgramError(`cannot download ${PACKAGES.join(" and ")} with npm: ${result.failure.reason}`, {
    hint: "check the network and the registry that npm is configured for, or use --from=cluster",
  });
}

const DISK_CODES = new Set(["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST", "ENOSPC", "EDQUOT"]);

interface Packed {
  readonly text: string;
  readonly failure: NpmFailure | undefined;
}

async function pack(
  invocation: Pick<Invocation, "cwd" | "terminal">,
  folder: string,
  ...more: readonly string[]
): Promise<Packed> {
  // npm reports failures as JSON, too.
  const options = [`--pack-destination=${folder}`, "--json", "--loglevel=silent", ...SHORT_WAITS, ...more];
  const { text, status } = await readOutput(NPM, ["pack", ...PACKAGES, ...options], { invocation });
  return { text, failure: status === 0 ? undefined : npmFailureIn(text, status) };
}

interface NpmFailure {
  readonly code: string;
  /** One line. */
  readonly reason: string;
}

function npmFailureIn(printed: string, status: number | undefined): NpmFailure {
  const { code, summary } = asRecord(asRecord(jsonIn(printed))["error"]);
  const [line = ""] = typeof summary === "string" ? summary.split("\n", 1) : [];
  const fallback = status === undefined ? "it was terminated by a signal" : `it exited with status ${String(status)}`;
  return { code: typeof code === "string" ? code : "", reason: line.replace(/^[A-Za-z]*Error: /u, "") || fallback };
}

function withoutDescriptions(): InputError {
  return new InputError(`cannot use ${PACKAGES.join(" and ")}: they contain no descriptions of Kubernetes types`, {
    hint: "check the registry that npm is configured for, or use --from=cluster",
  });
}

// npm prints a list of what it has packed, with the name of each archive.
function fileNamesIn(printed: string): readonly string[] {
  const packed = jsonIn(printed);
  const names = (Array.isArray(packed) ? packed : []).map((each) => asRecord(each)["filename"]);
  const isComplete = names.length === PACKAGES.length && names.every((name) => typeof name === "string");
  if (!isComplete) throw withoutDescriptions();
  return names.map((name) => path.basename(name));
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const DECLARATION = /^package\/((?:[\w.]+\/)*\w+)\.d\.ts$/u;
// Some hundred times the size of the largest one.
const MOST_BYTES = 4 * 1024 ** 2;
// Zeros shrink to a thousandth: an archive of a few MB could take minutes.
const MOST_UNPACKED_BYTES = 512 * 1024 ** 2;

async function addDeclarations(models: Map<string, string>, archive: string): Promise<void> {
  const entries = extract();
  const gunzip = createGunzip();
  gunzip.on("error", (error) => entries.destroy(error));
  let unpackedBytes = 0;
  gunzip.on("data", (part: Uint8Array) => {
    unpackedBytes += part.byteLength;
    if (unpackedBytes > MOST_UNPACKED_BYTES) gunzip.destroy(withoutDescriptions());
  });
  gunzip.pipe(entries);
  gunzip.end(await readFile(archive));
  for await (const entry of entries) {
    const name = DECLARATION.exec(entry.header.name)?.[1];
    if (name === undefined || (entry.header.size ?? 0) > MOST_BYTES) entry.resume();
    else models.set(name, await text(entry));
  }
}

// OpenAPI documents have paragraphs in place of lines.
const TYPE_META = {
  apiVersion: (TYPE_META_PROPERTIES.apiVersion.description ?? "").replaceAll("\n", " "),
  kind: (TYPE_META_PROPERTIES.kind.description ?? "").replaceAll("\n", " "),
};
