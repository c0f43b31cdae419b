import { describe, expect, it } from "vitest";

import { createAddIngress } from "./examples/addingress.ts";
import { createCronJob } from "./examples/cronjob.ts";
import { createDnsRecord } from "./examples/dnsrecord.ts";
import type { CreateExample } from "./examples/example.ts";
import { createNamespacePlus } from "./examples/namespaceplus.ts";
import { runExample } from "./examples/run-example.ts";
import { createGuestbook, createMemcached, createMultiversion } from "./examples/workloads.ts";

const SEEDS = Number(process.env["KUBESCAFFOLD_CHAOS_SEEDS"] ?? "1");
const SECONDS = Number(process.env["KUBESCAFFOLD_CHAOS_SECONDS"] ?? "1");
const FIRST_SEED = Number(process.env["KUBESCAFFOLD_CHAOS_SEED"] ?? "1");

const EXAMPLES: readonly (readonly [string, CreateExample])[] = [
  ["guestbook", createGuestbook],
  ["memcached", createMemcached],
  ["multiversion", createMultiversion],
  ["namespaceplus", createNamespacePlus],
  ["cronjob", createCronJob],
  ["addingress", createAddIngress],
  ["dnsrecord", createDnsRecord],
];

describe.each(EXAMPLES)("examples/%s behind a faulty network", (name, create) => {
  it.each(Array.from({ length: SEEDS }, (_, index) => FIRST_SEED + index))(
    "row 96: seed %i: reaches the desired state with the permissions of its markers, and stops",
    { timeout: SECONDS * 1000 + 180_000 },
    async (seed) => {
      const violations = await runExample(name, create, { seed, seconds: SECONDS });
      const command = `npm run chaos -- --seed ${String(seed)} --seeds 1 --seconds ${String(SECONDS)}`;
      expect(violations, `reproduce with: ${command}`).toEqual([]);
    },
  );
});
