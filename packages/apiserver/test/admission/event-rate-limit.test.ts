import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, describe, expect, it } from "vitest";

import type { EventRateLimitOptions } from "../../src/admission/event-rate-limit/event-rate-limit-options.ts";
import { requestsOf, type Requests } from "../support/cluster-requests.ts";

let cluster: EmbeddedCluster | undefined;

afterEach(async () => {
  await cluster?.close();
  cluster = undefined;
});

function start(options: EventRateLimitOptions): { readonly admin: Requests; readonly clock: FakeClock } {
  const clock = new FakeClock();
  cluster = createEmbeddedCluster({ clock, eventRateLimit: options });
  return { admin: requestsOf(cluster.config), clock };
}

async function write(admin: Requests, name: string, more: { namespace?: string; about?: string; query?: string } = {}) {
  const { namespace = "default", about = "web", query = "" } = more;
  const { status, body } = await admin.post(`/api/v1/namespaces/${namespace}/events${query}`, {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name },
    involvedObject: { kind: "Pod", namespace, name: about, apiVersion: "v1" },
    source: { component: "test" },
  });
  return [status, body["message"]] as const;
}

// The source, and the object with its kind and version.
const KEY = ["test", "Pod", "default", "web", "v1"].join("");

describe("EventRateLimit", () => {
  it("refuses events beyond the burst until tokens are back", async () => {
    const { admin, clock } = start({ limits: [{ type: "Server", qps: 1, burst: 2 }] });
    expect([(await write(admin, "a"))[0], (await write(admin, "b"))[0]]).toEqual([201, 201]);
    expect(await write(admin, "c")).toEqual([429, "Too many requests: limit reached on type Server for key "]);
    clock.step(1000);
    expect((await write(admin, "c"))[0]).toBe(201);
    expect((await write(admin, "d"))[0]).toBe(429);
  });

  it("lets an event pass as soon as there is a token, also after many refused ones", async () => {
    const { admin, clock } = start({ limits: [{ type: "Server", qps: 1, burst: 1 }] });
    expect((await write(admin, "a"))[0]).toBe(201);
    const codes = [];
    for (let attempt = 0; attempt < 10; attempt += 1) {
      clock.step(100);
      codes.push((await write(admin, "b"))[0]);
    }
    expect(codes).toEqual([...Array.from({ length: 9 }, () => 429), 201]);
  });

  it("does not count dry runs", async () => {
    const { admin } = start({ limits: [{ type: "Server", qps: 1, burst: 1 }] });
    expect((await write(admin, "a", { query: "?dryRun=All" }))[0]).toBe(201);
    expect((await write(admin, "a"))[0]).toBe(201);
    expect((await write(admin, "b", { query: "?dryRun=All" }))[0]).toBe(201);
  });

  it("counts namespaces, users, and the objects of a source by themselves, and names all exceeded limits", async () => {
    const limit = { qps: 1, burst: 1 };
    const { admin } = start({
      limits: [
        { type: "Namespace", ...limit },
        { type: "SourceAndObject", ...limit },
        { type: "User", qps: 1, burst: 10 },
      ],
    });
    expect((await write(admin, "a"))[0]).toBe(201);
    expect((await write(admin, "a", { namespace: "kube-system" }))[0]).toBe(201);
    expect(await write(admin, "b", { about: "db" })).toEqual([
      429,
      "Too many requests: limit reached on type Namespace for key default",
    ]);
    expect(await write(admin, "c")).toEqual([
      429,
      `Too many requests: [limit reached on type Namespace for key default, limit reached on type SourceAndObject for key ${KEY}]`,
    ]);
  });

  it("forgets the least recently seen key of a full cache", async () => {
    const { admin } = start({ limits: [{ type: "SourceAndObject", qps: 1, burst: 1, cacheSize: 1 }] });
    expect((await write(admin, "a"))[0]).toBe(201);
    expect((await write(admin, "b", { about: "db" }))[0]).toBe(201);
    expect((await write(admin, "c"))[0]).toBe(201);
  });

  it.each([
    [{}, "limits: Invalid value"],
    [{ limits: [{ type: "Cluster", qps: 1, burst: 1 }] }, "limits[0].type: Unsupported value"],
    [{ limits: [{ type: "Server", qps: 0, burst: -1 }] }, "limits[0].burst: Invalid value: -1: must be positive"],
    [{ limits: [{ type: "User", qps: 1, burst: 1, cacheSize: -1 }] }, "must not be negative"],
  ])("refuses the configuration %j", async (options, message) => {
    expect(() => createEmbeddedCluster({ eventRateLimit: options as EventRateLimitOptions })).toThrow(message);
  });
});
