// `npm run chaos`: two managers, and then the manager of each example, behind proxies that inject faults, with many seeds.
//
// node scripts/chaos.mjs [--seeds 20] [--seconds 5] [--seed 1]
//
// Prints the number of requests and faults. Ends with status 1 when an invariant is broken; the seed is printed with the command that reproduces it.
import { parseArgs } from "node:util";

import { binOf, ensureInstalled, runStatus } from "./ensure-installed.mjs";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "20" },
    seconds: { type: "string", default: "5" },
    seed: { type: "string", default: "1" },
  },
});

ensureInstalled();
process.exit(
  runStatus(
    process.execPath,
    [
      binOf("vitest"),
      "run",
      "packages/envtest/test/chaos/operator.e2e.test.ts",
      "packages/envtest/test/chaos/examples.e2e.test.ts",
    ],
    {
      env: {
        ...process.env,
        KUBESCAFFOLD_CHAOS_SEEDS: values.seeds,
        KUBESCAFFOLD_CHAOS_SECONDS: values.seconds,
        KUBESCAFFOLD_CHAOS_SEED: values.seed,
      },
    },
  ),
);
