import { describe, expect, it } from "vitest";

import {
  type ControllerIdentity,
  type CreateController,
  defineController,
} from "../../src/controllers/define-controller.ts";
import type { InProcessController, ServerContext } from "../../src/pipeline/server-context.ts";
import { Store } from "../../src/storage/store.ts";

const CONTEXT = {} as ServerContext;
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

function loading(calls: string[]): () => Promise<{ readonly createController: CreateController }> {
  return async () => {
    calls.push("load");
    return await Promise.resolve({ createController: () => recorded(calls) });
  };
}

function isNeededBy({ metadata }: { readonly metadata: { readonly name?: string } }): boolean {
  return metadata.name !== "harmless";
}

function onDemand(store: Store, calls: string[]): InProcessController {
  const { create } = defineController({
    name: "recorded",
    demand: { resources: [SECRETS], isNeededBy },
    load: loading(calls),
  });
  return create({ objects: store } as unknown as ServerContext, undefined);
}

describe("a controller that is loaded when it starts", () => {
  it("is loaded once, starts before it is idle, and stops after it started", async () => {
    const calls: string[] = [];
    const controller = defineController({ name: "recorded", load: loading(calls) }).create(CONTEXT, undefined);
    expect([controller.name, calls]).toEqual(["recorded", []]);
    controller.start();
    await controller.idle();
    await controller.stop();
    controller.start();
    await controller.stop();
    expect(calls).toEqual(["load", "start", "idle", "stop", "start", "stop"]);
  });

  it("does nothing if it never starts", async () => {
    const calls: string[] = [];
    const controller = defineController({ name: "recorded", load: loading(calls) }).create(CONTEXT, undefined);
    await controller.idle();
    await controller.stop();
    expect(calls).toEqual([]);
  });

  it("reports why its module could not be loaded", async () => {
    const load = async (): Promise<never> => await Promise.reject(new Error("no module"));
    const controller = defineController({ name: "broken", load }).create(CONTEXT, undefined);
    controller.start();
    await expect(controller.idle()).rejects.toThrow("no module");
  });
});

describe("a controller that is loaded on demand", () => {
  it("is not loaded while none of its objects exists", async () => {
    const calls: string[] = [];
    const controller = onDemand(storeWith(["harmless"]), calls);
    controller.start();
    await controller.idle();
    await controller.stop();
    expect(calls).toEqual([]);
  });

  it("is loaded once, with the first object, and starts again after it was stopped", async () => {
    const calls: string[] = [];
    const store = storeWith([]);
    const controller = onDemand(store, calls);
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
    const controller = onDemand(store, calls);
    controller.start();
    await controller.stop();
    write(store, "one");
    await controller.idle();
    expect(calls).toEqual([]);
  });

  it("is loaded by a condition outside of the store, and no more once it was stopped", async () => {
    const calls: string[] = [];
    const listeners = new Set<() => void>();
    const parts = { isOpen: false };
    const { create } = defineController<typeof parts>({
      name: "recorded",
      demand: {
        isNeeded: (_context, { isOpen }) => isOpen,
        onNeeded: (_context, _parts, begin) => {
          listeners.add(begin);
          return () => listeners.delete(begin);
        },
      },
      load: loading(calls),
    });
    const controller = create(CONTEXT, parts);
    controller.start();
    expect(listeners.size).toBe(1);
    for (const listener of listeners) listener();
    await controller.idle();
    await controller.stop();
    expect([calls, listeners.size]).toEqual([["load", "start", "idle", "stop"], 0]);
    create(CONTEXT, { isOpen: true }).start();
    expect([calls.at(-1), listeners.size]).toEqual(["load", 0]);
  });
});

describe("the identity of a controller", () => {
  const received: ControllerIdentity[] = [];
  const create: CreateController<string> = (_context, identity, parts) => {
    received.push(identity);
    return { ...recorded([]), name: parts };
  };
  const rules = [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"] }];

  it("is given to its implementation, with the parts of the cluster", () => {
    const { name, user, ...controller } = defineController({ name: "collector", rules, create });
    expect(controller.create(CONTEXT, "parts").name).toBe("parts");
    expect(received).toEqual([{ name, user }]);
  });

  it("is a service account if the controller has rules, and the API server or another user otherwise", () => {
    const nameOf = (definition: object): string =>
      defineController({ name: "collector", create, ...definition }).user.name;
    expect(nameOf({ rules })).toBe("system:serviceaccount:kube-system:collector");
    expect(nameOf({})).toBe("system:apiserver");
    expect(nameOf({ user: { name: "jane", groups: [] } })).toBe("jane");
  });
});
