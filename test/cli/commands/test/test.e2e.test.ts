import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { linkInstallation } from "../../../e2e/project-copy.ts";
import { runCommand } from "../../../support/run-command.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const PROJECT = `layout:
- ts.kubescaffold.dev/v1
plugins:
  base.ts.kubescaffold.dev/v1:
    kubernetesVersion: "1.36"
projectName: sample
repo: sample
version: "3"
`;

// Fails on 1.34, and names the version in its failures.
const TESTS = `import { createEmbeddedCluster } from "@kubescaffold/cluster";
import { Environment } from "@kubescaffold/envtest";
import { createFakeClient } from "@kubescaffold/envtest/fake-client";
import { expect, it } from "vitest";

it("is the same version in environments and fake clients", async () => {
  const environment = new Environment();
  await environment.start();
  const { minor } = environment.cluster.server.context.release;
  await environment.stop();
  console.log(\`tested on \${minor}\`);
  expect(createFakeClient().server.context.release.minor).toBe(minor);
});

it("needs 1.35", () => expect(createEmbeddedCluster().server.context.release.minor).not.toBe("1.34"));

it.skip("is left out", () => undefined);
`;

describe("scaffold test", { timeout: 120_000 }, () => {
  it("runs the tests on each version, prints a table, and fails if a version does", async () => {
    const folder = project();
    const { status, stdout, stderr } = await runCommand(folder, "test --kubernetes 1.34,v1.37.1 --no-color");
    expect(stderr).toContain('note: Kubernetes 1.37 is used for --kubernetes "v1.37.1"');
    expect(stdout.match(/tested on \S+/gu)).toEqual(["tested on 1.34", "tested on 1.37"]);
    expect(stdout.slice(stdout.lastIndexOf("KUBERNETES")).replaceAll(/[\d.]+ s/gu, "<time>")).toBe(
      `KUBERNETES   RESULT   PASSED   FAILED   SKIPPED   TIME
1.34         failed   1        1        1         <time>
1.37         passed   2        0        1         <time>
`,
    );
    expect(status).toBe(1);
  });

  it("prints JSON alone on standard output, and takes words of Vitest", async () => {
    const { status, stdout, stderr } = await runCommand(project(), "test --kubernetes=1.35 --output json -t same");
    expect(JSON.parse(stdout)).toEqual({
      runs: [
        {
          kubernetes: "1.35",
          hasPassed: true,
          passed: 1,
          failed: 0,
          skipped: 2,
          durationMs: expect.any(Number) as number,
        },
      ],
    });
    expect(stderr).toContain("tested on 1.35");
    expect(status).toBe(0);
  });

  it("reports a version on which no test runs as failed, without numbers", async () => {
    const folder = project("syntax error");
    const { status, stdout } = await runCommand(folder, "test --kubernetes=1.35 --config missing.config.ts");
    expect(stdout).toMatch(/^1\.35 {9}failed {3}- {8}- {8}- {9}[\d.]+ s$/mu);
    expect(status).toBe(1);
  });
});

describe("scaffold test without its flags", { timeout: 120_000 }, () => {
  it("runs Vitest once, with the version of the project", async () => {
    const { status, stdout } = await runCommand(project(), "test --no-color -t same");
    expect(stdout).not.toContain("KUBERNETES");
    expect(stdout).toContain("tested on 1.36");
    expect(stdout).toMatch(/Tests +1 passed \| 2 skipped/u);
    expect(status).toBe(0);
  });
});

describe("scaffold test with invalid flags", () => {
  it.each([
    ["test --kubernetes=1.33", 'cannot use --kubernetes "1.33": Kubernetes 1.33 is not supported'],
    ["test --kubernetes=1.36,", 'cannot use --kubernetes "": it is not a version of Kubernetes'],
    ["test --kubernetes", "flag needs an argument: --kubernetes"],
    ["test --output yaml", 'invalid value "yaml" for flag --output: not text or json'],
    ["test --kubernetes=1.36 --outputFile=x", "cannot use --outputFile=x with --kubernetes"],
  ])("%s runs nothing", async (line, message) => {
    const { status, stdout, stderr } = await runCommand(project(), line);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(`error: ${message}`);
  });

  it("prints errors as JSON where it prints results so", async () => {
    const { status, stdout } = await runCommand(project(), "test --output=json --outputFile.json=x");
    expect(JSON.parse(stdout)).toMatchObject({
      error: {
        code: "CLI_INVALID_FLAG",
        message: expect.stringContaining("cannot use --outputFile.json=x with --output") as string,
      },
    });
    expect(status).toBe(1);
  });

  it("fails in a folder without a project, and without installed packages", async () => {
    expect((await runCommand(temporaryFolder(), "test")).stderr).toContain("PROJECT_NOT_FOUND");
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, "PROJECT"), PROJECT);
    expect((await runCommand(folder, "test")).stderr).toContain(
      "cannot run the tests: the package vitest is not installed",
    );
  });
});

function project(tests: string = TESTS): string {
  const folder = temporaryFolder();
  linkInstallation(folder);
  mkdirSync(path.join(folder, "internal"));
  writeFileSync(path.join(folder, "PROJECT"), PROJECT);
  writeFileSync(path.join(folder, "package.json"), '{"name":"sample","type":"module"}');
  writeFileSync(path.join(folder, "internal", "sample.test.ts"), tests);
  return folder;
}
