import { createPublicKey, verify } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";

import { generateCosignKey } from "../../../support/cosign-key.ts";
import { COSIGN, runCosign } from "../../../support/cosign.ts";
import { imageProject } from "../../../support/image-project.ts";
import type { FoundManifest } from "../../../support/read-image.ts";
import { runCommand } from "../../../support/run-command.ts";
import { runSuccessfully } from "../../../support/run-program.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { makeBase, storeBase } from "../../../support/test-base.ts";
import { TestRegistry } from "../../../support/test-registry.ts";

const PASSWORD = "correct horse";
const SIGNATURE = "dev.cosignproject.cosign/signature";
const SLSA = "https://slsa.dev/provenance/v1";

interface Report {
  readonly digest: string;
  readonly platforms: readonly { readonly digest: string }[];
  readonly pushed: readonly { readonly name: string; readonly signed?: string }[];
}

interface Setup {
  readonly registry: TestRegistry;
  readonly project: string;
  readonly name: string;
  readonly publicKey: string;
  readonly line: string;
}

beforeEach(() => {
  vi.stubEnv("XDG_CACHE_HOME", temporaryFolder());
  vi.stubEnv("DOCKER_CONFIG", temporaryFolder());
  vi.stubEnv("REGISTRY_AUTH_FILE", undefined);
  vi.stubEnv("SOURCE_DATE_EPOCH", undefined);
  vi.stubEnv("COSIGN_PASSWORD", PASSWORD);
  onTestFinished(() => void vi.unstubAllEnvs());
});

async function setUp(architectures: readonly string[] = ["amd64", "arm64"]): Promise<Setup> {
  const registry = await TestRegistry.start();
  storeBase(registry, "base/node", "v1", await makeBase({ architectures }));
  const { privateKey, publicKey } = generateCosignKey(PASSWORD);
  const project = imageProject({ "cosign.key": privateKey, "cosign.pub": publicKey, "package-lock.json": "{}" });
  const name = `${registry.host}/team/guestbook`;
  const line = `image --base ${registry.host}/base/node:v1 --tag ${name}:v1 --push --sign-key cosign.key`;
  return { registry, project, name, publicKey, line };
}

async function succeed(cwd: string, line: string): Promise<Report> {
  const { status, stdout, stderr } = await runCommand(cwd, `${line} --output json`);
  expect([status, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as Report;
}

function tagOf(digest: string, kind: "sig" | "att"): string {
  return `${digest.replace(":", "-")}.${kind}`;
}

function blob({ registry }: Setup, digest = ""): Buffer {
  const found = registry.repository("team/guestbook").blobs.get(digest);
  if (found === undefined) throw new Error(`the registry has no blob ${digest}`);
  return found;
}

function layersOf({ registry }: Setup, tag: string): FoundManifest["layers"] {
  return registry.manifest<FoundManifest>("team/guestbook", tag).layers;
}

function snapshotOf({ registry }: Setup): readonly string[] {
  const { manifests, blobs } = registry.repository("team/guestbook");
  return [...manifests.keys(), ...blobs.keys()].toSorted();
}

describe("scaffold image --sign-key", () => {
  it("signs the image and that of every platform, which node:crypto verifies with the public key", async () => {
    const setup = await setUp();
    const { digest, platforms, pushed } = await succeed(setup.project, setup.line);
    expect(pushed).toMatchObject([{ signed: "image and provenance" }]);
    for (const subject of [digest, ...platforms.map((each) => each.digest)]) {
      const [layer] = layersOf(setup, tagOf(subject, "sig"));
      const payload = blob(setup, layer?.digest);
      expect(JSON.parse(payload.toString())).toEqual({
        critical: {
          identity: { "docker-reference": setup.name },
          image: { "docker-manifest-digest": subject },
          type: "cosign container image signature",
        },
        optional: null,
      });
      const signature = Buffer.from(layer?.annotations?.[SIGNATURE] ?? "", "base64");
      expect(verify("sha256", payload, createPublicKey(setup.publicKey), signature)).toBe(true);
    }
  });

  it("attaches the provenance in a signed envelope, with the commit, the base and the lock file", async () => {
    const setup = await setUp(["amd64"]);
    const git = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
    for (const words of [
      ["init", "--quiet"],
      ["add", "PROJECT"],
      [...git, "commit", "--quiet", "-m", "First"],
    ])
      await runSuccessfully("git", words, { cwd: setup.project });
    const commit = (await runSuccessfully("git", ["rev-parse", "HEAD"], { cwd: setup.project })).trim();
    const { digest } = await succeed(setup.project, setup.line);
    const [layer] = layersOf(setup, tagOf(digest, "att"));
    expect(layer).toMatchObject({
      mediaType: "application/vnd.dsse.envelope.v1+json",
      annotations: { predicateType: SLSA },
    });
    const { payload } = JSON.parse(blob(setup, layer?.digest).toString()) as { readonly payload: string };
    expect(JSON.parse(Buffer.from(payload, "base64").toString())).toMatchObject({
      subject: [{ name: setup.name, digest: { sha256: digest.slice("sha256:".length) } }],
      predicateType: SLSA,
      predicate: {
        buildDefinition: {
          resolvedDependencies: [
            { name: "source", digest: { gitCommit: commit } },
            { name: "base", uri: `docker://${setup.registry.host}/base/node:v1` },
            { name: "package-lock.json" },
          ],
        },
      },
    });
  });

  it.each([true, false])(
    "lists signature and provenance as referrers of the image, with the API: %s",
    async (hasApi) => {
      const setup = await setUp(["amd64"]);
      setup.registry.knowsReferrers = hasApi;
      const { digest } = await succeed(setup.project, setup.line);
      const address = hasApi ? `referrers/${digest}` : `manifests/${digest.replace(":", "-")}`;
      const answer = await fetch(`http://${setup.registry.host}/v2/team/guestbook/${address}`);
      const { manifests } = (await answer.json()) as FoundManifest;
      expect(new Set(manifests.map(({ artifactType }) => artifactType))).toEqual(
        new Set([
          "application/spdx+json",
          "application/vnd.dev.cosign.artifact.sig.v1+json",
          "application/vnd.in-toto+json",
        ]),
      );
    },
  );

  it("leads by a tag to the image only after it is signed", async () => {
    const setup = await setUp(["amd64"]);
    await succeed(setup.project, setup.line);
    const puts = setup.registry.paths("PUT").map((each) => each.slice(each.lastIndexOf("/") + 1));
    const signed = puts.filter((each) => /\.(?:sig|att)$/u.test(each)).map((each) => puts.indexOf(each));
    expect(signed).toHaveLength(2);
    expect(Math.max(...signed)).toBeLessThan(puts.indexOf("v1"));
  });

  it("keeps the password of the key from the build", async () => {
    const { project, line } = await setUp(["amd64"]);
    const build = path.join(project, "hack/build.mjs");
    const seen =
      'import { writeFileSync as write } from "node:fs"; write("seen.txt", Object.keys(process.env).join());';
    writeFileSync(build, `${seen}\n${readFileSync(build, "utf8")}`);
    await succeed(project, line);
    const names = readFileSync(path.join(project, "seen.txt"), "utf8").split(",");
    expect([names.includes("PATH"), names.includes("COSIGN_PASSWORD")]).toEqual([true, false]);
  });

  it("leads by no tag to an image that it cannot sign", async () => {
    const setup = await setUp(["amd64"]);
    setup.registry.fault = ({ method, path: asked }) =>
      method === "PUT" && asked.endsWith(".sig") ? { kind: "status", status: 403 } : undefined;
    const { stderr } = await runCommand(setup.project, setup.line);
    expect(stderr).toContain("[IMAGE_REGISTRY_DENIED]");
    expect(setup.registry.repository("team/guestbook").manifests.has("v1")).toBe(false);
  });

  it("changes nothing when it signs the same image again", async () => {
    const setup = await setUp();
    await succeed(setup.project, setup.line);
    const before = snapshotOf(setup);
    await succeed(setup.project, setup.line);
    expect(snapshotOf(setup)).toEqual(before);
  });

  it("replaces its own provenance, and keeps signatures and attestations of other keys", async () => {
    const setup = await setUp(["amd64"]);
    const { digest } = await succeed(setup.project, setup.line);
    const other = generateCosignKey("other");
    writeFileSync(path.join(setup.project, "other.key"), other.privateKey);
    vi.stubEnv("COSIGN_PASSWORD", "other");
    await succeed(setup.project, setup.line.replace("cosign.key", "other.key"));
    expect(layersOf(setup, tagOf(digest, "sig"))).toHaveLength(2);
    const [first, second] = layersOf(setup, tagOf(digest, "att"));
    vi.stubEnv("COSIGN_PASSWORD", PASSWORD);
    writeFileSync(path.join(setup.project, "package-lock.json"), "[]");
    await succeed(setup.project, setup.line);
    expect(layersOf(setup, tagOf(digest, "sig"))).toHaveLength(2);
    const digests = layersOf(setup, tagOf(digest, "att")).map((each) => each.digest);
    expect(digests).toHaveLength(2);
    expect(digests).toContain(second?.digest);
    expect(digests).not.toContain(first?.digest);
  });

  it("attaches no provenance with --provenance=false", async () => {
    const setup = await setUp(["amd64"]);
    const { digest, pushed } = await succeed(setup.project, `${setup.line} --provenance=false`);
    expect(pushed).toMatchObject([{ signed: "image" }]);
    const { manifests } = setup.registry.repository("team/guestbook");
    expect([manifests.has(tagOf(digest, "sig")), manifests.has(tagOf(digest, "att"))]).toEqual([true, false]);
  });

  it.each([
    ["--sign-key missing.key --push", PASSWORD, "IMAGE_SIGNING_KEY", "ENOENT"],
    ["--sign-key PROJECT --push", PASSWORD, "IMAGE_SIGNING_KEY", "not an encrypted private key"],
    ["--sign-key cosign.key --push", "wrong", "IMAGE_SIGNING_KEY", "the password is wrong"],
    ["--sign-key cosign.key --push", undefined, "IMAGE_SIGNING_KEY", "set COSIGN_PASSWORD"],
    ["--sign-key cosign.key", PASSWORD, "CLI_MISSING_FLAG", "push"],
    ["--provenance --push", PASSWORD, "CLI_MISSING_FLAG", "sign-key"],
  ])("%s with the password %s fails with %s before anything is built", async (flags, password, code, text) => {
    const { project, registry, name } = await setUp(["amd64"]);
    vi.stubEnv("COSIGN_PASSWORD", password);
    const { status, stderr } = await runCommand(
      project,
      `image --base ${registry.host}/base/node:v1 --tag ${name}:v1 ${flags}`,
    );
    expect(status).toBe(1);
    expect(stderr).toContain(`[${code}]`);
    expect(stderr).toContain(text);
    expect(existsSync(path.join(project, "dist"))).toBe(false);
    expect(registry.repository("team/guestbook").manifests.size).toBe(0);
  });
});

describe.skipIf(COSIGN === undefined)("cosign", () => {
  const VERIFY = ["--key", "cosign.pub", "--insecure-ignore-tlog=true"];

  it("verifies the signatures and the provenance of an image and of its platforms", async () => {
    const { project, name, line } = await setUp();
    const { digest, platforms } = await succeed(project, line);
    for (const image of [`${name}:v1`, `${name}@${digest}`, `${name}@${platforms[1]?.digest ?? ""}`]) {
      expect(await runCosign(project, ["verify", ...VERIFY, image])).toMatchObject({ status: 0 });
      const attested = await runCosign(project, ["verify-attestation", ...VERIFY, "--type", "slsaprovenance1", image]);
      expect(attested).toMatchObject({ status: 0 });
    }
  });

  it("verifies signatures and provenance by an RSA key", async () => {
    const { project, name, line } = await setUp(["amd64"]);
    const { privateKey, publicKey } = generateCosignKey(PASSWORD, "RSA");
    writeFileSync(path.join(project, "cosign.key"), privateKey);
    writeFileSync(path.join(project, "cosign.pub"), publicKey);
    await succeed(project, line);
    expect(await runCosign(project, ["verify", ...VERIFY, `${name}:v1`])).toMatchObject({ status: 0 });
    const attested = ["verify-attestation", ...VERIFY, "--type", "slsaprovenance1", `${name}:v1`];
    expect(await runCosign(project, attested)).toMatchObject({ status: 0 });
  });

  it("verifies the signature among the referrers, as it does experimentally", async () => {
    const { project, name, line } = await setUp(["amd64"]);
    await succeed(project, line);
    const words = ["verify", ...VERIFY, "--experimental-oci11", `${name}:v1`];
    expect(await runCosign(project, words, { COSIGN_EXPERIMENTAL: "1" })).toMatchObject({ status: 0 });
  });

  it("verifies signatures by a key that cosign generated, and adds its own to them", async () => {
    const { project, name, line } = await setUp(["amd64"]);
    const password = { COSIGN_PASSWORD: PASSWORD };
    expect(await runCosign(project, ["generate-key-pair", "--output-key-prefix", "made"], password)).toMatchObject({
      status: 0,
    });
    const { digest } = await succeed(project, line.replace("cosign.key", "made.key"));
    const image = `${name}@${digest}`;
    const byMade = ["--key", "made.pub", "--insecure-ignore-tlog=true", image];
    expect(await runCosign(project, ["verify", ...byMade])).toMatchObject({ status: 0 });
    expect(await runCosign(project, ["verify", ...VERIFY, image])).toMatchObject({ status: 12 });
    const sign = ["sign", "--key", "cosign.key", "--tlog-upload=false", "--yes", image];
    expect(await runCosign(project, sign, password)).toMatchObject({ status: 0 });
    await succeed(project, line.replace("cosign.key", "made.key"));
    expect(await runCosign(project, ["verify", ...VERIFY, image])).toMatchObject({ status: 0 });
    expect(await runCosign(project, ["verify", ...byMade])).toMatchObject({ status: 0 });
  });
});
