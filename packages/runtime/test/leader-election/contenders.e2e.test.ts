import { Environment } from "@kubescaffold/envtest";
import { afterAll, expect, it } from "vitest";

import { createClient } from "../../src/client/create-client.ts";
import { Contenders, turnsOf, writersOf } from "./contender-processes.ts";

const environment = new Environment();
let contenders: Contenders | undefined;

afterAll(async () => {
  contenders?.killAll();
  await environment.stop();
});

it(
  "row 30, row 33: of three processes one leads at a time, through kills and a pause that is longer than the lease",
  { timeout: 180_000 },
  async () => {
    await environment.start();
    contenders = new Contenders(await environment.listen());
    for (let count = 0; count < 3; count += 1) contenders.start();
    let current = await contenders.nextLeader();
    for (let kill = 0; kill < 3; kill += 1) {
      contenders.kill(current);
      contenders.start();
      current = await contenders.nextLeader(current);
    }
    const paused = current;
    paused.program.kill("SIGSTOP");
    current = await contenders.nextLeader(paused);
    paused.program.kill("SIGCONT");
    expect(await paused.exited).toBe(1);
    const writers = [...(await writersOf(createClient(environment.config)))];
    // A process that is suspended between the check of its lease and the socket sends that one request when it goes on.
    const late = writers.lastIndexOf(paused.identity);
    if (late > writers.indexOf(current.identity)) writers.splice(late, 1);
    const turns = turnsOf(writers);
    expect(turns).toHaveLength(new Set(turns).size);
    expect(turns.length).toBeGreaterThanOrEqual(5);
    expect(turns.at(-1)).toBe(current.identity);
  },
);
