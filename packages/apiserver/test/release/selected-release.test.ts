import { spawnSync } from "node:child_process";
import path from "node:path";

import { KUBERNETES_MINOR, SUPPORTED_MINORS } from "@kubescaffold/k8s";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { defaultRelease } from "../../src/release/release.ts";
import { selectedRelease, serverRelease } from "../../src/release/selected-release.ts";
import { createApiServer } from "../../src/server/create-api-server.ts";
import { TestServer } from "../support/test-server.ts";

const NAME = "KUBESCAFFOLD_KUBERNETES_VERSION";

describe("the selected release", () => {
  it("is that of the option, then that of the variable, then the default one", () => {
    expect(selectedRelease("1.34", { [NAME]: "1.36" }).minor).toBe("1.34");
    expect(selectedRelease(undefined, { [NAME]: "1.36" }).minor).toBe("1.36");
    expect(selectedRelease(undefined, { [NAME]: "" })).toBe(defaultRelease);
    expect(selectedRelease(undefined, {})).toBe(defaultRelease);
  });

  it("reads no variable where there is an option", () => {
    expect(selectedRelease("1.34", { [NAME]: "1.33" }).minor).toBe("1.34");
  });

  it("names the variable in errors", () => {
    expect(() => selectedRelease(undefined, { [NAME]: "1.33" })).toThrow(
      `cannot use ${NAME} "1.33": Kubernetes 1.33 is not supported`,
    );
  });

  it("prints which minor version is used for another text, once", () => {
    const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    onTestFinished(() => write.mockRestore());
    expect([selectedRelease("1.36.77").minor, selectedRelease("1.36.77").minor]).toEqual(["1.36", "1.36"]);
    expect(write.mock.calls).toEqual([['Kubernetes 1.36 is used for kubernetesVersion "1.36.77"\n']]);
  });

  it("states the facts of a server", () => {
    expect(serverRelease("1.36").version.gitVersion).toMatch(/^v1\.36\.\d+\+embedded$/u);
    expect(serverRelease("1.36").since("1.37")).toBe(false);
  });
});

describe("a server with the option", () => {
  it.each(SUPPORTED_MINORS)("is of %s", async (kubernetesVersion) => {
    const server = new TestServer({ kubernetesVersion });
    onTestFinished(async () => await server.server.close());
    expect((await server.get("/version")).body["minor"]).toBe(kubernetesVersion.slice(2));
  });

  it("is refused for a version that is not supported", () => {
    expect(() => createApiServer({ kubernetesVersion: "1.33" })).toThrow("supported are 1.34, 1.35, 1.36, and 1.37");
  });
});

describe("the tables of other versions", () => {
  it("are not read by a server of the default version", () => {
    const others = SUPPORTED_MINORS.filter((minor) => minor !== KUBERNETES_MINOR);
    expect(filesReadFor(undefined)).toEqual([]);
    for (const minor of others) expect(filesReadFor(minor)).toEqual([`apiserver ${minor}`, `k8s ${minor}`]);
  });
});

// The data files of other versions that a new process has loaded, by which createRequire remembers them.
function filesReadFor(minor: string | undefined): readonly string[] {
  const program = `
    import { createRequire } from "node:module";
    import { createApiServer } from "@kubescaffold/apiserver";
    await createApiServer({ kubernetesVersion: process.env.WANTED || undefined }).close();
    const files = Object.keys(createRequire(import.meta.url).cache).filter((file) => file.endsWith(".json"));
    process.stdout.write(files.join("\\n"));`;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ["--import", "tsx", "--conditions", "@kubescaffold/source", "--input-type=module", "--eval", program],
    {
      encoding: "utf8",
      cwd: path.join(import.meta.dirname, "../.."),
      env: { ...process.env, [NAME]: "", WANTED: minor },
    },
  );
  expect(stderr).toBe("");
  expect(status).toBe(0);
  const names = stdout.split("\n").flatMap((file) => {
    const { folder, name } = /(?<folder>\w+)[/\\]releases[/\\](?<name>[\d.]+)\.json$/u.exec(file)?.groups ?? {};
    return folder === undefined || name === undefined ? [] : [`${folder} ${name}`];
  });
  return names.toSorted();
}
