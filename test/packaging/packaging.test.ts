import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { listFiles, readSource, ROOT } from "../architecture/source-files.ts";
import { importScript } from "../support/import-script.ts";
import { runProgram, runSuccessfully } from "../support/run-program.ts";
import { askedPackages } from "./asked-packages.ts";
import { filesOfLibrary, filesOfProgram, importsOfPackage } from "./expected-files.ts";
import { testFirstHour } from "./first-hour.ts";
import { type PackedFile, readTarball } from "./tarball.ts";
import { readTour } from "./tour.ts";

const LIBRARIES = [
  "apiserver",
  "cluster",
  "dashboard",
  "envtest",
  "generators",
  "k8s",
  "platform",
  "runtime",
  "schema",
];
const PROGRAM = "kubescaffold";
const NAMES = [PROGRAM, ...LIBRARIES.map((library) => `kubescaffold-${library}`)];
const LIVENESS_MS = 600_000;

// What commands take from the project that they work in, which has it for its own scripts.
const OF_THE_PROJECT: ReadonlySet<string> = new Set(["esbuild", "tsx"]);

// Their types need the optional peer dependency vitest.
const OF_VITEST: ReadonlySet<string> = new Set(["@kubescaffold/envtest/matchers"]);

const BUNDLED = "cdx:npm:package:bundled";
const { sbomProblem } = await importScript<{ readonly sbomProblem: (text: string) => Promise<string | undefined> }>(
  "release/sbom.mjs",
);

interface Component {
  readonly name: string;
  readonly group?: string;
  readonly version?: string;
  readonly purl: string;
  readonly licenses?: readonly object[];
  readonly hashes?: readonly object[];
  readonly properties?: readonly { readonly name: string }[];
}

interface Sbom {
  readonly metadata: { readonly component: Component };
  readonly components?: readonly Component[];
}

function nameOf({ group, name }: Component): string {
  return group === undefined ? name : `${group}/${name}`;
}

const { version } = JSON.parse(readSource("package.json")) as { readonly version: string };
const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "kubescaffold-packaging-")));
const tarballs = path.join(folder, "tarballs");

beforeAll(async () => {
  await runSuccessfully(process.execPath, [path.join(ROOT, "scripts", "pack-packages.mjs"), tarballs], { cwd: ROOT });
}, LIVENESS_MS);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function tarballOf(name: string): string {
  return path.join(tarballs, `${name}-${version}.tgz`);
}

// As the bundle prints it: texts with both kinds of quotes are in backquotes.
function longestLineOf(template: string): string {
  const lines = template.split("\n").filter((line) => !/[{}"'`\\$]|[^ -~]/u.test(line));
  return lines.toSorted((a, b) => b.length - a.length)[0] ?? "";
}

function manifestOf(files: ReadonlyMap<string, PackedFile>): Record<string, unknown> {
  return JSON.parse(files.get("package.json")?.text ?? "") as Record<string, unknown>;
}

describe("the packed packages", () => {
  it("are the program and its libraries", () => {
    expect(readdirSync(tarballs)).toEqual(NAMES.map((name) => `${name}-${version}.tgz`));
  });

  it.each(LIBRARIES)("hold of %s what its exports lead to, and nothing else", async (library) => {
    const files = await readTarball(tarballOf(`kubescaffold-${library}`));
    expect([...files.keys()].toSorted()).toEqual(filesOfLibrary(library, files));
  });

  it("hold of the program its bundles and what its exports lead to, and nothing else", async () => {
    const files = await readTarball(tarballOf(PROGRAM));
    expect([...files.keys()].toSorted()).toEqual(filesOfProgram(files));
  });

  it("hold templates as they are now", async () => {
    const files = await readTarball(tarballOf(PROGRAM));
    const program = ["dist/program.cjs", "dist/commands.cjs"].map((name) => files.get(name)?.text ?? "").join("");
    const folders = [
      "templates",
      ...readdirSync(path.join(ROOT, "plugins")).map((name) => `plugins/${name}/templates`),
    ];
    const templates = folders.flatMap((each) => listFiles(each)).filter((file) => file.endsWith(".hbs"));
    // Compiled templates keep their text but for the places of values.
    const missing = templates.filter((file) => !program.includes(longestLineOf(readSource(file))));
    expect([templates.length > 50, missing]).toEqual([true, []]);
  });

  it.each(NAMES)("depend in %s on what they ask for, and on nothing else", async (name) => {
    const files = await readTarball(tarballOf(name));
    const { name: own, dependencies, peerDependencies } = manifestOf(files);
    const asked = askedPackages(String(own), files);
    const named = Object.keys({ ...(dependencies as object), ...(peerDependencies as object) });
    expect(asked.filter((each) => !OF_THE_PROJECT.has(each))).toEqual(named.toSorted());
  });

  it("install no server with the generators", async () => {
    const installed = new Set<string>();
    const install = async (name: string): Promise<void> => {
      if (installed.has(name)) return;
      installed.add(name);
      const files = await readTarball(tarballOf(name.replace("@", "").replace("/", "-")));
      const dependencies = Object.keys(manifestOf(files)["dependencies"] ?? {});
      for (const each of dependencies.filter((dependency) => dependency.startsWith("@kubescaffold/")))
        await install(each);
    };
    await install("@kubescaffold/generators");
    expect([...installed].toSorted()).toEqual([
      "@kubescaffold/generators",
      "@kubescaffold/k8s",
      "@kubescaffold/platform",
      "@kubescaffold/schema",
    ]);
  });

  it("have programs that a shell can start", async () => {
    const files = await readTarball(tarballOf(PROGRAM));
    expect(manifestOf(files)["bin"]).toEqual({ kubescaffold: "dist/scaffold.cjs", scaffold: "dist/scaffold.cjs" });
    const program = files.get("dist/scaffold.cjs");
    expect(program?.text.split("\n")[0]).toBe("#!/usr/bin/env node");
    expect((program?.mode ?? 0) & 0o111).toBe(0o111);
  });

  it.each(NAMES)("have in %s a manifest that means something to its users alone", async (name) => {
    const manifest = manifestOf(await readTarball(tarballOf(name)));
    expect(manifest).toMatchObject({ version, license: "Apache-2.0", type: "module", engines: { node: ">=20.19" } });
    expect(JSON.stringify(manifest["exports"])).not.toContain("/source");
    for (const key of ["scripts", "workspaces", "devDependencies", "allowScripts"])
      expect(manifest).not.toHaveProperty(key);
    const dependencies = Object.entries((manifest["dependencies"] ?? {}) as Record<string, string>);
    const ours = dependencies.filter(([dependency]) => dependency.startsWith("@kubescaffold/"));
    expect(ours.filter(([, range]) => range !== version)).toEqual([]);
    expect(dependencies.filter(([, range]) => !/^[\^~]?\d/u.test(range))).toEqual([]);
  });

  it.each(NAMES)("leave publint nothing to say about %s", async (name) => {
    const tarball = readFileSync(tarballOf(name));
    const { messages } = await publint({ strict: true, pack: { tarball: new Uint8Array(tarball).buffer } });
    expect(messages).toEqual([]);
  });
});

describe("the SBOMs of the packed packages", () => {
  it.each(NAMES)("are in %s, valid, and complete: what its bundles contain, and what it depends on", async (name) => {
    const files = await readTarball(tarballOf(name));
    const text = files.get("dist/sbom.cdx.json")?.text ?? "";
    expect(await sbomProblem(text)).toBeUndefined();
    const { metadata, components = [] } = JSON.parse(text) as Sbom;
    const manifest = manifestOf(files);
    expect(metadata.component.purl).toBe(`pkg:npm/${String(manifest["name"]).replace("@", "%40")}@${version}`);
    const bundled = components.filter(({ properties = [] }) => properties.some((each) => each.name === BUNDLED));
    const foreign = bundled.filter(({ group }) => group !== "@kubescaffold");
    // Every license text belongs to a component, and every component has one.
    const licenses = files.get("dist/THIRD-PARTY-LICENSES.md")?.text ?? "";
    const sections = [...licenses.matchAll(/^## (\S+ \S+) \(.+\)\n\n```\n/gmu)].map(([, title]) => title);
    const named = foreign.map((each) => `${nameOf(each)} ${String(each.version)}`);
    expect([named.length, new Set(named)]).toEqual([sections.length, new Set(sections)]);
    expect(foreign.filter(({ licenses: declared }) => declared?.length !== 1)).toEqual([]);
    // What the program has of our packages is in its bundles, too.
    const dependencies = Object.keys(manifest["dependencies"] ?? {});
    const beside = components.filter((each) => !bundled.includes(each)).map((each) => nameOf(each));
    expect(beside.filter((each) => !dependencies.includes(each))).toEqual([]);
    expect(components.map((each) => nameOf(each))).toEqual(expect.arrayContaining(dependencies));
  });

  it("have the hashes of the lock file", async () => {
    const { components = [] } = JSON.parse(
      (await readTarball(tarballOf(PROGRAM))).get("dist/sbom.cdx.json")?.text ?? "",
    ) as Sbom;
    const { packages } = JSON.parse(readSource("package-lock.json")) as {
      readonly packages: Readonly<Record<string, { readonly integrity?: string }>>;
    };
    const digest = packages["node_modules/commander"]?.integrity?.replace("sha512-", "") ?? "";
    const commander = components.find((each) => nameOf(each) === "commander");
    expect(commander?.hashes).toEqual([{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }]);
  });
});

describe("the packages installed from their tarballs into an empty folder", () => {
  const installed = path.join(folder, "installed");
  const modules = [".", ...LIBRARIES.map((library) => `packages/${library}`)].flatMap(importsOfPackage);

  beforeAll(async () => {
    mkdirSync(installed);
    await runSuccessfully("npm", ["install", ...NAMES.map(tarballOf)], { cwd: installed });
  }, LIVENESS_MS);

  it("can all be imported", async () => {
    const script = `${modules.map((name) => `await import(${JSON.stringify(name)});`).join("\n")}\nconsole.log("imported");`;
    writeFileSync(path.join(installed, "import-all.mjs"), script);
    expect(await runProgram(process.execPath, ["import-all.mjs"], { cwd: installed })).toEqual({
      status: 0,
      output: "imported",
    });
  });

  it.each([
    ["NodeNext", "NodeNext", false],
    ["ESNext", "Bundler", true],
  ])(
    "have types that hold strictly for modules %s, resolved as %s",
    async (module, moduleResolution, skipLibCheck) => {
      const project = path.join(installed, `types-${moduleResolution}`);
      // Types are compiled without vitest here, which only skipLibCheck permits.
      const imports = skipLibCheck ? modules : modules.filter((name) => !OF_VITEST.has(name));
      mkdirSync(project);
      const names = imports.map((name, index) => `import * as package${String(index)} from "${name}";`);
      const uses = `export const all: readonly object[] = [${imports.map((_, index) => `package${String(index)}`).join(", ")}];`;
      const kinds = 'import { Deployment } from "@kubescaffold/k8s/apps/v1";\nexport const { kind } = Deployment;';
      writeFileSync(path.join(project, "index.ts"), [...names, uses, kinds, ""].join("\n"));
      writeFileSync(
        path.join(project, "tsconfig.json"),
        JSON.stringify({
          compilerOptions: {
            target: "ES2023",
            module,
            moduleResolution,
            strict: true,
            skipLibCheck,
            noEmit: true,
            types: ["node"],
            typeRoots: [path.join(ROOT, "node_modules", "@types")],
          },
        }),
      );
      const compiler = path.join(ROOT, "node_modules", "typescript", "bin", "tsc");
      expect(await runProgram(process.execPath, [compiler, "-p", project], { cwd: project })).toEqual({
        status: 0,
        output: "",
      });
    },
    LIVENESS_MS,
  );

  it(
    "do the tour of the docs, which ends with types and tests that hold",
    async () => {
      const tour = readTour();
      expect(tour.join("")).toContain("npx kubescaffold init");
      const output = await runSuccessfully("bash", ["-euxo", "pipefail", "-c", tour.join("\n")], { cwd: installed });
      expect(output).toMatch(/Tests\s+[1-9]\d* passed \(\d+\)/u);
      const project = path.join(installed, "guestbook");
      const manifest = readFileSync(path.join(project, "package.json"), "utf8");
      expect(manifest).toContain(`"kubescaffold": "file:../../tarballs/kubescaffold-${version}.tgz"`);
      expect(readdirSync(path.join(project, "config", "crd", "bases"))).toEqual(["webapp.demo_guestbooks.yaml"]);
      expect(await runSuccessfully("npx", ["scaffold", "version"], { cwd: project })).toContain(version);
    },
    LIVENESS_MS,
  );

  it("read definitions from standard input", { timeout: LIVENESS_MS }, async () => {
    const line = "cat config/crd/bases/*.yaml | npx scaffold import crd - --output-dir elsewhere --external --dry-run";
    const project = path.join(installed, "guestbook");
    expect(await runSuccessfully("bash", ["-euo", "pipefail", "-c", line], { cwd: project })).toContain(
      "2 files would change; nothing was written",
    );
  });

  it(
    "go into the context of an image as the tarballs they are",
    async () => {
      const project = path.join(installed, "guestbook");
      await runSuccessfully("npm", ["run", "docker-context"], { cwd: project });
      const context = path.join(project, "dist", "docker-context");
      const { dependencies } = JSON.parse(readFileSync(path.join(context, "package.json"), "utf8")) as {
        readonly dependencies: Readonly<Record<string, string>>;
      };
      expect(dependencies["@kubescaffold/runtime"]).toBe(`file:packages/kubescaffold-runtime-${version}.tgz`);
      for (const spec of Object.values(dependencies)) {
        const packed = readFileSync(path.join(context, spec.slice("file:".length)));
        expect(packed.equals(readFileSync(path.join(tarballs, path.basename(spec))))).toBe(true);
      }
    },
    LIVENESS_MS,
  );
});

describe("the first hour with them, in the project of the tour,", () => {
  testFirstHour({ installed: path.join(folder, "installed"), tarballs, version, livenessMs: LIVENESS_MS });
});
