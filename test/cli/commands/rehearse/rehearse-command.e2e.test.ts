import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, expect, it } from "vitest";

import { changedOperator } from "../../../../packages/envtest/test/rehearse/rehearse-regression.ts";
import { ROOT } from "../../../architecture/source-files.ts";
import { runCommand } from "../../../support/run-command.ts";

const LIVENESS_MS = 300_000;

let folder = "";

function git(...words: readonly string[]): void {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
  execFileSync("git", [...identity, ...words], { cwd: folder });
}

beforeAll(() => {
  folder = changedOperator({});
  execFileSync("mkdir", ["-p", path.join(folder, "cmd"), path.join(folder, "test/objects")]);
  writeFileSync(path.join(folder, "cmd/main.ts"), 'await import("../manager.mjs");\n');
  writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }\n');
  writeFileSync(path.join(folder, ".gitignore"), "node_modules\n");
  const shop = readFileSync(path.join(folder, "config/samples/shop.yaml"), "utf8");
  writeFileSync(path.join(folder, "test/objects/shop.yaml"), shop.replace("name: demo", "name: second"));
  symlinkSync(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"), "dir");
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "former");
  git("tag", "v1.2.0");
  const crd = path.join(folder, "config/crd/bases/rehearse.example.com_shops.yaml");
  const text = readFileSync(crd, "utf8");
  writeFileSync(crd, text.replaceAll("                color: { type: string }\n", ""));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it(
  "reports a confirmed finding to the terminal and in Markdown, and exits with 1",
  { timeout: LIVENESS_MS },
  async () => {
    const flags = "--from v1.2.0 --objects test/objects --report upgrade.md --overlap 2s";
    const { status, stdout } = await runCommand(folder, `rehearse ${flags}`);
    expect(stdout).toMatch(
      /^finding 1: lost-field: shops\.rehearse\.example\.com default\/demo in v1: spec\.color is lost \(apply the manifests of the present version\)\n {4}spec\.color: expected "green", found nothing$/mu,
    );
    expect(stdout).toContain("default/second in v1: spec.color is lost");
    expect(stdout).toContain("Rehearsing v1.2.0 to itself\n");
    expect(status).toBe(1);
    expect(readFileSync(path.join(folder, "upgrade.md"), "utf8")).toContain("lost-field");
  },
);

it(
  "exits with 3 when the former version does not start, and prints an event per line",
  { timeout: LIVENESS_MS },
  async () => {
    writeFileSync(path.join(folder, "manager.mjs"), "throw new Error('broken');\n");
    git("commit", "--quiet", "--all", "--message", "broken");
    const { status, stdout } = await runCommand(
      folder,
      "rehearse --from HEAD --accept restarted-pod,label --output json",
    );
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { readonly event: string });
    expect(events.map(({ event }) => event)).toEqual(["rehearsal", "step", "report"]);
    expect(events.at(-1)).toMatchObject({ verdict: "undecided", findings: [] });
    expect(status).toBe(3);
  },
);
