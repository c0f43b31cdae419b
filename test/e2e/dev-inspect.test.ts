import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { startDevOnExample } from "./dev-process.ts";

const LIVENESS_MS = 300_000;

it(
  "scaffold dev --inspect serves debuggers on one port, also after a restart",
  async () => {
    const port = await freePort();
    const { project, dev } = startDevOnExample([`--inspect=${String(port)}`, "--output", "json"]);
    await dev.waitFor(new RegExp(`"event":"debugger-ready","url":"ws://127\\.0\\.0\\.1:${String(port)}/`, "u"));
    await dev.waitFor(/"event":"manager-ready"/u);
    const first = await targetsOf(port);
    expect(first).toHaveLength(1);
    writeFileSync(path.join(project.root, "internal", "controller", "added.ts"), "export const added = 1;\n");
    await dev.waitFor(/"event":"debugger-ready"/u, 2);
    await dev.waitFor(/"event":"manager-ready"/u, 2);
    const second = await targetsOf(port);
    expect(second).toHaveLength(1);
    expect(second).not.toEqual(first);
  },
  LIVENESS_MS,
);

it(
  "scaffold dev --inspect names a port that is in use, and runs the manager",
  async () => {
    const server = createServer();
    onTestFinished(() => void server.close());
    const port = await listen(server);
    const { dev } = startDevOnExample([`--inspect=${String(port)}`, "--output", "json"]);
    const text = `cannot start the inspector on 127\\.0\\.0\\.1:${String(port)}: address already in use; choose another port with --inspect=<port>`;
    await dev.waitFor(new RegExp(text, "u"));
    await dev.waitFor(/"event":"manager-ready"/u);
    expect(dev.count(/"event":"debugger-ready"/u)).toBe(0);
  },
  LIVENESS_MS,
);

async function targetsOf(port: number): Promise<readonly string[]> {
  const targets = (await (await fetch(`http://127.0.0.1:${String(port)}/json/list`)).json()) as readonly {
    id: string;
  }[];
  return targets.map(({ id }) => id);
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
