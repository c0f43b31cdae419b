// Starts two environments at once, sends the ids of their processes and addresses, and then ends as a test does that crashes.
import { readdirSync, readFileSync } from "node:fs";

import { Environment } from "../../src/environment/environment.ts";

const environments = [new Environment(), new Environment()];
const configs = await Promise.all(environments.map((environment) => environment.start()));
process.send?.({ processes: childrenOf(process.pid), servers: configs.map(({ server }) => server) });
if (process.argv[2] === "error") setImmediate(() => nonexistent());
else setInterval(() => undefined, 1000);

function nonexistent(): never {
  throw new Error("a test has crashed");
}

// The name of a program, in parentheses, may contain spaces; the id of its parent follows its state.
function childrenOf(parent: number): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name))
    .map(Number)
    .filter((id) => parentOf(id) === parent);
}

function parentOf(id: number): number | undefined {
  try {
    const [, parent] =
      readFileSync(`/proc/${String(id)}/stat`, "utf8")
        .split(") ")
        .at(-1)
        ?.split(" ") ?? [];
    return Number(parent);
  } catch {
    // The process has ended meanwhile.
    return undefined;
  }
}
