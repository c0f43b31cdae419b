// The workqueues and the reconciles of a build without a server: bench/runtime/{queue,noop}.mjs in processor time.
import path from "node:path";

import { startProcess } from "../runtime/beside-go.mjs";

const WORKLOADS = [
  { program: "queue.mjs", name: "priority-fill", count: 1_000_000 },
  { program: "queue.mjs", name: "priority-steady", count: 1_000_000 },
  { program: "queue.mjs", name: "plain-fill", count: 1_000_000 },
  { program: "queue.mjs", name: "plain-steady", count: 1_000_000 },
  { program: "noop.mjs", name: "noop", count: 10_000 },
  { program: "noop.mjs", name: "noop-long", count: 500_000 },
];

/** Returns the workloads. */
export function queueWorkloads() {
  return WORKLOADS.map(({ program, name, count }) => ({
    name,
    title: `${name}, ${count.toLocaleString("en-US")} requests: CPU time`,
    unit: "s",
    prepare: (root) => ({
      run: async () => {
        const args = [path.join(root, "bench", "runtime", program), name, String(count)];
        return (await startProcess(process.execPath, args)).cpuSeconds;
      },
    }),
  }));
}
