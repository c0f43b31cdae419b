import { PassThrough } from "node:stream";

import { createApiServer } from "@kubescaffold/apiserver";
import { ManagerFaults } from "@kubescaffold/dashboard/development";
import { describe, expect, it, onTestFinished } from "vitest";

import { DevControls } from "../../../../src/cli/commands/dev/dev-controls.ts";
import type { DevEvent } from "../../../../src/cli/commands/dev/dev-event.ts";
import { FaultSwitches } from "../../../../src/cli/commands/dev/fault-switches.ts";
import { TerminalReporter } from "../../../../src/cli/commands/dev/report-terminal.ts";
import { readKeys } from "../../../../src/cli/commands/dev/terminal-keys.ts";
import { Screen } from "../../../../src/cli/output/screen.ts";
import { textStyle } from "../../../../src/cli/output/text-style.ts";
import { FakeScreen } from "../../../support/fake-screen.ts";

// The user of every request to a server without authenticators.
const USER = "kubernetes-admin";

function controlled(options: { readonly faults?: boolean; readonly refuses?: boolean } = {}) {
  const server = createApiServer();
  onTestFinished(() => server.close());
  const output = new FakeScreen({ columns: 160 });
  const style = textStyle({ NO_COLOR: "1" });
  const reporter = new TerminalReporter({
    screen: new Screen(output),
    style,
    root: "/p",
    isVerbose: false,
    program: { calledAs: "npx scaffold" },
    example: "",
  });
  const calls: string[] = [];
  const managerFaults = new ManagerFaults({ faults: server.faults, user: USER });
  const switches = new FaultSwitches(managerFaults);
  const controls = new DevControls({
    reporter,
    style,
    faults: options.faults === false ? undefined : switches,
    restart: async () => void calls.push("restart"),
    addPermissions: async (missing) => {
      calls.push("add");
      return missing.map((each) => ({
        missing: each,
        ...(options.refuses === true ? { reason: "two controllers" } : { path: "internal/controller/a.ts" }),
      }));
    },
    openDashboard: async () => void calls.push("open"),
    quit: () => calls.push("quit"),
  });
  switches.observe((text) => reporter.report({ event: "note", text }));
  switches.observe(() => controls.faultsChanged());
  return { controls, calls, output, server, managerFaults };
}

const FORBIDDEN: DevEvent = {
  event: "log",
  level: "error",
  verbosity: 0,
  ts: "",
  logger: "",
  message: "reconciler error",
  controller: "guestbook",
  error: 'pods is forbidden: User "m" cannot list resource "pods" in API group "" at the cluster scope',
  fields: {},
};
const MARKER = '+kubebuilder:rbac:groups="",resources=pods,verbs=get;list;watch';

describe("keys", () => {
  it("restart, open the dashboard, quit, and show the keys", () => {
    const { controls, calls, output } = controlled();
    for (const key of ["?", "r", "o", "q", "x", "\u001B[A"]) controls.press(key);
    expect(calls).toEqual(["restart", "open", "quit"]);
    expect(output.lines).toContain("  r  restart the manager");
  });

  it("cycle the level of the log, which the last line shows", () => {
    const { controls, output } = controlled();
    const levels = ["l", "l", "l", "l"].map((key) => {
      controls.press(key);
      return /log: (?<level>\w+)/u.exec(output.lines.at(-1) ?? "")?.groups?.["level"];
    });
    expect(levels).toEqual(["all", "error", "info", "debug"]);
  });

  it("clear what was printed, and leave the last line", () => {
    const { controls, output } = controlled();
    controls.press("?");
    controls.press("c");
    expect(output.lines).toEqual(["", expect.stringContaining("? for keys")]);
  });
});

describe("faults", () => {
  async function statusOf({ server }: Pick<ReturnType<typeof controlled>, "server">): Promise<number> {
    return (await server.handle(new Request("http://in.process/api/v1/namespaces"))).status;
  }

  it("are chosen after f, and last until they are chosen again", async () => {
    const parts = controlled();
    const { controls, output } = parts;
    controls.press("f");
    expect(output.lines.slice(-2)).toEqual([
      "fault: 1 drop watches · 2 expire history · 3 5 s of latency",
      "       4 status 409 · 5 status 500 · Esc to cancel",
    ]);
    controls.press("5");
    expect(output.lines.join("\n")).toMatch(/fault on: status 500, until you press f 5 again\n[^]*faults: status 500/u);
    expect(await statusOf(parts)).toBe(500);
    controls.press("f");
    expect(output.lines.at(-1)).toContain("5 status 500 (on)");
    controls.press("5");
    expect(await statusOf(parts)).toBe(200);
    expect(output.lines.join("\n")).not.toContain("faults: ");
  });

  it("of the dashboard stay in view, and end with their key", async () => {
    const parts = controlled();
    const { controls, output, managerFaults } = parts;
    managerFaults.set("status-500", true);
    expect(output.lines.join("\n")).toMatch(/fault on: status 500, [^]*faults: status 500/u);
    controls.press("f");
    controls.press("5");
    expect(await statusOf(parts)).toBe(200);
    expect(output.lines.join("\n")).not.toContain("faults: ");
  });

  it("are not injected when another key is pressed, which does nothing else", () => {
    const { controls, calls, output } = controlled();
    controls.press("f");
    controls.press("q");
    expect(calls).toEqual([]);
    expect(output.lines.at(-1)).toContain("? for keys");
  });

  it("end watches with the keys 1 and 2", async () => {
    const { controls, server } = controlled();
    for (const key of ["1", "2"]) {
      const watch = await server.handle(new Request("http://in.process/api/v1/namespaces?watch=true"));
      controls.press("f");
      controls.press(key);
      // The stream ends.
      await watch.text();
    }
    const old = await server.handle(new Request("http://in.process/api/v1/namespaces?watch=true&resourceVersion=1"));
    expect(await old.text()).toContain("Expired");
  });

  it("need the embedded server", () => {
    const { controls, output } = controlled({ faults: false });
    controls.press("f");
    expect(output.lines.join("\n")).toContain("faults need the embedded API server");
  });
});

describe("missing permissions", () => {
  const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

  it("stay in view once, and are added with a", async () => {
    const { controls, calls, output } = controlled();
    controls.observe(FORBIDDEN);
    controls.observe(FORBIDDEN);
    expect(output.lines.filter((line) => line === `missing permission: ${MARKER}`)).toHaveLength(1);
    controls.press("a");
    await settled();
    expect(calls).toEqual(["add"]);
    expect(output.lines).toContain(`added ${MARKER} to internal/controller/a.ts`);
    expect(output.lines).not.toContain(`missing permission: ${MARKER}`);
  });

  it("that cannot be added are named with the reason, and stay in view", async () => {
    const { controls, output } = controlled({ refuses: true });
    controls.observe(FORBIDDEN);
    controls.press("a");
    await settled();
    expect(output.lines.join("\n")).toContain(`cannot add ${MARKER}: two controllers`);
    expect(output.lines).toContain(`missing permission: ${MARKER}`);
  });

  it("go with the manager that lacked them", () => {
    const { controls, output } = controlled();
    controls.observe(FORBIDDEN);
    controls.observe({ event: "manager-started", pid: 1 });
    expect(output.lines.join("\n")).not.toContain("missing permission");
    controls.press("a");
    expect(output.lines.join("\n")).toContain("no permission is missing");
  });
});

describe("a terminal's input", () => {
  class FakeInput extends PassThrough {
    readonly modes: boolean[] = [];
    setRawMode(isRaw: boolean): void {
      this.modes.push(isRaw);
    }
  }

  async function typed(input: FakeInput, text: string): Promise<void> {
    input.write(text);
    await new Promise((resolve) => void setImmediate(resolve));
  }

  it("is raw until the keys end", async () => {
    const input = new FakeInput();
    const keys: string[] = [];
    const end = readKeys(input, (key) => void keys.push(key), { interrupt: () => undefined });
    await typed(input, "rl\u001B[Aq");
    expect(input.modes).toEqual([true]);
    end();
    expect({ keys, modes: input.modes }).toEqual({ keys: ["r", "l", "\u001B[A", "q"], modes: [true, false] });
    await typed(input, "x");
    expect(keys).toHaveLength(4);
  });

  it("is in its usual mode when the process exits, and while it is suspended", async () => {
    const input = new FakeInput();
    const modesAt: (boolean | undefined)[] = [];
    let interrupts = 0;
    const end = readKeys(input, () => undefined, {
      interrupt: () => (interrupts += 1),
      suspend: () => modesAt.push(input.modes.at(-1)),
    });
    await typed(input, "\u001A\u0003");
    expect({ modesAt, interrupts }).toEqual({ modesAt: [false], interrupts: 1 });
    process.emit("SIGCONT");
    expect(input.modes.at(-1)).toBe(true);
    // What Node emits when the process exits, in whatever way.
    for (const listener of process.listeners("exit").slice(-1)) listener(0);
    expect(input.modes.at(-1)).toBe(false);
    const before = process.listenerCount("exit");
    end();
    expect(process.listenerCount("exit")).toBe(before - 1);
  });
});
