import { Environment } from "@kubescaffold/envtest";
import { Event as CoreEvent } from "@kubescaffold/k8s/core/v1";
import { Event } from "@kubescaffold/k8s/events/v1";
import { afterAll, expect, it } from "vitest";

import { createClient } from "../../src/client/create-client.ts";
import { createEventBroadcaster } from "../../src/recorder/event-broadcaster.ts";
import { eventFields } from "../../src/recorder/event-fields.ts";

const environment = new Environment({ backend: "embedded" });
afterAll(() => environment.stop());

it("selects the fields that are set", () => {
  expect(eventFields({ kind: "Pod", name: "web", uid: "", apiVersion: "v1" })).toEqual({
    "regarding.kind": "Pod",
    "regarding.name": "web",
    "regarding.apiVersion": "v1",
  });
  expect(eventFields({ uid: "7" }, "v1")).toEqual({ "involvedObject.uid": "7" });
  expect(eventFields({})).toEqual({});
});

it("finds the events of an object on a server, in both groups", async () => {
  const client = createClient(await environment.start());
  const broadcaster = createEventBroadcaster({ client });
  const recorder = broadcaster.recorder("guestbook");
  for (const name of ["web", "db"]) {
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "default" } };
    recorder.event(pod, { type: "Normal", reason: "Started", action: "Start", note: name });
  }
  await broadcaster.stop();
  const pod = { kind: "Pod", name: "web" };
  const events = await client.list(Event, { namespace: "default", fields: eventFields(pod) });
  expect(events.items.map(({ note }) => note)).toEqual(["web"]);
  const core = await client.list(CoreEvent, { namespace: "default", fields: eventFields(pod, "v1") });
  expect(core.items.map(({ message }) => message)).toEqual(["web"]);
});
