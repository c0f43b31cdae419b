import { describe, expect, it } from "vitest";

import type { InProcessController, ServerContext } from "../../../apiserver/src/pipeline/server-context.ts";
import { lazyController } from "../../src/controllers/lazy-controller.ts";

const CONTEXT = {} as ServerContext;

function recorded(calls: string[]): InProcessController {
  return {
    name: "recorded",
    start: () => void calls.push("start"),
    stop: async () => void calls.push("stop"),
    idle: async () => void calls.push("idle"),
  };
}

describe("a controller that is loaded when it starts", () => {
  it("is loaded once, starts before it is idle, and stops after it started", async () => {
    const calls: string[] = [];
    const create = lazyController("recorded", async () => {
      calls.push("load");
      return () => recorded(calls);
    });
    const controller = create(CONTEXT);
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
    const controller = lazyController("recorded", async () => () => recorded(calls))(CONTEXT);
    await controller.idle();
    await controller.stop();
    expect(calls).toEqual([]);
  });

  it("reports why its module could not be loaded", async () => {
    const controller = lazyController("broken", async () => await Promise.reject(new Error("no module")))(CONTEXT);
    controller.start();
    await expect(controller.idle()).rejects.toThrow("no module");
  });
});
