import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { runProgram, runSuccessfully } from "../support/run-program.ts";
import { type NewWords, packNewerVersion } from "./pack-newer-version.ts";

/** Where the tour left off. */
export interface FirstHour {
  /** The folder that the packages were installed into; the tour's project is inside. */
  readonly installed: string;
  readonly tarballs: string;
  readonly version: string;
  readonly livenessMs: number;
}

const NEWER = "99.0.0";
const WORDS: readonly NewWords[] = [
  {
    template: "templates/init/Makefile.hbs",
    from: "on this machine with an embedded API server.",
    to: "on this machine with an API server inside Node.",
  },
  {
    template: "templates/init/AGENTS.md.hbs",
    from: "A Kubernetes operator in TypeScript,",
    to: "An operator in TypeScript,",
  },
];
const DEPLOY_IMAGE = [
  "--image=memcached:1.6.39-alpine",
  "--image-container-command=memcached,-m=64,-o,modern,-v",
  "--image-container-port=11211",
  "--run-as-user=1001",
  "--plugins=deploy-image/v1-alpha",
];

/** What someone who knows kubebuilder does with the tour's project next: each test goes on where the one before it ended. */
export function testFirstHour({ installed, tarballs, version, livenessMs }: FirstHour): void {
  const project = path.join(installed, "guestbook");
  const branch = `kubescaffold-update-from-${version}-to-${NEWER}`;

  it("adds a kind whose objects run an image, then a version that converts", { timeout: livenessMs }, async () => {
    await run("git", "init", "--quiet", "--initial-branch=main");
    await expectSound();
    await scaffold("create api --group webapp --version v1 --kind Memcached", ...DEPLOY_IMAGE);
    await expectSound();
    expect(await scaffold("create api --group webapp --version v2 --kind Guestbook --controller=false")).toContain(
      'v1 stays the storage version: "+kubebuilder:storageversion" was added to api/v1/guestbook_types.ts.',
    );
    await scaffold("create webhook --group webapp --version v1 --kind Guestbook --conversion --spoke v2");
    await expectSound();
    expect(readdirSync(path.join(project, "config", "crd", "bases"))).toEqual([
      "webapp.demo_guestbooks.yaml",
      "webapp.demo_memcacheds.yaml",
    ]);
  });

  it("removes again what it added, without a trace", { timeout: livenessMs }, async () => {
    await commit("What is there");
    await scaffold("create api --group webapp --version v1 --kind Visitor");
    await scaffold("create webhook --group webapp --version v1 --kind Visitor --defaulting --programmatic-validation");
    await expectSound();
    await scaffold("delete webhook --group webapp --version v1 --kind Visitor");
    await scaffold("delete api --group webapp --version v1 --kind Visitor");
    expect(await run("git", "status", "--porcelain")).toBe("");
    await expectSound();
  });

  it("is updated to the next version, but for what the user says otherwise", { timeout: livenessMs }, async () => {
    const update = await installNewer();
    appendFileSync(path.join(project, "Makefile"), "\n.PHONY: mine\nmine: ## Ours.\n\t@true\n");
    const notes = path.join(project, "AGENTS.md");
    writeFileSync(notes, readFileSync(notes, "utf8").replace("A Kubernetes operator", "Our own operator"));
    await commit("What is mine");
    const refused = await runProgram(update[0], update.slice(1), { cwd: project });
    expect(refused).toMatchObject({ status: 1, output: expect.stringContaining("CLI_UPDATE_CONFLICT") as string });
    expect(refused.output).toContain("\n  AGENTS.md");
    expect(await run("git", "status", "--porcelain")).toBe("");
    await run(...update, "--restore-path", "AGENTS.md");
    await run("git", "switch", "--quiet", branch);
    const changed = ["Makefile", "PROJECT", "package.json"];
    expect((await run("git", "diff", "--name-only", "main")).split("\n")).toEqual(changed);
    expect(await run("make", "help")).toMatch(/dev +Run the manager on this machine with an API server inside Node\./u);
    expect(await run("make", "help")).toContain("Ours.");
    await run("npm", "install");
    expect(await scaffold("version")).toContain(NEWER);
  });

  it("is as sound after it: generated files, types, style, tests", { timeout: livenessMs }, async () => {
    await commit("Update");
    expect(await run("npm", "test")).toMatch(/Test Files\s+5 passed/u);
    await run("npm", "run", "check");
    // What the newer version generates is what there was.
    expect(await run("git", "status", "--porcelain")).toBe("");
  });

  function run(program: string, ...args: readonly string[]): Promise<string> {
    return runSuccessfully(program, args, { cwd: project });
  }

  // What `npx scaffold` starts, as it does at the end of the tour.
  function scaffold(line: string, ...flags: readonly string[]): Promise<string> {
    return run(path.join(project, "node_modules", ".bin", "scaffold"), ...line.split(" "), ...flags);
  }

  async function expectSound(): Promise<void> {
    expect(await scaffold("doctor")).toContain("0 errors");
  }

  async function commit(message: string): Promise<void> {
    await run("git", "add", "--all");
    await run("git", "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "-m", message);
  }

  // As `npx kubescaffold@latest` does, which also takes the former version from its registry.
  async function installNewer(): Promise<readonly [string, ...string[]]> {
    const [packed, folder] = [`${tarballs}-newer`, `${installed}-newer`];
    await packNewerVersion(tarballs, packed, { present: version, newer: NEWER, words: WORDS });
    mkdirSync(folder);
    const names = readdirSync(packed).map((name) => path.join(packed, name));
    await runSuccessfully("npm", ["install", ...names], { cwd: folder });
    const program = path.join(folder, "node_modules", "kubescaffold", "dist", "scaffold.cjs");
    const former = path.join(tarballs, `kubescaffold-${version}.tgz`);
    return [process.execPath, program, "alpha", "update", "--from-tarball", former];
  }
}
