import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { DnsServer } from "../../test/dns/dns_server.ts";
import { type DnsApi, DnsApiPool } from "./dns_api.ts";

const ENTRY = { name: "www", type: "A", values: ["192.0.2.10"], ttlSeconds: 300, owner: "1" };

describe("DNS API", () => {
  let server: DnsServer;
  let clock: FakeClock;
  let pool: DnsApiPool;
  let stopping: AbortController;

  beforeEach(async () => {
    server = await DnsServer.start();
    clock = new FakeClock();
    pool = new DnsApiPool({ callsPerSecond: 1, burst: 2, clock });
    stopping = new AbortController();
  });

  afterEach(() => server.stop());

  const connect = (token = server.token): DnsApi => pool.connect({ url: server.url, token }, stopping.signal);

  it("creates, finds, replaces, and deletes records", async () => {
    const api = new DnsApiPool({ callsPerSecond: 100, burst: 100 }).connect(server, stopping.signal);
    const { id } = await api.create("example.com", ENTRY);
    expect(await api.find("example.com", ENTRY)).toEqual({ ...ENTRY, id });
    expect(await api.find("example.org", ENTRY)).toBeUndefined();
    await api.update("example.com", id, { ...ENTRY, ttlSeconds: 60 });
    expect(await api.find("example.com", ENTRY)).toMatchObject({ ttlSeconds: 60 });
    await api.delete("example.com", id);
    await api.delete("example.com", id);
    expect(server.records.size).toBe(0);
  });

  it("limits the rate of all clients with one address", async () => {
    const calls = [connect(), connect(), connect("other")].map((api) => api.find("example.com", ENTRY).catch(() => 0));
    await Promise.all(calls.slice(0, 2));
    expect(server.calls).toHaveLength(2);
    await clock.advance(999);
    expect(server.calls).toHaveLength(2);
    await clock.advance(1);
    await Promise.all(calls);
    expect(server.calls).toHaveLength(3);
  });

  it("ends calls that wait when its signal aborts", async () => {
    const calls = [connect(), connect(), connect()].map((api) => api.find("example.com", ENTRY));
    await Promise.all(calls.slice(0, 2));
    stopping.abort(new Error("the manager stops"));
    await expect(calls[2]).rejects.toThrow("the manager stops");
  });

  it("throws the answers of the API as errors", async () => {
    await expect(connect("wrong").find("example.com", ENTRY)).rejects.toMatchObject({
      message: "the DNS API answered 401: unknown token",
      status: 401,
      retryAfterMs: undefined,
    });
    server.fault = () => ({ status: 429, headers: { "retry-after": "30" } });
    await expect(connect().find("example.com", ENTRY)).rejects.toMatchObject({ status: 429, retryAfterMs: 30_000 });
  });
});
