import { defineKind, type Kind, StatusError } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { FakeClock, settle } from "@kubescaffold/platform/clock";
import { afterEach, describe, expect, it } from "vitest";

import type { Client } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { createUnmanagedController } from "../../src/controller/controller.ts";
import { createOrPatch, createOrUpdate } from "../../src/controllerutil/controllerutil.ts";
import { createRecordingLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { EventChannel } from "../../src/source/event-channel.ts";
import { func } from "../../src/source/source.ts";
import { createFakeApi } from "../client/fake-api.ts";

const Guestbook: Kind<KubernetesObject> = defineKind({ group: "webapp.demo", version: "v1" }, "Guestbook");
const KEY = { namespace: "a", name: "b" };
const OBJECT = Guestbook.create({ metadata: KEY });

const stops: AbortController[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

/** Reconciles once with a step that hangs; returns the error with which it ended. */
async function reconcile(step: () => Promise<unknown>, end: "timeout" | "stop"): Promise<unknown> {
  const clock = new FakeClock();
  const stop = new AbortController();
  stops.push(stop);
  let failure: unknown = "pending";
  const reconciler = async (): Promise<void> => {
    try {
      await step();
      failure = "resolved";
    } catch (error) {
      failure = error;
    }
  };
  const surroundings = { clock, registry: createMetricsRegistry(), logger: createRecordingLogger() };
  const controller = createUnmanagedController("hanging", surroundings, { reconciler, reconciliationTimeoutMs: 5000 });
  await controller.watch(func((context) => context.queue.add({ namespace: "a", name: "b" })));
  void controller.start(stop.signal);
  await settle();
  if (end === "timeout") {
    await clock.advance(5000);
  } else {
    stop.abort(new Error("the manager stops"));
  }
  for (let turn = 0; turn < 5; turn += 1) await settle();
  return failure;
}

const never = async (): Promise<never> => await new Promise(() => undefined);

function hangingClient(isHanging: (method: string) => boolean = () => true): Client {
  const { config } = createFakeApi({
    answer: async ({ method }) => {
      if (isHanging(method)) return await never();
      throw new StatusError({ status: "Failure", code: 404, reason: "NotFound" });
    },
  });
  return createClient(config);
}

const CALLS: readonly (readonly [string, (client: Client) => Promise<unknown>])[] = [
  ["get", (client) => client.get(Guestbook, KEY)],
  ["list", (client) => client.list(Guestbook)],
  ["create", (client) => client.create(OBJECT)],
  ["update", (client) => client.update(OBJECT)],
  ["apply", (client) => client.apply(OBJECT, { fieldOwner: "test" })],
  ["delete", (client) => client.delete(OBJECT)],
  ["deleteAllOf", (client) => client.deleteAllOf(Guestbook, { namespace: "a" })],
  ["status().update", (client) => client.status().update(OBJECT)],
  ["createOrUpdate", (client) => createOrUpdate(client, OBJECT)],
  ["createOrPatch", (client) => createOrPatch(client, OBJECT)],
];

describe("the signal of a reconcile", () => {
  it.each(CALLS)("guarantee 5: its timeout ends %s without a signal", async (_, call) => {
    const client = hangingClient();
    expect(await reconcile(() => call(client), "timeout")).toMatchObject({ code: "CONTROLLER_RECONCILE_TIMEOUT" });
  });

  it("guarantee 5: the stop of the manager ends calls, too", async () => {
    const client = hangingClient();
    expect(await reconcile(() => client.create(OBJECT), "stop")).toMatchObject({ message: "the manager stops" });
  });

  it("guarantee 5: a call with its own signal obeys only that one", async () => {
    const client = hangingClient();
    const own = new AbortController();
    stops.push(own);
    expect(await reconcile(() => client.get(Guestbook, KEY, { signal: own.signal }), "timeout")).toBe("pending");
  });

  it.each([createOrUpdate, createOrPatch])(
    "guarantee 5: a mutate function that hangs ends with the signal",
    async (operation) => {
      const client = hangingClient((method) => method !== "GET");
      const error = await reconcile(() => operation(client, OBJECT, never), "timeout");
      expect(error).toMatchObject({ code: "CONTROLLER_RECONCILE_TIMEOUT" });
      const own = AbortSignal.abort(new Error("no time"));
      await expect(operation(client, OBJECT, never, { signal: own })).rejects.toThrow("no time");
    },
  );

  it("guarantee 5: a send to a channel without receivers ends with the signal", async () => {
    const channel = new EventChannel();
    expect(await reconcile(() => channel.send({ object: OBJECT }), "timeout")).toMatchObject({
      code: "CONTROLLER_RECONCILE_TIMEOUT",
    });
  });
});

describe("EventChannel", () => {
  it("guarantee 5: an aborted send delivers nothing, and later events are not delayed", async () => {
    const channel = new EventChannel();
    const abort = new AbortController();
    const aborted = channel.send({ object: OBJECT }, { signal: abort.signal });
    const sent = channel.send({ object: Guestbook.create({ metadata: { name: "second" } }) });
    abort.abort(new Error("no time"));
    await expect(aborted).rejects.toThrow("no time");
    const received: (string | undefined)[] = [];
    const stop = new AbortController();
    channel.subscribe(async ({ object }) => void received.push(object.metadata.name), {
      bufferSize: 1,
      signal: stop.signal,
    });
    await sent;
    await settle();
    expect(received).toEqual(["second"]);
  });

  it("guarantee 5: sends settle when all receivers have stopped, and after that", async () => {
    const channel = new EventChannel();
    const stop = new AbortController();
    channel.subscribe(never, { bufferSize: 1, signal: stop.signal });
    await channel.send({ object: OBJECT });
    const waiting = channel.send({ object: OBJECT });
    await settle();
    stop.abort();
    await expect(waiting).resolves.toBeUndefined();
    await expect(channel.send({ object: OBJECT })).resolves.toBeUndefined();
  });
});
