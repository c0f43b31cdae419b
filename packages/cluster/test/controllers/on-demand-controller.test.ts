import { describe, expect, it } from "vitest";

import type { InProcessController, ServerContext } from "../../../apiserver/src/pipeline/server-context.ts";
import { Store } from "../../../apiserver/src/storage/store.ts";
import { onDemandController } from "../../src/controllers/on-demand-controller.ts";

const SECRETS = { group: "", resource: "secrets" };

function storeWith(names: readonly string[]): Store {
  const store = new Store({ changes: 10, bytes: 1000 });
  for (const name of names) write(store, name);
  return store;
}

function write(store: Store, name: string): void {
  const object = { apiVersion: "v1", kind: "Secret", metadata: { name } };
  store.write({ groupResource: SECRETS, key: name, current: undefined }, object);
}

function recorded(calls: string[]): InProcessController {
  return {
    name: "recorded",
    start: () => void calls.push("start"),
    stop: async () => void calls.push("stop"),
    idle: async () => void calls.push("idle"),
  };
}

function isNeededBy({ metadata }: { readonly metadata: { readonly name?: string } }): boolean {
  return metadata.name !== "harmless";
}

function controllerOf(store: Store, calls: string[]): InProcessController {
  const create = onDemandController("recorded", { resources: [SECRETS], isNeededBy }, async () => {
    calls.push("load");
    return () => recorded(calls);
  });
  return create({ objects: store } as unknown as ServerContext);
}

describe("a controller that is loaded on demand", () => {
  it("is not loaded while none of its objects exists", async () => {
    const calls: string[] = [];
    const controller = controllerOf(storeWith(["harmless"]), calls);
    controller.start();
    await controller.idle();
    await controller.stop();
    expect(calls).toEqual([]);
  });

  it("is loaded once, with the first object, and starts again after it was stopped", async () => {
    const calls: string[] = [];
    const store = storeWith([]);
    const controller = controllerOf(store, calls);
    controller.start();
    write(store, "one");
    write(store, "two");
    await controller.idle();
    await controller.stop();
    controller.start();
    await controller.stop();
    expect(calls).toEqual(["load", "start", "idle", "stop", "start", "stop"]);
  });

  it("is not loaded by objects that are written after it was stopped", async () => {
    const calls: string[] = [];
    const store = storeWith([]);
    const controller = controllerOf(store, calls);
    controller.start();
    await controller.stop();
    write(store, "one");
    await controller.idle();
    expect(calls).toEqual([]);
  });
});
