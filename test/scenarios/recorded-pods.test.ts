import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { createEmbeddedCluster } from "@kubescaffold/cluster";
import { createClient } from "@kubescaffold/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { MISSING_IMAGE, OTHER_SHELL_IMAGE, PULLED_IMAGE, SHELL_IMAGE } from "../node/images.ts";
import type { PodRow } from "../node/pods/observe-pod.ts";
import { type PodRows, podRows } from "../node/pods/pod-rows.ts";
import { POD_TABLE } from "../node/pods/pod-table.ts";
import { SCRIPT_IMAGE } from "../node/pods/script-image.ts";

const LIVENESS_MS = 400_000;
const AT_ONCE = 24;
const QUIET_MS = 2000;
const RECORDED = JSON.parse(
  readFileSync(fileURLToPath(new URL("../node/pods/recorded/pods.json", import.meta.url)), "utf8"),
) as Readonly<Record<string, PodRow>>;

describe("the Pods that a real kubelet ran", () => {
  const cluster = createEmbeddedCluster({ workloadSimulation: true, kubernetesVersion: "1.37" });
  let embedded: PodRows;

  beforeAll(async () => {
    for (const image of [SHELL_IMAGE, OTHER_SHELL_IMAGE, PULLED_IMAGE]) cluster.images.define(image, SCRIPT_IMAGE);
    cluster.images.define(MISSING_IMAGE, { isMissing: true });
    await cluster.listen({ tls: true });
    embedded = await podRows({
      client: createClient(cluster.config),
      table: POD_TABLE,
      atOnce: AT_ONCE,
      quietMs: QUIET_MS,
    });
  }, LIVENESS_MS);
  afterAll(async () => cluster.close());

  it("all come to their states in the embedded cluster", () => {
    expect(embedded.stuck).toEqual([]);
    expect(Object.keys(embedded.rows)).toEqual(Object.keys(RECORDED));
  });

  it.each(POD_TABLE)("$name is reported equally by the embedded cluster", ({ name }) => {
    expect(embedded.rows[name]).toEqual(RECORDED[name]);
  });
});
