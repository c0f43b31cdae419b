import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { Environment } from "@kubescaffold/envtest";
import type { RestConfig } from "@kubescaffold/k8s";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { afterAll, expect, it } from "vitest";

import { createClient } from "../../src/client/create-client.ts";

const environment = new Environment({ backend: "embedded" });
const running = new Set<Contender>();

afterAll(async () => {
  for (const { program } of running) program.kill("SIGKILL");
  await environment.stop();
});

interface Contender {
  readonly identity: string;
  readonly program: ChildProcess;
  readonly exited: Promise<unknown>;
}

let started = 0;
let leader: Contender | undefined;

function start(config: RestConfig): void {
  started += 1;
  const identity = `c${String(started)}`;
  const program = fork(fileURLToPath(new URL("contender.ts", import.meta.url)), [JSON.stringify(config), identity], {
    execArgv: ["--import", "tsx", "--conditions", "@kubescaffold/source"],
  });
  const exited = once(program, "exit").then(([code]: unknown[]) => code);
  const contender = { identity, program, exited };
  running.add(contender);
  program.on("message", () => {
    leader = contender;
  });
}

async function nextLeader(former?: Contender): Promise<Contender> {
  await expect.poll(() => leader !== former, { timeout: 60_000 }).toBe(true);
  return leader as Contender;
}

it(
  "row 30, row 33: of three processes one leads at a time, through kills and a pause that is longer than the lease",
  { timeout: 180_000 },
  async () => {
    await environment.start();
    const config = await environment.listen();
    const client = createClient(environment.config);
    for (let count = 0; count < 3; count += 1) start(config);
    let current = await nextLeader();
    for (let kill = 0; kill < 3; kill += 1) {
      current.program.kill("SIGKILL");
      running.delete(current);
      start(config);
      current = await nextLeader(current);
    }
    const paused = current;
    paused.program.kill("SIGSTOP");
    current = await nextLeader(paused);
    paused.program.kill("SIGCONT");
    expect(await paused.exited).toBe(1);
    const { items } = await client.list(ConfigMap, { namespace: "default", labelSelector: "contender" });
    const writers = items
      .toSorted((left, right) => Number(left.metadata.resourceVersion) - Number(right.metadata.resourceVersion))
      .map(({ metadata }) => metadata.labels?.["contender"]);
    // A process that is suspended between the check of its lease and the socket sends that one request when it goes on.
    const late = writers.lastIndexOf(paused.identity);
    if (late > writers.indexOf(current.identity)) writers.splice(late, 1);
    const turns = writers.filter((writer, index) => writer !== writers[index - 1]);
    expect(turns).toHaveLength(new Set(turns).size);
    expect(turns.length).toBeGreaterThanOrEqual(5);
    expect(turns.at(-1)).toBe(current.identity);
  },
);
