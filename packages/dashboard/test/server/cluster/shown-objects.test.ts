import { describe, expect, it } from "vitest";

import { ShownObjects } from "../../../src/server/cluster/shown-objects.ts";
import type { ClusterEvent, DashboardMessage, ObjectSummary } from "../../../src/server/contract/protocol.ts";

const ROOT = { isRoot: true, isExisting: false };
const OTHER = { isRoot: false, isExisting: false };

function summary(name: string, owner?: string, resourceVersion = "1"): ObjectSummary {
  return {
    uid: `uid-${name}`,
    apiVersion: "v1",
    kind: "Thing",
    resource: "things",
    namespace: "default",
    name,
    resourceVersion,
    createdAt: 0,
    ...(owner === undefined
      ? {}
      : { owners: [{ uid: `uid-${owner}`, kind: "Thing", name: owner, isController: true }] }),
  };
}

function event(name: string, objectUid = ""): ClusterEvent {
  return {
    type: "event",
    uid: `event-${name}`,
    at: 0,
    severity: "Normal",
    reason: "Tested",
    message: name,
    count: 1,
    source: "test",
    kind: "Thing",
    namespace: "default",
    name,
    objectUid,
  };
}

function newShown(): { readonly shown: ShownObjects; readonly take: () => readonly string[] } {
  const messages: DashboardMessage[] = [];
  return {
    shown: new ShownObjects((message) => void messages.push(message)),
    take: () =>
      messages
        .splice(0)
        .map((message) =>
          message.type === "object"
            ? `${message.change} ${message.object.name}`
            : `event ${(message as ClusterEvent).name}`,
        ),
  };
}

describe("the shown objects", () => {
  it("are roots and what they own, in any order", () => {
    const { shown, take } = newShown();
    shown.set(summary("pod", "set"), OTHER);
    shown.set(summary("set", "root"), OTHER);
    shown.set(summary("stranger"), OTHER);
    expect(take()).toEqual([]);
    shown.set(summary("root"), ROOT);
    expect(take()).toEqual(["created root", "created set", "created pod"]);
    shown.set(summary("late", "pod"), OTHER);
    expect(take()).toEqual(["created late"]);
    expect(shown.isShown("uid-stranger")).toBe(false);
  });

  it("change and are deleted; what they own stays until it is deleted itself", () => {
    const { shown, take } = newShown();
    shown.set(summary("root"), { isRoot: true, isExisting: true });
    shown.set(summary("child", "root"), OTHER);
    shown.set(summary("root", undefined, "2"), ROOT);
    shown.set(summary("root", undefined, "2"), ROOT);
    shown.delete("uid-root");
    shown.delete("uid-root");
    shown.delete("uid-stranger");
    shown.set(summary("child", "root", "2"), OTHER);
    expect(take()).toEqual(["existing root", "created child", "changed root", "deleted root", "changed child"]);
  });

  it("become roots when another watch says so, and are adopted", () => {
    const { shown, take } = newShown();
    shown.set(summary("a"), OTHER);
    shown.set(summary("a"), ROOT);
    shown.set(summary("b"), OTHER);
    shown.set(summary("b", "a", "2"), OTHER);
    shown.set(summary("a"), OTHER);
    expect(take()).toEqual(["created a", "created b"]);
  });

  it("end with a loop of owners", () => {
    const { shown, take } = newShown();
    shown.set(summary("a", "b"), OTHER);
    shown.set(summary("b", "a"), ROOT);
    expect(take()).toEqual(["created b", "created a"]);
  });

  it("have their Events, which wait for them", () => {
    const { shown, take } = newShown();
    shown.addEvent(event("by-uid", "uid-root"));
    shown.addEvent(event("root"));
    shown.addEvent(event("stranger"));
    expect(take()).toEqual([]);
    shown.set(summary("root"), ROOT);
    expect(take()).toEqual(["created root", "event by-uid", "event root"]);
    shown.addEvent(event("root"));
    expect(take()).toEqual(["event root"]);
  });
});
