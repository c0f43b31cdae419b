import { Environment } from "@kubescaffold/envtest";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { type Client, type ClusterList, createClient, createClusterList } from "@kubescaffold/runtime";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { SharedConfig } from "../../api/v1/sharedconfig_types.ts";
import { COPY_LABEL, SharedConfigReconciler } from "./sharedconfig_controller.ts";
import { startSuite, type Suite } from "./suite.ts";

type Manager = Awaited<ReturnType<Suite["startManager"]>>;

describe("SharedConfig controller", () => {
  const environments = {
    east: new Environment({ backend: "embedded" }),
    west: new Environment({ backend: "embedded" }),
  };
  let suite: Suite;
  let east: Client;
  let west: Client;
  let list: ClusterList;
  let manager: Manager;
  let count = 0;
  let key = { namespace: "default", name: "" };

  beforeAll(async () => {
    suite = await startSuite();
    east = createClient(await environments.east.start());
    west = createClient(await environments.west.start());
    list = createClusterList({ east: environments.east.config });
    manager = await suite.startManager(async (mgr) => {
      await new SharedConfigReconciler(mgr.getClient()).setupWithManager(mgr, [list]);
    });
  });

  afterAll(async () => {
    await manager?.stop();
    await environments.east.stop();
    await environments.west.stop();
    await suite?.stop();
  });

  beforeEach(() => {
    count += 1;
    key = { namespace: "default", name: `shared-${String(count)}` };
  });

  const create = (data: Record<string, string>): Promise<SharedConfig> =>
    suite.client.create(SharedConfig.create({ metadata: key, spec: { data } }));
  const clusters = async (): Promise<unknown> => (await suite.client.get(SharedConfig, key)).status?.clusters;

  it("copies a SharedConfig, and reverts changes to the copy", async () => {
    await create({ color: "blue" });
    await manager.eventually(async () => expect((await east.get(ConfigMap, key)).data).toEqual({ color: "blue" }));
    const copy = await east.get(ConfigMap, key);
    await east.update({ ...copy, data: { color: "red" } });
    await manager.eventually(async () => expect((await east.get(ConfigMap, key)).data).toEqual({ color: "blue" }));
    await manager.eventually(async () => expect(await clusters()).toEqual({ east: "Synced" }));
  });

  it("deletes the copy with its SharedConfig", async () => {
    const shared = await create({ color: "blue" });
    await manager.eventually(async () => expect(await east.get(ConfigMap, key)).toBeDefined());
    await suite.client.delete(shared);
    await manager.eventually(async () => await expect(east.get(ConfigMap, key)).rejects.toThrow("not found"));
  });

  it("does not change a ConfigMap that is not a copy", async () => {
    await east.create(ConfigMap.create({ metadata: key, data: { owner: "someone" } }));
    await create({ color: "blue" });
    await manager.eventually(async () => expect(await clusters()).toEqual({ east: "Taken" }));
    const { metadata, data } = await east.get(ConfigMap, key);
    expect([data, metadata.labels]).toEqual([{ owner: "someone" }, undefined]);
  });

  it("copies all SharedConfigs to a cluster that comes later, and none to one that was removed", async () => {
    await create({ color: "green" });
    await list.set("west", environments.west.config);
    await manager.eventually(async () => expect((await west.get(ConfigMap, key)).data).toEqual({ color: "green" }));
    await manager.eventually(async () => expect(await clusters()).toEqual({ east: "Synced", west: "Synced" }));
    await list.delete("west");
    const before = key;
    key = { namespace: "default", name: "shared-later" };
    await create({ color: "yellow" });
    await manager.eventually(async () => expect(await clusters()).toEqual({ east: "Synced" }));
    await expect(west.get(ConfigMap, key)).rejects.toThrow("not found");
    expect((await west.get(ConfigMap, before)).metadata.labels).toEqual({ [COPY_LABEL]: "true" });
  });
});
