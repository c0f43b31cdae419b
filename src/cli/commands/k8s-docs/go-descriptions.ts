import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { type GoPackage, readGoTypes } from "@kubescaffold/generators/descriptions";
import { KUBERNETES_VERSION } from "@kubescaffold/k8s";
import { type Descriptions, structNames } from "@kubescaffold/k8s/tables";
import { isRecord } from "@kubescaffold/platform";

import type { Invocation } from "../../command/command.ts";
import { InputError } from "../../command/errors.ts";
import { readProgram } from "../../programs/run-program.ts";
import { withTemporaryFolder } from "../../programs/uninterrupted.ts";

const GO = { name: "go", hint: "install Go, or use another source with --from" };

// The modules of the release that types and structs are generated from: v0.37.2 for 1.37.2.
const VERSION = `v0.${KUBERNETES_VERSION.slice("1.".length)}`;
const API = "k8s.io/api";
const APIMACHINERY = "k8s.io/apimachinery";
// The packages of other groups are in the module of the API.
const OTHER_PACKAGES: readonly { readonly place: string; readonly module: string; readonly folder: string }[] = [
  { place: "meta/v1", module: APIMACHINERY, folder: "pkg/apis/meta/v1" },
  { place: "pkg/types", module: APIMACHINERY, folder: "pkg/types" },
  { place: "apiextensions/v1", module: "k8s.io/apiextensions-apiserver", folder: "pkg/apis/apiextensions/v1" },
  { place: "apiregistration/v1", module: "k8s.io/kube-aggregator", folder: "pkg/apis/apiregistration/v1" },
];

/**
 * Reads the descriptions in the comments of Kubernetes' Go modules, as controller-gen does; Go downloads and verifies them.
 *
 * Fails: {@link InputError} for modules without types, and as `readProgram`.
 */
export async function readGoDescriptions(invocation: Pick<Invocation, "terminal">): Promise<Descriptions> {
  const modules = new Set([API, ...OTHER_PACKAGES.map(({ module }) => module)]);
  // Modules of a folder with a go.mod would be those that it pins.
  return await withTemporaryFolder("kubescaffold-k8s-docs", async (folder) => {
    const args = ["mod", "download", "-json", ...[...modules].map((name) => `${name}@${VERSION}`)];
    const printed = await readProgram(GO, args, { invocation: { ...invocation, cwd: folder }, env: { GOWORK: "off" } });
    const folders = foldersIn(printed);
    const types = readGoTypes(packagesOf(folders));
    if (types["core/v1.PodSpec"] === undefined) throw withoutTypes();
    return { release: `v${KUBERNETES_VERSION}`, source: `${API}@${VERSION}`, types };
  });
}

function withoutTypes(): InputError {
  return new InputError(`cannot use ${API}@${VERSION}: it contains no types of Kubernetes`, {
    hint: "check the module proxy that Go is configured for, or use another source with --from",
  });
}

// Go prints an object for each module, one after the other.
function foldersIn(printed: string): ReadonlyMap<string, string> {
  const objects = printed.split(/^\}$/mu).filter((each) => each.trim() !== "");
  return new Map(
    objects.flatMap((each) => {
      const module: unknown = JSON.parse(`${each}}`);
      if (!isRecord(module) || typeof module["Dir"] !== "string") throw withoutTypes();
      return [[String(module["Path"]), module["Dir"]] as const];
    }),
  );
}

function packagesOf(folders: ReadonlyMap<string, string>): readonly GoPackage[] {
  const groups = [...new Set(structNames().map((key) => key.slice(0, key.indexOf("."))))];
  const places = [...groups.map((place) => ({ place, module: API, folder: place })), ...OTHER_PACKAGES];
  return places.flatMap(({ place, module, folder }) => {
    const sources = sourcesIn(path.join(folders.get(module) ?? "", folder));
    return sources.length === 0 ? [] : [{ place, importPath: `${module}/${folder}`, sources }];
  });
}

// Generated files declare no types of the API.
function sourcesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".go") && !/_test\.go$|^generated\.|^zz_generated|swagger_doc/u.test(name))
      .toSorted()
      .map((name) => readFileSync(path.join(folder, name), "utf8"));
  } catch {
    return [];
  }
}
