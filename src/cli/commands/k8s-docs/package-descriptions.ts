import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { createGunzip } from "node:zlib";

import { isRecord } from "@kubescaffold/k8s";
import { definitionOf, type Descriptions } from "@kubescaffold/k8s/tables";
import { extract } from "tar-stream";

import { readModels } from "../../../descriptions/read-models.ts";
import { TYPE_META_PROPERTIES } from "../../../generators/crd/known-schemas.ts";
import type { Invocation } from "../../command.ts";
import { InputError } from "../../errors.ts";
import { readProgram } from "../../programs/run-program.ts";

/** Packages under the MIT license, whose declarations contain the descriptions of the release's OpenAPI document. They do not state the release. */
const PACKAGES = ["kubernetes-models@5.1.0", "@kubernetes-models/apimachinery@3.0.2"] as const;
const RELEASE = "v1.36.0";

const NPM = { name: "npm", hint: "install Node.js with npm, or use --from=cluster" };

/**
 * Reads the descriptions in npm packages; npm downloads them from its registry and verifies their integrity.
 *
 * Fails: {@link InputError} for packages without descriptions, and as `readProgram`.
 */
export async function readPackageDescriptions(invocation: Pick<Invocation, "cwd" | "terminal">): Promise<Descriptions> {
  const folder = await mkdtemp(path.join(tmpdir(), "kubescaffold-k8s-docs-"));
  try {
    const args = ["pack", ...PACKAGES, `--pack-destination=${folder}`, "--json", "--loglevel=error"];
    const printed = await readProgram(NPM, args, { invocation });
    const models = new Map<string, string>();
    for (const name of fileNamesIn(printed)) await addDeclarations(models, path.join(folder, name));
    const types = readModels(models, { definitionOf, typeMeta: TYPE_META });
    if (types["core/v1.PodSpec"] === undefined || types["meta/v1.ObjectMeta"] === undefined)
      throw withoutDescriptions();
    return { release: RELEASE, source: PACKAGES[0], types };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function withoutDescriptions(): InputError {
  return new InputError(`cannot use ${PACKAGES.join(" and ")}: they contain no descriptions of Kubernetes types`, {
    hint: "check the registry that npm is configured for, or use --from=cluster",
  });
}

// npm prints a list of what it has packed, with the name of each archive.
function fileNamesIn(printed: string): readonly string[] {
  try {
    const packed: unknown = JSON.parse(printed);
    const names = (Array.isArray(packed) ? packed : []).map((each) => (isRecord(each) ? each["filename"] : undefined));
    const isComplete = names.length === PACKAGES.length && names.every((name) => typeof name === "string");
    if (isComplete) return names.map((name) => path.basename(name));
  } catch {
    // The same error as for JSON of another form.
  }
  throw withoutDescriptions();
}

const DECLARATION = /^package\/((?:[\w.]+\/)*\w+)\.d\.ts$/u;
// Some hundred times the size of the largest one.
const MOST_BYTES = 4 * 1024 ** 2;

async function addDeclarations(models: Map<string, string>, archive: string): Promise<void> {
  const entries = extract();
  const gunzip = createGunzip();
  gunzip.on("error", (error) => entries.destroy(error));
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
