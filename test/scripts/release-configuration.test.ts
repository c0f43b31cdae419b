import { describe, expect, it } from "vitest";

import { listFiles, readSource } from "../architecture/source-files.ts";

const REPOSITORY = "git+https://github.com/kubescaffold/kubescaffold.git";
const MANIFESTS = [
  "package.json",
  ...listFiles("packages").filter((file) => /^packages\/[^/]+\/package\.json$/u.test(file)),
];

const PUBLISHED = MANIFESTS.filter((file) => parse<Manifest>(file).private !== true);

interface Manifest {
  readonly private?: boolean;
  readonly version: string;
  readonly repository: { readonly url: string; readonly directory?: string };
}

interface ExtraFile {
  readonly path: string;
  readonly jsonpath: string;
}

function parse<Value>(file: string): Value {
  return JSON.parse(readSource(file)) as Value;
}

describe("the packages of a release", () => {
  it.each(PUBLISHED)("%s names the repository that npm compares with the provenance", (file) => {
    const folder = file.split("/").slice(0, -1).join("/");
    expect(parse<Manifest>(file)).toMatchObject({
      repository: { type: "git", url: REPOSITORY, ...(folder === "" ? {} : { directory: folder }) },
      bugs: expect.stringContaining("/issues") as string,
      homepage: expect.stringContaining("https://") as string,
      publishConfig: { access: "public", provenance: true },
      license: "Apache-2.0",
    });
  });

  it("have one version, which release-please changes in every place", () => {
    const { packages } = parse<{
      readonly packages: Readonly<Record<string, { readonly "extra-files": readonly ExtraFile[] }>>;
    }>(".github/release-please.json");
    const places = [...MANIFESTS, "package-lock.json"].flatMap((file) => versionPlaces(file, parse(file), []));
    const changed = packages["."]?.["extra-files"].map(({ path, jsonpath }) => `${path} ${jsonpath}`) ?? [];
    expect([...BY_RELEASE_TYPE, ...changed].toSorted()).toEqual(places.toSorted());
  });
});

// What the release type `node` changes without being told.
const BY_RELEASE_TYPE = [
  "package.json $['version']",
  "package-lock.json $['version']",
  "package-lock.json $['packages']['']['version']",
];

// Returns where a file has the version of a package of ours, as the configuration names such a place.
function versionPlaces(file: string, value: unknown, keys: readonly string[]): readonly string[] {
  const { version } = parse<Manifest>("package.json");
  if (value === version && isOurs(keys)) return [`${file} $${keys.map((key) => `['${key}']`).join("")}`];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => versionPlaces(file, each, [...keys, key]));
}

function isOurs(keys: readonly string[]): boolean {
  const [last = "", owner] = [keys.at(-1), keys.at(-2)];
  if (last.startsWith("@kubescaffold/") || last === "kubescaffold") return true;
  return last === "version" && (owner === undefined || owner === "" || owner.startsWith("packages/"));
}
