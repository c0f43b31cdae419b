import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { createApiServer } from "@kubescaffold/apiserver";
import { storeDescriptions } from "@kubescaffold/envtest/descriptions";
import { KUBERNETES_VERSION } from "@kubescaffold/k8s";
import type { Descriptions } from "@kubescaffold/k8s/tables";
import { describe, expect, it, onTestFinished } from "vitest";

import { CREATE_API, INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";
import {
  DECLARATIONS,
  DESCRIPTIONS,
  MODELS,
  packageOfTypes,
  PACKAGES,
  PACKAGE,
  projectFolder,
  readTypes,
  typesFolder,
  useOwnCache,
  useRegistry,
  VERSION,
} from "./described-types.ts";

const cacheOfTest = useOwnCache();

describe("k8s-docs", () => {
  it("downloads the package once, and describes explain and the types in node_modules", async () => {
    const registry = await useRegistry(MODELS);
    const root = projectFolder();
    const first = await runCommand(root, "k8s-docs");
    expect(first).toMatchObject({ status: 0, stderr: "" });
    expect(first.stdout).toBe(
      [
        `release  v1.36.0, from ${PACKAGE}@${VERSION}`,
        `cached   ${path.join(cacheOfTest(), "kubescaffold", "k8s-docs", "v1.36.json")}`,
        `types    described in 1 file of ${typesFolder(root)}`,
        "",
      ].join("\n"),
    );
    expect(readTypes(root)).toContain(
      "    /**\n     * The containers of a Pod.\n     */\n    containers: Container[];\n",
    );
    expect((await runCommand(root, "explain pod.spec")).stdout).toContain("What a Pod runs.\n\nFields:\n");
    expect((await runCommand(root, "explain pod.spec.containers.image")).stdout).toContain("The image of a container.");

    const requests = registry.requests.length;
    expect(await runCommand(root, "k8s-docs")).toEqual(first);
    expect(registry.requests).toHaveLength(requests);
    await runCommand(root, "k8s-docs --refresh");
    expect(registry.requests.length).toBeGreaterThan(requests);
  });

  it("restores the types", async () => {
    await storeDescriptions(DESCRIPTIONS);
    const root = projectFolder();
    const before = readFiles(root);
    await runCommand(root, "k8s-docs");
    await runCommand(root, "k8s-docs");
    expect(readFiles(root)).not.toEqual(before);
    expect((await runCommand(root, "k8s-docs --remove")).stdout).toBe(
      "types    removed the descriptions from 1 file\n",
    );
    expect(readFiles(root)).toEqual(before);
    expect((await runCommand(root, "k8s-docs --remove")).stdout).toBe("types    have no descriptions\n");
  });

  it("describes the types of a package that was installed again", async () => {
    await storeDescriptions(DESCRIPTIONS);
    const root = projectFolder();
    await runCommand(root, "k8s-docs");
    const reinstalled = DECLARATIONS.replace("    containers", "    added?: string;\n    containers");
    writeFileSync(path.join(typesFolder(root), "dist/api/core/v1.d.ts"), reinstalled);
    await runCommand(root, "k8s-docs");
    expect(readTypes(root)).toContain("    added?: string;\n    /**\n     * The containers of a Pod.");
    await runCommand(root, "k8s-docs --remove");
    expect(readTypes(root)).toBe(reinstalled);
  });

  it("does not change files that a store shares with other projects", async () => {
    await storeDescriptions(DESCRIPTIONS);
    const root = projectFolder();
    const stored = path.join(cacheOfTest(), "stored.d.ts");
    linkSync(path.join(typesFolder(root), "dist/api/core/v1.d.ts"), stored);
    await runCommand(root, "k8s-docs");
    expect(readTypes(root)).toContain("The containers of a Pod.");
    expect(readFileSync(stored, "utf8")).toBe(DECLARATIONS);
  });

  it("leaves linked packages alone, and works without any", async () => {
    await storeDescriptions(DESCRIPTIONS);
    const linked = temporaryFolder(packageOfTypes());
    const root = temporaryFolder();
    mkdirSync(path.join(root, "node_modules/@kubescaffold"), { recursive: true });
    symlinkSync(linked, path.join(root, "node_modules/@kubescaffold/k8s"));
    const before = readFiles(linked);
    expect((await runCommand(root, "k8s-docs")).stdout).toContain(
      "types    not changed: @kubescaffold/k8s is a linked folder\n",
    );
    expect(readFiles(linked)).toEqual(before);
    const { status, stdout } = await runCommand(temporaryFolder(), "k8s-docs");
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining("not changed: @kubescaffold/k8s is not installed here"),
    ]);
  });

  it("prints JSON", async () => {
    await storeDescriptions(DESCRIPTIONS);
    const root = projectFolder();
    const { stdout } = await runCommand(root, "k8s-docs --output json");
    expect(JSON.parse(stdout)).toMatchObject({ release: "v1.35.4", source: "a test", types: { files: 1 } });
  });

  it("fails with the error of npm, and changes nothing, when the registry does not have the package", async () => {
    await useRegistry({}, "other");
    const root = projectFolder();
    const before = readFiles(root);
    const { status, stderr } = await runCommand(root, "k8s-docs");
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^error: cannot download \S+ and \S+ with npm: Not Found - GET \S+ \[CLI_EXTERNAL_PROGRAM\]\nhint: .*\n$/u,
    );
    expect(readFiles(root)).toEqual(before);
    expect(existsSync(path.join(cacheOfTest(), "kubescaffold", "k8s-docs"))).toBe(false);
  });

  it("refuses a package without descriptions", async () => {
    await useRegistry({ "v1/Pod.d.ts": "export interface IPod {\n}\n" });
    const { status, stderr } = await runCommand(projectFolder(), "k8s-docs");
    expect(status).toBe(1);
    expect(stderr).toContain(`cannot use ${PACKAGES}: they contain no descriptions of Kubernetes types`);
  });

  it("uses cached descriptions alone with --offline", async () => {
    const registry = await useRegistry(MODELS);
    const { status, stderr } = await runCommand(projectFolder(), "k8s-docs --offline");
    expect([status, stderr]).toEqual([1, expect.stringContaining("cannot add descriptions: none are cached")]);
    expect(registry.requests).toEqual([]);
    await storeDescriptions(DESCRIPTIONS);
    expect((await runCommand(projectFolder(), "k8s-docs --offline")).status).toBe(0);
  });

  it.each(["inside", "outside"])("writes an absolute path %s of the project to that place", async (place) => {
    await storeDescriptions(DESCRIPTIONS);
    const root = projectFolder();
    const file = path.join(place === "inside" ? root : temporaryFolder(), "hack", "k8s-docs.json");
    const { status, stdout } = await runCommand(root, `k8s-docs --no-types --output-file ${file}`);
    expect(status).toBe(0);
    expect(stdout).toContain(`written  ${file}\n`);
    expect(readFileSync(file, "utf8")).toContain("The containers of a Pod.");
    expect(existsSync(path.join(root, "tmp"))).toBe(false);
  });

  it("fails when a folder is in the place of the file", async () => {
    await storeDescriptions(DESCRIPTIONS);
    const root = temporaryFolder({ "hack/other.txt": "" });
    const { status, stderr } = await runCommand(root, "k8s-docs --output-file hack");
    expect([status, stderr]).toEqual([
      1,
      "error: cannot write hack: a folder is in its place (EISDIR) [SCAFFOLD_DISK]\nhint: choose another path, or move the folder; the file was not changed\n",
    ]);
    expect(Object.keys(readFiles(root))).toEqual(["hack/other.txt"]);
  });

  it("fails for types that cannot be replaced, with the flag that leaves them alone", async () => {
    await storeDescriptions(DESCRIPTIONS);
    const root = projectFolder();
    const original = path.join(typesFolder(root), "dist/api/core/v1.d.ts.original");
    mkdirSync(original);
    const { status, stderr } = await runCommand(root, "k8s-docs");
    expect([status, stderr]).toEqual([
      1,
      `error: cannot write ${original}: a folder is in its place (EISDIR) [SCAFFOLD_DISK]\n` +
        "hint: choose another path, or move the folder; `scaffold k8s-docs --no-types` leaves the types as they are\n",
    ]);
    expect(readTypes(root)).toBe(DECLARATIONS);
    expect((await runCommand(root, "k8s-docs --no-types")).status).toBe(0);
  });

  it("fails for types that cannot be restored, with what replaces them", async () => {
    await storeDescriptions(DESCRIPTIONS);
    const root = projectFolder();
    await runCommand(root, "k8s-docs");
    // The name of a file that is being written is longer, too long for a file system.
    const file = path.join(typesFolder(root), "dist/api/core", `${"x".repeat(230)}.d.ts`);
    writeFileSync(file, readTypes(root));
    writeFileSync(`${file}.original`, DECLARATIONS);
    const { status, stderr } = await runCommand(root, "k8s-docs --remove");
    expect([status, stderr]).toEqual([
      1,
      `error: cannot write ${file}: the name is too long (ENAMETOOLONG) [SCAFFOLD_DISK]\n` +
        "hint: choose a shorter name; to replace a damaged package, remove its folder and run `npm install`\n",
    ]);
  });

  it("fails for types whose original is lost, and names the file", async () => {
    await storeDescriptions(DESCRIPTIONS);
    const root = projectFolder();
    await runCommand(root, "k8s-docs");
    const file = path.join(typesFolder(root), "dist/api/core/v1.d.ts.original");
    rmSync(file);
    const { status, stderr } = await runCommand(root, "k8s-docs");
    expect(status).toBe(1);
    expect(stderr).toContain(`error: cannot read ${file}: `);
    expect(stderr).toContain("remove its folder and run `npm install`\n");
  });
});

describe.skipIf(process.platform === "win32")("k8s-docs --from cluster", () => {
  it("reads the OpenAPI documents of the server that kubectl reaches", async () => {
    const root = projectFolder();
    const kubectl = await kubectlOf(DESCRIPTIONS);
    const { status, stdout, stderr } = await runCommand(root, `k8s-docs --from cluster --kubectl ${kubectl}`);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`release  v${KUBERNETES_VERSION}, from the API server v${KUBERNETES_VERSION}+embedded\n`);
    expect(readTypes(root)).toContain("The containers of a Pod.");
    expect((await runCommand(root, "explain pod.spec")).stdout).toContain("What a Pod runs.");
  });

  it("passes the kubeconfig and the context to kubectl", async () => {
    const root = projectFolder();
    const kubectl = script(root, 'printf "%s\\n" "$*" >&2; exit 3');
    const { status, stderr } = await runCommand(
      root,
      `k8s-docs --kubeconfig dev.yaml --context dev --kubectl ${kubectl}`,
    );
    expect(status).toBe(1);
    expect(stderr).toContain("get --raw /version --kubeconfig=dev.yaml --context=dev\n");
  });

  it("refuses a server without descriptions", async () => {
    const kubectl = await kubectlOf({ ...DESCRIPTIONS, types: {} });
    const { status, stderr } = await runCommand(projectFolder(), `k8s-docs --from cluster --kubectl ${kubectl}`);
    expect(status).toBe(1);
    expect(stderr).toContain(
      `cannot use the descriptions of the API server v${KUBERNETES_VERSION}+embedded: it publishes none`,
    );
  });
});

describe.skipIf(process.platform === "win32")("k8s-docs for a hostile server", () => {
  it("refuses a version that would end the comment with it", async () => {
    const root = projectFolder();
    const kubectl = script(root, String.raw`printf '%s' '{"gitVersion":"v1.35.0\nexport const planted = 1;"}'`);
    const { status, stderr } = await runCommand(root, `k8s-docs --from cluster --kubectl ${kubectl}`);
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining("cannot use the descriptions of the API server v1.35.0?export const planted = 1;"),
    ]);
    expect(readTypes(root)).toBe(DECLARATIONS);
  });
});

describe("crd:descriptionsFile", () => {
  it("adds the descriptions of the project's file to CRDs, whatever the cache contains", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT, CREATE_API);
    const types = path.join(root, "api/v1/guestbook_types.ts");
    const field = "  /** Describes the Pods. */\n  template?: PodTemplateSpec;\n";
    writeFileSync(
      types,
      `import type { PodTemplateSpec } from "@kubescaffold/k8s/core/v1";\n${readFileSync(types, "utf8").replace(/(export interface GuestbookSpec \{\n)/u, `$1${field}`)}`,
    );
    await runCommands(root, "manifests");
    const crd = (): string => readFileSync(path.join(root, "config/crd/bases/webapp.demo_guestbooks.yaml"), "utf8");
    const plain = crd();

    await storeDescriptions(DESCRIPTIONS);
    await runCommands(root, "manifests");
    expect(crd()).toBe(plain);

    const written = await runCommand(root, "k8s-docs --output-file hack/k8s-docs.json");
    expect(written.stdout).toContain("npx scaffold edit --generator-options crd:descriptionsFile=hack/k8s-docs.json\n");
    await runCommands(root, "edit --generator-options crd:descriptionsFile=hack/k8s-docs.json");
    const described = crd();
    expect(described).toMatch(/description: What a Pod runs\.\n/u);
    expect(described).toMatch(/description: The containers of a Pod\.\n/u);
    expect(described).toContain("description: Describes the Pods.\n");

    await storeDescriptions({ ...DESCRIPTIONS, types: {} });
    await runCommands(root, "manifests");
    expect(crd()).toBe(described);

    await runCommands(root, "edit --generator-options crd:descriptionsFile=hack/k8s-docs.json,maxDescLen=10");
    expect(crd()).toMatch(/description: What a...\n/u);
  });

  it("is an error for a file that is missing or something else", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT, CREATE_API);
    const run = async (): Promise<string> =>
      (await runCommand(root, "manifests --generator-options crd:descriptionsFile=hack/k8s-docs.json")).stderr;
    expect(await run()).toContain("cannot read the descriptions in hack/k8s-docs.json");
    writeFiles(root, { "hack/k8s-docs.json": "{}" });
    expect(await run()).toContain("cannot use hack/k8s-docs.json: it contains no descriptions");
  });
});

// A kubectl that prints the answers of a server with descriptions.
async function kubectlOf(descriptions: Descriptions): Promise<string> {
  const server = createApiServer({ descriptions: async () => descriptions });
  onTestFinished(async () => await server.close());
  const folder = temporaryFolder();
  const answer = async (target: string): Promise<string> =>
    (await server.handle(new Request(`http://server.test${target}`))).text();
  const index = JSON.parse(await answer("/openapi/v3")) as Index;
  const targets = Object.values(index.paths).map(({ serverRelativeURL }) => serverRelativeURL);
  for (const target of ["/version", "/openapi/v3", ...targets])
    writeFiles(folder, { [fileOf(target)]: await answer(target) });
  return script(folder, `cat "${folder}/$(printf %s "$3" | tr '/?=' '___')"`);
}

interface Index {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}

function fileOf(target: string): string {
  return target.replaceAll(/[/?=]/gu, "_");
}

function script(folder: string, text: string): string {
  const file = path.join(folder, "kubectl");
  writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return file;
}
