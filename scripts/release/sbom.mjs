// The SBOM of a published package, in CycloneDX 1.6: which code its bundles contain by esbuild's record, and which packages it depends on.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { Contrib, Enums, Models, Serialize, Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { PackageURL } from "packageurl-js";
import parseExpression from "spdx-expression-parse";

import { ROOT } from "../ensure-installed.mjs";
import { sourceCommit } from "../source-commit.mjs";
import { copiesIn, manifestOfLibrary } from "../third-party-licenses.mjs";

/** The name of the document in the folder `dist` of a package. */
export const SBOM_FILE = "sbom.cdx.json";
const SPEC = Spec.Spec1dot6;
const PACKAGE_FOLDER = /^(?<folder>(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//u;
const OWN_FOLDER = /^(?<folder>packages\/[^/]+)\//u;
// A property of CycloneDX's taxonomy for npm: the component is inside the package, and is not installed beside it.
const BUNDLED = "cdx:npm:package:bundled";

/** Writes the SBOM of a package beside its bundles. `outputs` is the folder of the bundles. */
export function writeSbom({ folder, outputs, metafiles }) {
  writeFileSync(path.join(outputs, SBOM_FILE), packageSbom({ folder, metafiles }));
}

/**
 * Returns the SBOM of the package in a folder of this repository, as text.
 *
 * Guarantees: the same commit gives the same bytes; every file that esbuild bundled belongs to a component.
 */
export function packageSbom({ folder, metafiles }) {
  const facts = { lock: readJson(path.join(ROOT, "package-lock.json")).packages };
  const manifest = readJson(path.join(folder, "package.json"));
  const root = componentOf(manifest, { type: Enums.ComponentType.Library });
  const bundled = bundledFolders(metafiles, folder).map((each) => bundledComponent(each, facts));
  const beside = Object.entries(manifest.dependencies ?? {})
    .filter(([name]) => !bundled.some(({ key }) => key === name))
    .map(([name, range]) => dependencyComponent(name, range));
  for (const { component } of bundled) root.dependencies.add(component.bomRef);
  for (const component of beside) root.dependencies.add(component.bomRef);
  linkDependencies(bundled, facts);
  const metadata = new Models.Metadata({
    component: root,
    lifecycles: new Models.LifecycleRepository([Enums.LifecyclePhase.Build]),
    tools: new Models.Tools({ components: new Models.ComponentRepository([toolComponent("esbuild", facts)]) }),
    ...timestampOf(sourceCommit(ROOT)),
  });
  const components = new Models.ComponentRepository([...bundled.map(({ component }) => component), ...beside]);
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(SPEC));
  return `${serializer.serialize(new Models.Bom({ metadata, components }), { sortLists: true, space: 2 })}\n`;
}

/** Returns what is wrong with a document by the schema of CycloneDX, or nothing. */
export async function sbomProblem(text) {
  const problem = await new Validation.JsonStrictValidator(SPEC.version).validate(text);
  return problem === null ? undefined : JSON.stringify(problem);
}

// esbuild's record names what it read; of that, the outputs say what is in them.
function bundledFolders(metafiles, folder) {
  const inputs = metafiles.flatMap((metafile) =>
    Object.values(metafile.outputs).flatMap((output) =>
      Object.entries(output.inputs).flatMap(([input, { bytesInOutput }]) => (bytesInOutput === 0 ? [] : [input])),
    ),
  );
  const own = path.relative(ROOT, folder).replaceAll("\\", "/");
  const found = inputs.flatMap((input) => {
    const match = PACKAGE_FOLDER.exec(input) ?? OWN_FOLDER.exec(input);
    return match?.groups?.folder ?? [];
  });
  const folders = new Set(found.filter((each) => each !== own));
  for (const copy of copiesIn(folders)) folders.add(copy);
  return [...folders];
}

function bundledComponent(folder, { lock }) {
  const manifest = manifestOfLibrary(folder);
  const integrity = lock[folder]?.version === manifest.version ? lock[folder].integrity : undefined;
  const component = componentOf(manifest, { type: Enums.ComponentType.Library, integrity });
  component.properties.add(new Models.Property(BUNDLED, "true"));
  return { key: manifest.name, folder, component };
}

// Which version of it is installed, npm decides; packages of this repository have one version.
function dependencyComponent(name, range) {
  const isExact = /^\d/u.test(range);
  const component = componentOf(
    { name, ...(isExact ? { version: range } : {}) },
    { type: Enums.ComponentType.Library },
  );
  if (!isExact) component.properties.add(new Models.Property("kubescaffold:versionRange", range));
  return component;
}

function toolComponent(name, { lock }) {
  const { version, integrity } = lock[`node_modules/${name}`];
  return componentOf({ name, version }, { type: Enums.ComponentType.Application, integrity });
}

function componentOf(manifest, { type, integrity }) {
  const [name, group] = manifest.name.split("/").toReversed();
  const purl = new PackageURL("npm", group, name, manifest.version).toString();
  const licenses = new Models.LicenseRepository(licensesOf(manifest));
  for (const license of licenses) license.acknowledgement = Enums.LicenseAcknowledgement.Declared;
  return new Models.Component(type, name, {
    ...(group === undefined ? {} : { group }),
    ...(manifest.version === undefined ? {} : { version: manifest.version }),
    ...(manifest.description === undefined ? {} : { description: manifest.description }),
    bomRef: purl,
    purl,
    licenses,
    hashes: hashesOf(integrity),
    externalReferences: referencesOf(manifest),
  });
}

function licensesOf({ license }) {
  if (typeof license !== "string") return [];
  return [new Contrib.License.Factories.LicenseFactory(parseExpression).makeFromString(license)];
}

// A lock file has digests in Base64, of one algorithm or of several.
function hashesOf(integrity = "") {
  const hashes = integrity.split(/\s+/u).flatMap((each) => {
    const [, bits, digest] = /^sha(\d+)-(.+)$/u.exec(each) ?? [];
    return bits === undefined ? [] : [[`SHA-${bits}`, Buffer.from(digest, "base64").toString("hex")]];
  });
  return new Models.HashDictionary(hashes);
}

function referencesOf({ homepage, repository, bugs }) {
  const { Website, VCS, IssueTracker } = Enums.ExternalReferenceType;
  const addresses = [
    [Website, homepage],
    [VCS, typeof repository === "string" ? repository : repository?.url],
    [IssueTracker, typeof bugs === "string" ? bugs : bugs?.url],
  ];
  return new Models.ExternalReferenceRepository(
    addresses
      .filter(([, url]) => /^(?:git\+)?(?:https?|ssh|git):\/\//u.test(url ?? ""))
      .map(([type, url]) => new Models.ExternalReference(url, type)),
  );
}

// Among the bundled packages, as Node resolves their dependencies in the installed tree.
function linkDependencies(bundled, { lock }) {
  const byFolder = new Map(bundled.map((each) => [each.folder, each.component]));
  for (const { folder, component } of bundled) {
    for (const name of Object.keys(lock[folder]?.dependencies ?? {})) {
      const target = resolved(folder, name, lock);
      const dependency = target === undefined ? undefined : byFolder.get(target);
      if (dependency !== undefined) component.dependencies.add(dependency.bomRef);
    }
  }
}

function resolved(folder, name, lock) {
  for (let from = folder; ; from = from.slice(0, Math.max(0, from.lastIndexOf("node_modules/") - 1))) {
    const candidate = `${from === "" ? "" : `${from}/`}node_modules/${name}`;
    const entry = lock[candidate];
    if (entry !== undefined) return entry.link === true ? entry.resolved : candidate;
    if (from === "") return undefined;
  }
}

function timestampOf({ date }) {
  return date === "unknown" ? {} : { timestamp: new Date(date) };
}

function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}
