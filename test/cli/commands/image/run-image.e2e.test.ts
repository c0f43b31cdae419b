import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";

import { imageProject } from "../../../support/image-project.ts";
import {
  type FoundConfig,
  type FoundDescriptor,
  type FoundManifest,
  readBlob,
  readIndex,
  readJsonBlob,
  unpack,
} from "../../../support/read-image.ts";
import { runCommand } from "../../../support/run-command.ts";
import { readFiles, temporaryFolder } from "../../../support/temporary-folder.ts";
import { makeBase, storeBase, type TestBase, writeBase } from "../../../support/test-base.ts";
import { TestRegistry } from "../../../support/test-registry.ts";

beforeEach(() => {
  vi.stubEnv("XDG_CACHE_HOME", temporaryFolder());
  vi.stubEnv("DOCKER_CONFIG", temporaryFolder());
  vi.stubEnv("REGISTRY_AUTH_FILE", undefined);
  vi.stubEnv("SOURCE_DATE_EPOCH", undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
});

function logIn(host: string, username: string, password: string): void {
  const auth = Buffer.from(`${username}:${password}`).toString("base64");
  const file = path.join(process.env["DOCKER_CONFIG"] ?? "", "config.json");
  writeFileSync(file, JSON.stringify({ auths: { [host]: { auth } } }));
}

async function projectOn(base: TestBase): Promise<string> {
  const project = imageProject();
  writeBase(path.join(project, "base"), base);
  return project;
}

async function succeed(cwd: string, line: string): Promise<Report> {
  const { status, stdout, stderr } = await runCommand(cwd, `${line} --output json`);
  expect([status, stderr, status === 0 ? "" : stdout]).toEqual([0, "", ""]);
  return JSON.parse(stdout) as Report;
}

interface Report {
  readonly digest: string;
  readonly base: { readonly name: string; readonly digest: string };
  readonly layer: { readonly digest: string; readonly size: number; readonly diffId: string };
  readonly platforms: readonly { readonly platform: string; readonly digest: string }[];
  readonly packages: number;
  readonly written: readonly string[];
  readonly pushed: readonly { readonly name: string; readonly blobs: Readonly<Record<string, number>> }[];
}

describe("scaffold image on a layout", () => {
  it("puts the bundle as one layer on those of the base, with what the Dockerfile says", async () => {
    const base = await makeBase();
    const project = await projectOn(base);
    const report = await succeed(project, "image --base base --label a.b=c,d=e");
    const layout = path.join(project, "dist/image");
    const [image] = readIndex(layout);
    expect(image?.digest).toBe(report.digest);
    const manifest = readJsonBlob<FoundManifest>(layout, report.digest);
    expect(manifest.layers.map(({ digest }) => digest)).toEqual([base.blobs[1]?.digest, report.layer.digest]);
    const { config, rootfs, history, created } = readJsonBlob<FoundConfig>(layout, manifest.config.digest);
    expect(config).toEqual({
      Env: ["PATH=/bin", "NODE_ENV=production"],
      User: "65532:65532",
      WorkingDir: "/",
      Entrypoint: [
        "/nodejs/bin/node",
        "--liftoff-only",
        "--max-semi-space-size=8",
        "--v8-pool-size=1",
        "--enable-source-maps",
        "/manager.mjs",
      ],
      Labels: {
        "a.b": "c,d=e",
        "base.label": "kept",
        "org.opencontainers.image.created": "1970-01-01T00:00:00Z",
        "org.opencontainers.image.description": "An operator",
        "org.opencontainers.image.licenses": "MIT",
        "org.opencontainers.image.title": "guestbook",
        "org.opencontainers.image.version": "1.2.3",
      },
    });
    expect(rootfs.diff_ids.at(-1)).toBe(report.layer.diffId);
    expect(history).toHaveLength(2);
    expect(created).toBe("1970-01-01T00:00:00Z");
  });

  it("packs the manager for root to own and anyone to read, without a time", async () => {
    const project = await projectOn(await makeBase());
    const { layer } = await succeed(project, "image --base base");
    const files = await unpack(readBlob(path.join(project, "dist/image"), layer.digest));
    expect([...files.keys()]).toEqual(["manager.mjs"]);
    const { header, bytes } = files.get("manager.mjs") ?? {};
    expect(bytes?.toString()).toBe("console.log('the manager');\n");
    expect(header).toMatchObject({ uid: 0, gid: 0, mode: 0o644, mtime: new Date(0) });
  });

  it("makes the same files however often it runs, and an archive of the same bytes", async () => {
    const project = await projectOn(await makeBase({ architectures: ["amd64", "arm64"] }));
    const line = "image --base base --tag guestbook:v1 --oci-layout-path dist/image --tarball dist/image.tar";
    const first = await succeed(project, line);
    const files = readFiles(path.join(project, "dist/image"));
    const archive = readFileSync(path.join(project, "dist/image.tar"));
    rmSync(path.join(project, "dist"), { recursive: true });
    const second = await succeed(project, line);
    expect(second.digest).toBe(first.digest);
    expect(readFiles(path.join(project, "dist/image"))).toEqual(files);
    expect(readFileSync(path.join(project, "dist/image.tar")).equals(archive)).toBe(true);
    expect(readdirSync(path.join(project, "dist")).toSorted()).toEqual(
      ["image", "image.tar", "manager.meta.json", "manager.mjs", "manager.spdx.json"].toSorted(),
    );
  });

  it("writes an archive that holds the files of the layout, and that is a base again", async () => {
    const project = await projectOn(await makeBase());
    const report = await succeed(project, "image --base base --tag guestbook:v1 --tarball dist/image.tar");
    expect(report.written).toEqual(["dist/image.tar", "dist/manager.spdx.json"]);
    const files = await unpack(readFileSync(path.join(project, "dist/image.tar")));
    expect([...files.keys()]).toContain("oci-layout");
    const [docker] = JSON.parse(files.get("manifest.json")?.bytes.toString() ?? "") as [
      { readonly RepoTags: readonly string[]; readonly Config: string; readonly Layers: readonly string[] },
    ];
    expect(docker.RepoTags).toEqual(["docker.io/library/guestbook:v1"]);
    for (const file of [docker.Config, ...docker.Layers]) expect(files.has(file)).toBe(true);
    const again = await succeed(project, "image --base oci-archive:dist/image.tar:v1 --oci-layout-path again");
    expect(again.base.digest).toBe(report.digest);
  });

  it("takes its time from SOURCE_DATE_EPOCH", async () => {
    const project = await projectOn(await makeBase());
    const without = await succeed(project, "image --base base");
    vi.stubEnv("SOURCE_DATE_EPOCH", "1700000000");
    const { digest, layer } = await succeed(project, "image --base base");
    expect(digest).not.toBe(without.digest);
    const layout = path.join(project, "dist/image");
    const files = await unpack(readBlob(layout, layer.digest));
    expect(files.get("manager.mjs")?.header.mtime).toEqual(new Date(1_700_000_000_000));
    const { config } = readJsonBlob<FoundManifest>(layout, digest);
    expect(readJsonBlob<FoundConfig>(layout, config.digest).created).toBe("2023-11-14T22:13:20Z");
  });

  it("makes an image for every platform of the base, and for one that is asked for no index", async () => {
    const project = await projectOn(await makeBase({ architectures: ["amd64", "arm64"], isDocker: true }));
    const all = await succeed(project, "image --base base");
    const layout = path.join(project, "dist/image");
    const index = readJsonBlob<FoundManifest>(layout, all.digest);
    expect(index.mediaType).toBe("application/vnd.oci.image.index.v1+json");
    expect(index.manifests.map(({ platform }) => platform?.architecture)).toEqual(["amd64", "arm64"]);
    const [first] = index.manifests;
    const manifest = readJsonBlob<FoundManifest>(layout, first?.digest ?? "");
    expect([manifest.mediaType, ...manifest.layers.map(({ mediaType }) => mediaType)]).toEqual([
      "application/vnd.oci.image.manifest.v1+json",
      "application/vnd.oci.image.layer.v1.tar+gzip",
      "application/vnd.oci.image.layer.v1.tar+gzip",
    ]);
    const one = await succeed(project, "image --base base --platform linux/arm64");
    expect(one.digest).toBe(index.manifests[1]?.digest);
    expect(one.platforms).toEqual([{ platform: "linux/arm64", digest: one.digest }]);
  });

  it("lists the packages in the bundle in an SPDX document that refers to the image", async () => {
    const project = await projectOn(await makeBase());
    const { digest, packages } = await succeed(project, "image --base base");
    expect(packages).toBe(1);
    const layout = path.join(project, "dist/image");
    const referrer = readIndex(layout).find(({ artifactType }) => artifactType === "application/spdx+json");
    const manifest = readJsonBlob<FoundManifest>(layout, referrer?.digest ?? "");
    expect(manifest.subject?.digest).toBe(digest);
    const attached = readBlob(layout, manifest.layers[0]?.digest ?? "");
    const file = readFileSync(path.join(project, "dist/manager.spdx.json"));
    expect(attached.equals(file)).toBe(true);
    expect(file.toString()).toContain('"pkg:npm/%40scope/pack@4.5.6"');
    expect(file.toString()).not.toContain("left-out");
  });

  it("writes nothing on a dry run, and says what it would make", async () => {
    const project = await projectOn(await makeBase());
    const { status, stdout } = await runCommand(project, "image --base base --dry-run");
    expect(status).toBe(0);
    expect(stdout).toContain(
      "starts    /nodejs/bin/node --liftoff-only --max-semi-space-size=8 --v8-pool-size=1 --enable-source-maps /manager.mjs as 65532:65532",
    );
    expect(existsSync(path.join(project, "dist"))).toBe(false);
  });

  it.each([
    ["image --base base --platform linux/s390x", "IMAGE_PLATFORM", "linux/amd64"],
    ["image --base base --platform amd64", "IMAGE_PLATFORM", "os/architecture"],
    ["image --base missing.tar", "IMAGE_BASE", "no such file or folder"],
    ["image --base hack", "IMAGE_BASE", "not an OCI image layout"],
    ["image --base oci:base:v9", "IMAGE_BASE", "no image named v9"],
    ["image --base PROJECT", "IMAGE_BASE", "PROJECT"],
    ["image --base base --oci-layout-path hack", "IMAGE_TARGET", "files that are not part of an image"],
    ["image --base base --tag Not/A/Name", "IMAGE_REFERENCE", "Not"],
    ["image --base base --label x", "CLI_INVALID_FLAG", "name=value"],
    ["image --base base --push", "CLI_MISSING_FLAG", "tag"],
    ["image --base base --build=false", "IMAGE_BUNDLE", "dist/manager.mjs"],
  ])("%s fails with %s", async (line, code, text) => {
    const project = await projectOn(await makeBase());
    const { status, stderr } = await runCommand(project, line);
    expect(status).toBe(1);
    expect(stderr).toContain(`[${code}]`);
    expect(stderr).toContain(text);
    expect(existsSync(path.join(project, "dist/image"))).toBe(false);
  });

  it("says that another base needs the program of the entry point, unless it is named", async () => {
    const project = await projectOn(await makeBase({ program: "/usr/bin/docker-entrypoint.sh" }));
    const { stderr } = await runCommand(project, "image --base base");
    expect(stderr).toContain("note: the image starts /nodejs/bin/node, which the base image must contain");
    const { digest } = await succeed(project, "image --base base --entrypoint node,/manager.mjs");
    const layout = path.join(project, "dist/image");
    const { config } = readJsonBlob<FoundManifest>(layout, digest);
    expect(readJsonBlob<FoundConfig>(layout, config.digest).config["Entrypoint"]).toEqual(["node", "/manager.mjs"]);
  });

  it("refuses a base of which a blob was changed", async () => {
    const base = await makeBase();
    const project = await projectOn(base);
    const layer = base.blobs[1]?.digest ?? "";
    const file = path.join(project, "base/blobs", layer.replace(":", "/"));
    const bytes = readFileSync(file);
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    const { stderr } = await runCommand(project, "image --base base");
    expect(stderr).toContain("[IMAGE_DIGEST]");
    expect(existsSync(path.join(project, "dist/image"))).toBe(false);
  });

  it("says so when the build does not tell what it bundled, unless the list is not wanted", async () => {
    const project = await projectOn(await makeBase());
    writeFileSync(
      path.join(project, "hack/build.mjs"),
      'import fs from "node:fs"; fs.mkdirSync("dist", { recursive: true }); fs.writeFileSync("dist/manager.mjs", "");',
    );
    expect((await runCommand(project, "image --base base")).stderr).toContain("[IMAGE_BUNDLE]");
    const { digest } = await succeed(project, "image --base base --sbom=false");
    expect(readIndex(path.join(project, "dist/image")).map((each: FoundDescriptor) => each.digest)).toEqual([digest]);
  });

  it("prints what a build that fails says", async () => {
    const project = await projectOn(await makeBase());
    writeFileSync(path.join(project, "hack/build.mjs"), 'console.error("cmd/main.ts:3: error"); process.exit(1);');
    const { stderr } = await runCommand(project, "image --base base");
    expect(stderr).toContain("cmd/main.ts:3: error");
    expect(stderr).toContain("[CLI_EXTERNAL_PROGRAM]");
  });
});

describe("scaffold image with a registry", () => {
  const PASSWORD = { username: "user", password: "pass:word" };

  it("pulls the base, pushes the image, and leads by name and digest to the same", async () => {
    const registry = await TestRegistry.start();
    storeBase(registry, "base/node", "v1", await makeBase({ architectures: ["amd64", "arm64"] }));
    const project = imageProject();
    const name = `${registry.host}/team/guestbook`;
    const base = `${registry.host}/base/node:v1`;
    const pushed = await succeed(project, `image --base ${base} --tag ${name}:v1,${name}:latest --push`);
    expect(pushed.written).toEqual(["dist/manager.spdx.json"]);
    expect(pushed.pushed.map((each) => each.name)).toEqual([
      `${name}:v1@${pushed.digest}`,
      `${name}:latest@${pushed.digest}`,
    ]);
    const { manifests } = registry.repository("team/guestbook");
    expect(manifests.get("v1")?.bytes.equals(manifests.get(pushed.digest)?.bytes ?? Buffer.of())).toBe(true);
    const layout = await succeed(project, `image --base ${base}`);
    expect(layout.digest).toBe(pushed.digest);
    const pulled = await succeed(project, `image --base ${name}@${pushed.digest} --oci-layout-path pulled`);
    expect(pulled.base).toEqual({ name: `${name}@${pushed.digest}`, digest: pushed.digest });
    for (const { digest } of readJsonBlob<FoundManifest>(path.join(project, "dist/image"), pushed.digest).manifests)
      expect(manifests.get(digest)?.bytes.equals(readBlob(path.join(project, "dist/image"), digest))).toBe(true);
  });

  it("mounts the layers of a base in the same registry and never reads them", async () => {
    const registry = await TestRegistry.start();
    const base = await makeBase();
    storeBase(registry, "base/node", "v1", base);
    const line = `image --base ${registry.host}/base/node:v1 --tag ${registry.host}/team/guestbook:v1 --push`;
    const [first] = (await succeed(imageProject(), line)).pushed;
    expect(first?.blobs).toEqual({ existed: 0, mounted: 1, uploaded: 4 });
    expect(registry.paths("GET")).not.toContain(`/v2/base/node/blobs/${base.blobs[1]?.digest}`);
    const [second] = (await succeed(imageProject(), line)).pushed;
    expect(second?.blobs).toEqual({ existed: 5, mounted: 0, uploaded: 0 });
  });

  it("sends the layers when the registry does not mount them", async () => {
    const registry = await TestRegistry.start();
    registry.mounts = false;
    storeBase(registry, "base/node", "v1", await makeBase());
    const line = `image --base ${registry.host}/base/node:v1 --tag ${registry.host}/team/guestbook:v1 --push`;
    expect((await succeed(imageProject(), line)).pushed[0]?.blobs).toEqual({ existed: 0, mounted: 0, uploaded: 5 });
  });

  it("reads the base from the cache the second time, and again when the cache is damaged", async () => {
    const registry = await TestRegistry.start();
    const base = await makeBase();
    storeBase(registry, "base/node", "v1", base);
    const line = `image --base ${registry.host}/base/node@${base.root.digest}`;
    await succeed(imageProject(), line);
    const asked = registry.seen.length;
    await succeed(imageProject(), line);
    expect(registry.seen.length).toBe(asked);
    const blobs = path.join(process.env["XDG_CACHE_HOME"] ?? "", "kubescaffold/blobs");
    for (const file of readdirSync(blobs)) writeFileSync(path.join(blobs, file), "damaged");
    await succeed(imageProject(), line);
    expect(registry.seen.length).toBe(asked * 2);
  });

  it.each([
    { kind: "basic", ...PASSWORD },
    { kind: "bearer", ...PASSWORD, anonymousPull: false },
    { kind: "bearer", ...PASSWORD, anonymousPull: true },
  ] as const)("pulls and pushes with the password of docker login: $kind", async (auth) => {
    const registry = await TestRegistry.start();
    registry.auth = auth;
    storeBase(registry, "base/node", "v1", await makeBase());
    logIn(registry.host, PASSWORD.username, PASSWORD.password);
    const line = `image --base ${registry.host}/base/node:v1 --tag ${registry.host}/team/guestbook:v1 --push`;
    expect((await succeed(imageProject(), line)).pushed[0]?.blobs["mounted"]).toBe(1);
  });

  it("pulls without a password where anyone may, and says to log in where not", async () => {
    const registry = await TestRegistry.start();
    registry.auth = { kind: "bearer", ...PASSWORD, anonymousPull: true };
    storeBase(registry, "base/node", "v1", await makeBase());
    const pull = `image --base ${registry.host}/base/node:v1`;
    await succeed(imageProject(), pull);
    const { status, stderr } = await runCommand(imageProject(), `${pull} --tag ${registry.host}/x:v1 --push`);
    expect(status).toBe(1);
    expect(stderr).toContain("[IMAGE_REGISTRY_UNAUTHORIZED]");
    expect(stderr).toContain("docker login");
  });

  it("attaches the list of packages by a tag where the registry keeps no record of referrers", async () => {
    const registry = await TestRegistry.start();
    registry.knowsReferrers = false;
    storeBase(registry, "base/node", "v1", await makeBase());
    const line = `image --base ${registry.host}/base/node:v1 --tag ${registry.host}/x:v1 --push`;
    const { digest } = await succeed(imageProject(), line);
    const tag = digest.replace(":", "-");
    const { manifests } = registry.manifest<FoundManifest>("x", tag);
    expect(manifests.map(({ artifactType }) => artifactType)).toEqual(["application/spdx+json"]);
    await succeed(imageProject(), line);
    expect(registry.manifest<FoundManifest>("x", tag).manifests).toHaveLength(1);
  });

  it("fails for a tag that is not there, and for a base that is not what its digest says", async () => {
    const registry = await TestRegistry.start();
    const base = await makeBase();
    storeBase(registry, "base/node", "v1", base);
    const missing = await runCommand(imageProject(), `image --base ${registry.host}/base/node:v2`);
    expect(missing.stderr).toContain("[IMAGE_REGISTRY_NOT_FOUND]");
    const layer = base.blobs[1]?.digest ?? "";
    registry.fault = ({ path: asked }) =>
      asked.endsWith(layer) ? { kind: "body", body: "something else" } : undefined;
    const project = imageProject();
    const { stderr } = await runCommand(project, `image --base ${registry.host}/base/node:v1`);
    expect(stderr).toContain("[IMAGE_DIGEST]");
    expect(existsSync(path.join(project, "dist/image"))).toBe(false);
  });
});
