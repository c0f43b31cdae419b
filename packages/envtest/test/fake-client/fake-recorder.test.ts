import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { editable, type EventRecorder } from "@kubescaffold/runtime";
import { describe, expect, it } from "vitest";

import { createFakeRecorder } from "../../src/fake-client/fake-recorder.ts";

const created = { type: "Normal", reason: "Created", action: "Create", note: "created the map" } as const;
const failed = { type: "Warning", reason: "Failed", action: "Create", note: "no space left" } as const;

function configMap(name: string): ConfigMap {
  return ConfigMap.create({ metadata: { namespace: "default", name } });
}

describe("createFakeRecorder", () => {
  it("records events in order, repeated ones each time, and returns them as lines once", () => {
    const recorder = createFakeRecorder();
    const asRecorder: EventRecorder = recorder;
    for (const event of [created, failed, failed]) asRecorder.event(configMap("a"), event);
    const lines = ["Normal Created created the map", "Warning Failed no space left", "Warning Failed no space left"];
    expect(recorder.takeLines()).toEqual(lines);
    expect([recorder.takeLines(), recorder.events]).toEqual([[], []]);
  });

  it("keeps the object as it was, with the fields of the event", () => {
    const recorder = createFakeRecorder();
    const object = configMap("a");
    recorder.event(object, { ...created, annotations: { a: "b" }, related: configMap("other") });
    object.metadata.name = "changed";
    expect(recorder.events).toEqual([
      { ...created, annotations: { a: "b" }, related: configMap("other"), regarding: configMap("a") },
    ]);
  });

  it("records events about frozen objects, such as those of a cache", () => {
    const recorder = createFakeRecorder();
    recorder.event(Object.freeze(editable(configMap("a"))), created);
    expect(recorder.events).toHaveLength(1);
  });
});
