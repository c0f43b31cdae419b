import { createClient } from "@kubescaffold/runtime";
import { describe, expect, it } from "vitest";

import { TestRegistry } from "../support/test-registry.ts";
import { moveToRegistry } from "./containerd.ts";
import { PULLED_IMAGE, REGISTRY } from "./images.ts";
import { CLUSTER, nodeCluster } from "./node-project.ts";
import { podRows } from "./pods/pod-rows.ts";
import { POD_TABLE } from "./pods/pod-table.ts";

const LIVENESS_MS = 900_000;
const AT_ONCE = 12;
const QUIET_MS = 5000;

describe.skipIf(CLUSTER === undefined)("the table of Pods on a real node", { timeout: LIVENESS_MS }, () => {
  // test/scenarios/recorded-pods.test.ts compares the embedded cluster with it; `--update` records the rows again.
  it("is reported as recorded", async () => {
    const { config, containerdSocket } = nodeCluster();
    await TestRegistry.start(Number(REGISTRY.split(":")[1]));
    await moveToRegistry(containerdSocket, PULLED_IMAGE);
    const { rows, stuck } = await podRows({
      client: createClient(config),
      table: POD_TABLE,
      atOnce: AT_ONCE,
      quietMs: QUIET_MS,
    });
    expect(stuck).toEqual([]);
    await expect(`${JSON.stringify(rows, undefined, 2)}\n`).toMatchFileSnapshot("pods/recorded/pods.json");
  });
});
