import { realClock } from "@kubescaffold/platform/clock";
import fc from "fast-check";
import { expect, it } from "vitest";

import { createClient } from "../../src/client/create-client.ts";
import { raw } from "../../src/client/patches.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { migrateDefinition } from "../../src/storage-migration/migrate-definition.ts";
import { progressInConfigMap } from "../../src/storage-migration/migration-progress.ts";
import { interceptedConfig } from "../support/intercepted-config.ts";
import { serverForTests } from "../support/server-for-tests.ts";
import { StoredKind } from "./kinds-on-server.ts";

const server = serverForTests();
const OBJECTS = 12;

/** Something that happens before a request of the migration is sent. */
type Action =
  | { readonly kind: "create" | "delete" | "write"; readonly index: number; readonly version: "v1" | "v1alpha1" }
  | { readonly kind: "flip" | "kill" | "lost answer" };

const actions = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom("create" as const, "delete" as const, "write" as const),
      index: fc.nat(OBJECTS + 3),
      version: fc.constantFrom("v1" as const, "v1alpha1" as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom("flip" as const, "kill" as const, "lost answer" as const) }),
  },
);

it(
  "regardless of what happens between its requests, no object is lost, and all are stored in the storage version, which the status lists alone",
  { timeout: 300_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(3), actions), { maxLength: 25 }), async (steps) => {
        const { expected, ...observed } = await runInterleaving(steps);
        expect(observed).toEqual({
          sizes: Object.fromEntries(expected),
          storedVersions: ["v1"],
          storedOtherwise: [],
          refused: [],
          unexpected: [],
        });
      }),
      { numRuns: 25 },
    );
  },
);

interface Observed {
  readonly expected: ReadonlyMap<string, number>;
  readonly sizes: Readonly<Record<string, unknown>>;
  readonly storedVersions: readonly string[] | undefined;
  readonly storedOtherwise: readonly string[];
  readonly refused: readonly unknown[];
  /** Failures that nothing here caused. */
  readonly unexpected: readonly unknown[];
}

async function runInterleaving(steps: readonly (readonly [number, Action])[]): Promise<Observed> {
  const { live, namespace } = server.on;
  const kind = await new StoredKind(live, namespace).install();
  const expected = new Map<string, number>();
  for (let index = 0; index < OBJECTS; index += 1) {
    await live.create(kind.object("v1alpha1", `thing-${String(index)}`, { size: index }));
    expected.set(`thing-${String(index)}`, index);
  }
  await kind.change("v1");
  const pending = steps.map(([after, action]) => ({ after, action }));
  let killed = new AbortController();
  let isLost = false;
  let waited = 0;
  let value = 1000;

  const act = async (action: Action): Promise<void> => {
    if (action.kind === "flip") {
      await kind.change("v1alpha1");
      const size = (value += 1);
      await live.create(kind.object("v1alpha1", `flip-${String(size)}`, { size }));
      expected.set(`flip-${String(size)}`, size);
      await kind.change("v1");
    } else if (action.kind === "kill") {
      killed.abort(new Error("killed"));
    } else if ("index" in action) {
      const name = `thing-${String(action.index)}`;
      // Requests for discovery overlap with others.
      const size = (value += 1);
      const object = kind.object(action.version, name, { size });
      if (action.kind === "create" && !expected.has(name)) {
        await live.create(object);
        expected.set(name, size);
      } else if (action.kind === "delete" && expected.delete(name)) {
        await live.delete(object);
      } else if (action.kind === "write" && expected.has(name)) {
        await live.patch(object, raw("application/merge-patch+json", { spec: { size } }));
        expected.set(name, size);
      }
    }
  };

  // Requests of the migration run one after the other, so that each case can be repeated.
  const config = interceptedConfig(server.config, async (request, send) => {
    const next = pending[0];
    const isDue = next !== undefined && waited >= next.after;
    waited = isDue ? 0 : waited + 1;
    if (isDue) {
      pending.shift();
      await act(next.action);
    }
    const response = await send(request);
    if (isDue && next.action.kind === "lost answer") {
      isLost = true;
      throw new TypeError("the connection was closed");
    }
    return response;
  });
  const client = createClient(config, { log: silentLogger });
  const progress = progressInConfigMap(client, { name: kind.crd, namespace });
  const refused: unknown[] = [];
  const unexpected: unknown[] = [];
  let outcome = "";
  while (outcome !== "migrated" && outcome !== "current" && unexpected.length === 0) {
    const pace = { pageSize: 5, workers: 1, writesPerSecond: Number.POSITIVE_INFINITY, propagationMs: 0 };
    const base = { client, crd: kind.crd, fieldOwner: "migration", progress, isDryRun: false };
    try {
      const result = await migrateDefinition({ ...base, ...pace, clock: realClock, signal: killed.signal });
      ({ outcome } = result);
      refused.push(...result.counts.refused);
    } catch (error) {
      if (!killed.signal.aborted && !isLost) unexpected.push(error);
      killed = new AbortController();
      isLost = false;
    }
  }
  const observed = {
    expected,
    sizes: await kind.sizes("v1"),
    storedVersions: await kind.storedVersions(),
    storedOtherwise: await kind.storedOtherwise("v1"),
    refused,
    unexpected,
  };
  const { items } = await live.list(kind.gvk("v1"));
  for (const item of items) await live.delete(item);
  return observed;
}
