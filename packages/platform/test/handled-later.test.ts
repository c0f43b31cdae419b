import { describe, expect, it } from "vitest";

import { nextTurn } from "../src/clock/event-loop.ts";
import { handledLater } from "../src/handled-later.ts";

describe("handledLater", () => {
  it("returns the promise, whose rejection ends nothing until it is awaited", async () => {
    const failing = Promise.reject(new Error("too early"));
    const marked = handledLater(failing);
    expect(marked).toBe(failing);
    await nextTurn();
    await expect(marked).rejects.toThrow("too early");
  });
});
