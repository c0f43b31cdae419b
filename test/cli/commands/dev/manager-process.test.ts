import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it, onTestFinished, vi } from "vitest";

import type { DevEvent } from "../../../../src/cli/commands/dev/dev-event.ts";
import { ManagerProcess } from "../../../../src/cli/commands/dev/manager-process.ts";
import { newProject } from "../../../e2e/project-copy.ts";
import { writeFiles } from "../../../support/temporary-folder.ts";

const MAIN = `
import { appendFileSync } from "node:fs";
process.on("SIGTERM", () => {
  appendFileSync("log", "stopped\\n");
  process.exit();
});
setInterval(() => undefined, 600_000);
appendFileSync("log", \`started in \${String(process.env["WATCH_NAMESPACE"])}\\n\`);
`;

function managerOf(env: () => Promise<Record<string, string>>): {
  readonly manager: ManagerProcess;
  readonly log: () => string;
  readonly pid: () => number;
} {
  const { root, remove } = newProject((folder) => writeFiles(folder, { "cmd/main.ts": MAIN }));
  onTestFinished(remove);
  const events: DevEvent[] = [];
  const manager = new ManagerProcess({
    cwd: root,
    nodeArguments: [],
    managerArguments: [],
    env,
    reporter: { report: (event) => void events.push(event), readsManager: true },
  });
  onTestFinished(() => manager.stop());
  const file = path.join(root, "log");
  return {
    manager,
    log: () => (existsSync(file) ? readFileSync(file, "utf8") : ""),
    pid: () => events.flatMap((event) => (event.event === "manager-started" ? [event.pid ?? 0] : [])).at(-1) ?? 0,
  };
}

const seen = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 50_000 });

describe.skipIf(process.platform === "win32")("the process of a manager", () => {
  it("gets the variables that are right when it starts, and goes on where there are none", async () => {
    const namespaces = ["one", "two"];
    const { manager, log } = managerOf(async () => {
      const namespace = namespaces.shift();
      if (namespace === undefined) throw new Error("no such project");
      return { WATCH_NAMESPACE: namespace };
    });
    await manager.start();
    await seen(() => expect(log()).toBe("started in one\n"));
    await manager.restart();
    await seen(() => expect(log()).toBe("started in one\nstopped\nstarted in two\n"));
    await expect(manager.restart()).rejects.toThrow("no such project");
    expect(log()).toBe("started in one\nstopped\nstarted in two\n");
    await manager.stop();
    expect(log()).toBe("started in one\nstopped\nstarted in two\nstopped\n");
  });

  it("keeps running after SIGHUP without a terminal", async () => {
    const { manager, log, pid } = managerOf(async () => ({}));
    await manager.start();
    await seen(() => expect(log()).toContain("started"));
    process.kill(pid(), "SIGHUP");
    await manager.stop();
    expect(log()).toMatch(/stopped\n$/u);
  });
});
