import path from "node:path";

import { ManagerBundleError } from "./errors.ts";

/** A package of npm that is inside a bundle, as a whole or in part. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string | undefined;
  readonly homepage: string | undefined;
}

/** What the list of a bundle's packages is made from. */
export interface BundleFacts {
  /** Is the metafile of esbuild, as text. */
  readonly metafile: string;
  /** Is the folder that the metafile's paths start from. */
  readonly root: string;
  readonly readText: (file: string) => string | undefined;
}

/**
 * Lists the packages that a bundle contains, and those that these contain in turn by their own account.
 *
 * Guarantees: each package and version once, by name; what esbuild read but omitted is not listed, nor is the project itself.
 * Fails: {@link ManagerBundleError} when the metafile is not one.
 */
export function listBundledPackages(facts: BundleFacts): readonly BundledPackage[] {
  const owners = new Map<string, Owner | undefined>();
  const folders = new Set(
    bundledFiles(facts.metafile).flatMap((file) => {
      const folder = path.dirname(path.resolve(facts.root, file));
      return ownerOf(folder, facts, owners)?.folder ?? [];
    }),
  );
  folders.delete(path.resolve(facts.root));
  const found = [...folders].flatMap((folder) => {
    const owner = owners.get(folder);
    return owner === undefined ? [] : [owner.package, ...carriedPackages(folder, facts)];
  });
  const unique = new Map(found.map((each) => [`${each.name} ${each.version}`, each]));
  return [...unique.values()].toSorted((left, right) => compareKeys(left, right));
}

function compareKeys(left: BundledPackage, right: BundledPackage): number {
  if (left.name !== right.name) return left.name < right.name ? -1 : 1;
  return left.version < right.version ? -1 : 1;
}

interface Owner {
  readonly folder: string;
  readonly package: BundledPackage;
}

// A folder may have a manifest that says only how its modules are to be read: the package is further up.
function ownerOf(folder: string, facts: BundleFacts, known: Map<string, Owner | undefined>): Owner | undefined {
  if (known.has(folder)) return known.get(folder);
  const parent = path.dirname(folder);
  const described = readPackage(folder, facts);
  const owner =
    described === undefined
      ? parent === folder
        ? undefined
        : ownerOf(parent, facts, known)
      : { folder, package: described };
  known.set(folder, owner);
  return owner;
}

function readPackage(folder: string, { root, readText }: BundleFacts): BundledPackage | undefined {
  const text = readText(path.join(folder, "package.json"));
  const manifest = text === undefined ? undefined : parseJson(text);
  const name = textOf(manifest, "name");
  const version = textOf(manifest, "version");
  if (name === undefined || (version === undefined && folder !== path.resolve(root))) return undefined;
  return {
    name,
    version: version ?? "",
    license: textOf(manifest, "license") ?? textOf(manifest?.["license"], "type"),
    homepage: textOf(manifest, "homepage"),
  };
}

// The texts of licenses are between fences.
const FENCED = /^(`{3,})(?!`).*?^\1$/gmsu;

// A package that has others inside says so beside what it consists of.
function carriedPackages(folder: string, { readText }: BundleFacts): readonly BundledPackage[] {
  const text = readText(path.join(folder, "dist", "THIRD-PARTY-LICENSES.md"))?.replaceAll(FENCED, "") ?? "";
  return [...text.matchAll(/^## (?<name>\S+) (?<version>\d\S*) \((?<license>[^)\n]+)\)$/gmu)].map(
    ({ groups = {} }) => ({
      name: groups["name"] ?? "",
      version: groups["version"] ?? "",
      license: groups["license"],
      homepage: undefined,
    }),
  );
}

function bundledFiles(metafile: string): readonly string[] {
  const outputs = recordOf(recordOf(parseJson(metafile))?.["outputs"]);
  if (outputs === undefined) {
    throw new ManagerBundleError("cannot list the packages in the bundle: its metafile is not esbuild's", {
      hint: "write esbuild's metafile as JSON in hack/build.mjs, or pass --sbom=false",
    });
  }
  const files = Object.values(outputs).flatMap((output) => {
    const inputs = recordOf(recordOf(output)?.["inputs"]) ?? {};
    return Object.entries(inputs).flatMap(([file, input]) => (recordOf(input)?.["bytesInOutput"] === 0 ? [] : [file]));
  });
  // What a plugin made up has a prefix in place of a path.
  return files.filter((file) => !/^[\w-]{2,}:/u.test(file));
}

function parseJson(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return recordOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

function textOf(value: unknown, key: string): string | undefined {
  const text = recordOf(value)?.[key];
  return typeof text === "string" && text !== "" ? text : undefined;
}
