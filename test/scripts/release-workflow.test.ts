import { describe, expect, it } from "vitest";
import { parse } from "yaml";

import { listFiles, readSource } from "../architecture/source-files.ts";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly needs?: string | readonly string[];
  readonly environment?: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

const WORKFLOWS = listFiles(".github/workflows");

function readWorkflow(file: string): Workflow {
  return parse(readSource(file)) as Workflow;
}

describe("the workflows of this repository", () => {
  it.each(WORKFLOWS)("%s pins actions by commit, keeps no credentials, and uses no secret", (file) => {
    const text = readSource(file);
    for (const [use] of text.matchAll(/(?<=uses: ).*/gu))
      expect(use).toMatch(/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/u);
    expect(text).not.toContain("secrets.");
    for (const { steps } of Object.values(readWorkflow(file).jobs))
      for (const step of steps.filter(({ uses = "" }) => uses.startsWith("actions/checkout@")))
        expect(step.with?.["persist-credentials"]).toBe(false);
  });

  it.each(WORKFLOWS)("%s grants permissions to single jobs alone", (file) => {
    const { permissions, jobs } = readWorkflow(file);
    expect(permissions).toEqual({});
    for (const job of Object.values(jobs)) expect(job.permissions).toBeTypeOf("object");
  });
});

describe("the workflows that are scaffolded", () => {
  it("are in a golden project or an example each, where npm run lint:workflows finds them", () => {
    const templates = ["templates", "plugins"]
      .flatMap((folder) => listFiles(folder))
      .filter((file) => /\.github\/workflows\/.*\.hbs$/u.test(file));
    const linted = new Set(
      ["examples", "test/golden/projects"]
        .flatMap((folder) => listFiles(folder))
        .filter((file) => file.includes(".github/workflows/"))
        .map((file) => file.split("/").at(-1)),
    );
    const names = templates.map((file) =>
      file
        .split("/")
        .at(-1)
        ?.replace(/\.hbs$/u, ""),
    );
    expect([names.length > 4, names.filter((name) => !linted.has(name))]).toEqual([true, []]);
  });
});

describe("the release", () => {
  const { jobs } = readWorkflow(".github/workflows/release.yml");

  it("gives each job the rights that it needs, and no other", () => {
    expect(Object.fromEntries(Object.entries(jobs).map(([name, { permissions }]) => [name, permissions]))).toEqual({
      tag: { contents: "read" },
      build: { contents: "read" },
      attest: { "id-token": "write", attestations: "write" },
      publish: { "id-token": "write" },
      release: { contents: "write", "pull-requests": "write" },
    });
  });

  it("runs nothing of npm or of the repository where a token writes or signs", () => {
    const privileged = Object.values(jobs).filter(({ permissions }) => Object.values(permissions).includes("write"));
    expect(privileged).toHaveLength(3);
    for (const { steps } of privileged) {
      expect(steps.filter(({ uses = "" }) => uses.startsWith("actions/checkout@"))).toEqual([]);
      const commands = steps.map(({ run = "" }) => run).join("\n");
      expect(commands).not.toMatch(/\b(?:npx|node|npm (?:ci|install|i|run|exec|test))\b/u);
    }
  });

  it("verifies the tag first, and publishes what was checked and attested, after an approval", () => {
    expect(jobs["build"]?.needs).toBe("tag");
    expect(jobs["attest"]?.needs).toBe("build");
    expect(jobs["publish"]).toMatchObject({ needs: ["build", "attest"], environment: "npm" });
    expect(jobs["release"]?.needs).toBe("publish");
    expect(jobs["build"]?.steps.some(({ run = "" }) => run.startsWith("npm run release:dry"))).toBe(true);
    const published = jobs["publish"]?.steps.map(({ run = "" }) => run).join("\n") ?? "";
    expect(published).toContain("sha256sum --check SHA256SUMS");
    expect(published).toMatch(/npm publish .*--provenance .*--ignore-scripts/u);
  });
});
