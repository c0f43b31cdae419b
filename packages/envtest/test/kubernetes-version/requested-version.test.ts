import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { KUBERNETES_MINOR, UNRECORDED_MINOR } from "@kubescaffold/k8s";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";

import { Environment } from "../../src/environment/environment.ts";
import { createFakeClient } from "../../src/fake-client/fake-client.ts";
import { announcedVersion, requestedVersion } from "../../src/kubernetes-version/requested-version.ts";

const NAME = "KUBESCAFFOLD_KUBERNETES_VERSION";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "version-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe("the requested version", () => {
  it("is that of the option, then the variable, then PROJECT, then the default", () => {
    const directory = project({ version: '"1.37"' });
    const variables = { [NAME]: "1.36" };
    expect(requestedVersion({ kubernetesVersion: "1.34", env: variables, directory })).toEqual({
      minor: "1.34",
      source: "option",
      note: undefined,
    });
    expect(requestedVersion({ env: variables, directory })).toMatchObject({ minor: "1.36", source: "variable" });
    expect(requestedVersion({ env: { [NAME]: "" }, directory })).toMatchObject({ minor: "1.37", source: "project" });
    expect(requestedVersion({ env: {}, directory: folder })).toMatchObject({
      minor: KUBERNETES_MINOR,
      source: "default",
    });
  });

  it("is that of the nearest project upward", () => {
    const directory = path.join(project({ version: '"1.36"' }), "internal", "controller");
    mkdirSync(directory, { recursive: true });
    expect(requestedVersion({ env: {}, directory }).minor).toBe("1.36");
  });

  it("is that of the first projects for a project that records none", () => {
    const directory = project({});
    expect(requestedVersion({ env: {}, directory })).toMatchObject({ minor: UNRECORDED_MINOR, source: "default" });
  });

  it("ignores projects of other tools, and files that are not YAML", () => {
    const other = project({ layout: "go.kubebuilder.io/v4" });
    expect(requestedVersion({ env: {}, directory: other })).toMatchObject({
      minor: KUBERNETES_MINOR,
      source: "default",
    });
    writeFileSync(path.join(other, "PROJECT"), "layout: [ts.kubescaffold.dev/v1\nkubernetesVersion: x");
    expect(requestedVersion({ env: {}, directory: other }).source).toBe("default");
  });

  it("names the file of a version that is not supported, or no text", () => {
    for (const [version, problem] of [
      ['"1.33"', 'PROJECT "1.33": Kubernetes 1.33 is not supported'],
      ["1.36", "cannot use a number as kubernetesVersion of "],
    ] as const) {
      const directory = project({ version });
      expect(() => requestedVersion({ env: {}, directory })).toThrow(problem);
      expect(() => requestedVersion({ env: {}, directory })).toThrow(path.join(directory, "PROJECT"));
    }
  });

  it("is announced once where the text is another version", () => {
    const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    onTestFinished(() => write.mockRestore());
    const sources = { env: { [NAME]: "v1.36.55" } };
    expect([announcedVersion(sources).minor, announcedVersion(sources).minor]).toEqual(["1.36", "1.36"]);
    expect(write.mock.calls).toEqual([[`Kubernetes 1.36 is used for ${NAME} "v1.36.55"\n`]]);
  });
});

describe("an embedded environment", () => {
  it.each([
    ["the option", { kubernetesVersion: "1.34" }, "1.34"],
    ["the variable", { env: { [NAME]: "1.37" } }, "1.37"],
  ])("is of the version of %s", async (_, options, minor) => {
    expect(await versionOf({ ...options, backend: "embedded" })).toBe(minor);
  });

  it("is of the version of PROJECT", async () => {
    const projectDirectory = project({ version: '"1.36"' });
    expect(await versionOf({ backend: "embedded", projectDirectory, env: {} })).toBe("1.36");
  });

  it("does not start for a version that is not supported", async () => {
    await expect(versionOf({ backend: "embedded", kubernetesVersion: "1.33" })).rejects.toMatchObject({
      code: "KUBERNETES_VERSION",
    });
  });
});

describe("a server in another process", () => {
  it.each([
    ["the option kubernetesVersion", { kubernetesVersion: "1.36" }],
    ["the variable KUBESCAFFOLD_KUBERNETES_VERSION", { env: { [NAME]: "1.36" } }],
  ])("must be of the version of %s", async (source, options) => {
    const config = await existing("1.34");
    const environment = new Environment({ backend: "existing", config, ...options });
    await expect(environment.start()).rejects.toMatchObject({
      code: "ENVTEST_KUBERNETES_VERSION",
      message: expect.stringMatching(
        new RegExp(
          String.raw`^cannot use the server: Kubernetes 1\.36 was requested by ${source}, and it is v1\.34\.\d+\+embedded$`,
          "u",
        ),
      ) as string,
    });
  });

  it("may be of any version without them, and of that of the option", async () => {
    const config = await existing("1.34");
    const projectDirectory = project({ version: '"1.36"' });
    for (const options of [{ env: {} }, { env: {}, projectDirectory }, { kubernetesVersion: "1.34.x" }]) {
      const environment = new Environment({ backend: "existing", config, ...options });
      expect(await environment.start()).toBe(config);
      await environment.stop();
    }
  });
});

describe("a fake client", () => {
  it("is of the version of the option, or else of the variable", async () => {
    vi.stubEnv(NAME, "1.36");
    onTestFinished(() => void vi.unstubAllEnvs());
    const minors = [createFakeClient(), createFakeClient({ kubernetesVersion: "1.34" })].map(
      ({ server }) => server.context.release.minor,
    );
    expect(minors).toEqual(["1.36", "1.34"]);
  });
});

async function versionOf(options: ConstructorParameters<typeof Environment>[0]): Promise<string> {
  const environment = new Environment(options);
  await environment.start();
  try {
    return environment.cluster.server.context.release.minor;
  } finally {
    await environment.stop();
  }
}

async function existing(kubernetesVersion: string): Promise<ReturnType<Environment["listen"]>> {
  const environment = new Environment({ backend: "embedded", kubernetesVersion });
  await environment.start();
  onTestFinished(async () => await environment.stop());
  return await environment.listen();
}

let count = 0;

function project({
  layout = "ts.kubescaffold.dev/v1",
  version,
}: {
  readonly layout?: string;
  readonly version?: string;
}) {
  count += 1;
  const directory = path.join(folder, String(count));
  mkdirSync(directory);
  const plugins =
    version === undefined ? "" : `plugins:\n  base.ts.kubescaffold.dev/v1:\n    kubernetesVersion: ${version}\n`;
  writeFileSync(path.join(directory, "PROJECT"), `layout:\n- ${layout}\n${plugins}version: "3"\n`);
  return directory;
}
