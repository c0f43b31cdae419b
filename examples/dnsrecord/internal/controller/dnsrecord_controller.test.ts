import type { TestManager } from "@kubescaffold/envtest";
import { ignoreNotFound } from "@kubescaffold/k8s";
import { Secret } from "@kubescaffold/k8s/core/v1";
import { Event } from "@kubescaffold/k8s/events/v1";
import type { Condition } from "@kubescaffold/k8s/meta/v1";
import { FakeClock } from "@kubescaffold/platform/clock";
import { patch } from "@kubescaffold/runtime";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { DNSRecord, type DNSRecordSpec } from "../../api/v1/dnsrecord_types.ts";
import { DnsServer } from "../../test/dns/dns_server.ts";
import { DNSRecordReconciler, FINALIZER } from "./dnsrecord_controller.ts";
import { RESYNC_MS } from "./dnsrecord_outcome.ts";
import { startSuite, type Suite } from "./suite.ts";

const STEP_MS = 100;

// The manager runs with the permissions of its markers. It and the server use a clock that only the tests advance.
describe("DNSRecord controller", () => {
  let suite: Suite;
  let manager: TestManager | undefined;
  let clock: FakeClock;
  let dns: DnsServer;
  let count = 0;
  let key = { name: "", namespace: "default" };

  beforeAll(async () => {
    clock = new FakeClock(Date.UTC(2026, 0, 1));
    suite = await startSuite({ backend: "embedded", clock });
  });

  afterAll(() => suite?.stop());

  beforeEach(async () => {
    count += 1;
    key = { ...key, name: `record-${String(count)}` };
    dns = await DnsServer.start();
    await startManager();
  });

  async function startManager(): Promise<void> {
    const { client } = (manager = await suite.startManager(
      async (mgr) => await new DNSRecordReconciler(mgr.getClient()).setupWithManager(mgr),
    ));
    // A cache may need several attempts to start, whose delays pass only with the clock.
    let isSynced = false;
    await advanceUntil(() => {
      void Promise.all([client.list(DNSRecord), client.list(Secret)]).then(
        () => (isSynced = true),
        () => undefined,
      );
      expect(isSynced).toBe(true);
    });
  }

  afterEach(async () => {
    // Leaves nothing behind, regardless of the faults of the test.
    dns.fault = () => undefined;
    await manager?.stop();
    const left = await ignoreNotFound(suite.client.get(DNSRecord, key));
    if (left !== undefined) await suite.client.patch(withoutFinalizers(left), patch.mergeFrom(left));
    if (left !== undefined) await ignoreNotFound(suite.client.delete(left));
    const secret = await ignoreNotFound(suite.client.get(Secret, key));
    if (secret !== undefined) await suite.client.delete(secret);
    await dns.stop();
  });

  const withoutFinalizers = (record: DNSRecord): DNSRecord => ({
    ...record,
    metadata: { ...record.metadata, finalizers: [] },
  });
  const until = async (assertion: () => unknown): Promise<void> => await manager?.eventually(assertion);
  const get = async (): Promise<DNSRecord> => await suite.client.get(DNSRecord, key);
  const ready = async (): Promise<Condition | undefined> =>
    (await get()).status?.conditions?.find(({ type }) => type === "Ready");
  const untilReason = async (reason: string): Promise<void> =>
    await until(async () => expect(await ready()).toMatchObject({ reason }));
  const values = (): unknown => [...dns.records.values()].map((each) => each.values);
  const reasons = async (): Promise<readonly (string | undefined)[]> => {
    const { items } = await suite.client.list(Event, { namespace: key.namespace });
    return items.filter(({ regarding }) => regarding?.name === key.name).map(({ reason }) => reason);
  };

  /** Advances the clock in small steps until an assertion passes. */
  async function advanceUntil(assertion: () => unknown, stepMs = STEP_MS): Promise<void> {
    await until(async () => {
      await clock.advance(stepMs);
      await assertion();
    });
  }

  async function createSecret(token = dns.token): Promise<void> {
    await suite.client.create(Secret.create({ metadata: key, stringData: { url: dns.url, token } }));
    // Otherwise, the event of the Secret could start one more attempt later.
    await until(async () => await manager?.client.get(Secret, key));
  }

  async function createRecord(spec: Partial<DNSRecordSpec> = {}): Promise<void> {
    const usual = { zone: "example.com", name: "www", type: "A", values: ["192.0.2.10"] } as const;
    const record = { ...usual, values: [...usual.values], credentialsSecret: key.name, ...spec };
    await suite.client.create(DNSRecord.create({ metadata: key, spec: record }));
  }

  async function change(spec: Partial<DNSRecordSpec>): Promise<void> {
    const found = await get();
    await suite.client.patch({ ...found, spec: { ...found.spec, ...spec } }, patch.mergeFrom(found));
  }

  it("creates, updates, and deletes the record", async () => {
    await createSecret();
    await createRecord();
    await untilReason("Synced");
    const { metadata, status } = await get();
    expect([...dns.records.values()]).toEqual([
      {
        id: status?.recordId,
        zone: "example.com",
        name: "www",
        type: "A",
        values: ["192.0.2.10"],
        ttlSeconds: 300,
        owner: metadata.uid,
      },
    ]);
    expect(metadata.finalizers).toEqual([FINALIZER]);
    await change({ values: ["192.0.2.11", "192.0.2.12"] });
    await until(() => expect(values()).toEqual([["192.0.2.11", "192.0.2.12"]]));
    await until(async () => expect((await get()).status?.observedGeneration).toBe(2));
    await suite.client.delete(await get());
    await until(async () => expect(await ignoreNotFound(get())).toBeUndefined());
    expect(values()).toEqual([]);
    await until(async () =>
      expect(await reasons()).toEqual(expect.arrayContaining(["RecordCreated", "RecordUpdated", "RecordDeleted"])),
    );
  });

  it("makes no further calls and writes while nothing changes", async () => {
    await createSecret();
    await createRecord();
    await untilReason("Synced");
    const before = await get();
    const calls = dns.calls.length;
    // A change of a label has no new generation.
    await suite.client.patch(
      { ...before, metadata: { ...before.metadata, labels: { team: "a" } } },
      patch.mergeFrom(before),
    );
    await clock.advance(RESYNC_MS / 2);
    expect(dns.calls).toHaveLength(calls);
    // At the next comparison, the record is read, and not written.
    await advanceUntil(() => expect(dns.calls.length).toBeGreaterThan(calls), RESYNC_MS / 10);
    expect(dns.calls.slice(calls)).toEqual(["GET"]);
    expect((await get()).status).toEqual(before.status);
  });

  it("retries with growing delays while the API fails, and recovers", async () => {
    const times: number[] = [];
    dns.fault = () => {
      times.push(clock.now());
      return times.length <= 4 ? { status: 503, body: "maintenance" } : undefined;
    };
    await createSecret();
    await createRecord();
    await untilReason("Unavailable");
    expect(await ready()).toMatchObject({ status: "False", message: "the DNS API answered 503: maintenance" });
    await advanceUntil(async () => expect(await ready()).toMatchObject({ reason: "Synced" }));
    const delays = times.slice(1, 5).map((time, index) => time - (times[index] ?? 0));
    for (const [index, delay] of delays.entries()) expect(delay).toBeGreaterThanOrEqual(1000 * 2 ** index);
    // One event, and not one for each attempt.
    await until(async () => expect(await reasons()).toContain("RecordCreated"));
    expect((await reasons()).filter((reason) => reason === "Unavailable")).toHaveLength(1);
  });

  it("reports an API that cannot be reached", async () => {
    await createSecret();
    await dns.stop();
    await createRecord();
    await untilReason("Unavailable");
    expect((await ready())?.message).toMatch(/^cannot call the DNS API: .*ECONNREFUSED/u);
    dns = await DnsServer.start({ token: dns.token });
  });

  it("waits as long as the API asks for after too many calls", async () => {
    const times: number[] = [];
    dns.fault = () => {
      times.push(clock.now());
      return times.length === 1 ? { status: 429, headers: { "retry-after": "7" } } : undefined;
    };
    await createSecret();
    await createRecord();
    await untilReason("RateLimited");
    await advanceUntil(async () => expect(await ready()).toMatchObject({ reason: "Synced" }));
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(7000);
  });

  it("waits for the Secret, and notices a new token", async () => {
    await createRecord();
    await untilReason("CredentialsMissing");
    expect(dns.calls).toEqual([]);
    await createSecret("wrong");
    // The cache may lag behind the finalizer that the controller has just added: a conflict is retried after a delay.
    await advanceUntil(async () => expect(await ready()).toMatchObject({ reason: "CredentialsRejected" }));
    const secret = await suite.client.get(Secret, key);
    await suite.client.patch({ ...secret, stringData: { token: dns.token } }, patch.mergeFrom(secret));
    await untilReason("Synced");
  });

  it.each([
    [{}, "the Secret {} has no key url"],
    [{ url: "http://127.0.0.1:1" }, "the Secret {} has no key token"],
    [{ url: "dns.example.com", token: "a" }, "the key url of the Secret {} is not a URL"],
  ])("reports the Secret with the keys %j", async (stringData: Record<string, string>, message) => {
    await suite.client.create(Secret.create({ metadata: key, stringData }));
    await createRecord();
    await untilReason("CredentialsMissing");
    expect((await ready())?.message).toBe(message.replace("{}", key.name));
  });

  it("corrects changes of others at the API", async () => {
    await createSecret();
    await createRecord();
    await untilReason("Synced");
    const [entry] = [...dns.records.values()];
    if (entry === undefined) throw new Error("there is no record");
    dns.records.set(entry.id, { ...entry, values: ["203.0.113.66"] });
    await advanceUntil(() => expect(values()).toEqual([["192.0.2.10"]]), RESYNC_MS / 10);
    dns.records.clear();
    await advanceUntil(() => expect(values()).toEqual([["192.0.2.10"]]), RESYNC_MS / 10);
    await until(async () => expect(await reasons()).toContain("DriftCorrected"));
    await until(async () => expect((await get()).status?.recordId).toBe([...dns.records.keys()][0]));
  });

  it("leaves a record alone that does not belong to it, also when it is deleted", async () => {
    const foreign = { zone: "example.com", id: "1", name: "www", type: "A", values: ["198.51.100.1"], ttlSeconds: 60 };
    dns.records.set("1", foreign);
    await createSecret();
    await createRecord();
    await untilReason("NameTaken");
    await suite.client.delete(await get());
    await until(async () => expect(await ignoreNotFound(get())).toBeUndefined());
    expect([...dns.records.values()]).toEqual([foreign]);
  });

  it("reports values that the API rejects, and does not try again until the spec changes", async () => {
    await createSecret();
    await createRecord({ values: ["not an address"] });
    await untilReason("Rejected");
    const calls = dns.calls.length;
    await clock.advance(RESYNC_MS * 2);
    expect(dns.calls).toHaveLength(calls);
    await change({ values: ["192.0.2.13"] });
    await untilReason("Synced");
  });

  it("keeps the object until its record is deleted", async () => {
    await createSecret();
    await createRecord();
    await untilReason("Synced");
    dns.fault = (method) => (method === "DELETE" ? { status: 500, body: "broken" } : undefined);
    await suite.client.delete(await get());
    await untilReason("Unavailable");
    expect(dns.records.size).toBe(1);
    dns.fault = () => undefined;
    await advanceUntil(async () => expect(await ignoreNotFound(get())).toBeUndefined());
    expect(dns.records.size).toBe(0);
  });

  it("retains the record if the spec says so, even without credentials", async () => {
    await createSecret();
    await createRecord({ deletionPolicy: "Retain" });
    await untilReason("Synced");
    await suite.client.delete(await suite.client.get(Secret, key));
    await suite.client.delete(await get());
    await advanceUntil(async () => expect(await ignoreNotFound(get())).toBeUndefined());
    expect(dns.records.size).toBe(1);
  });

  it("finds a record again that was created just before the manager stopped", async () => {
    await createSecret();
    await createRecord();
    await untilReason("Synced");
    await manager?.stop();
    // As if the manager had stopped before it wrote the status.
    const found = await get();
    await suite.client.status().patch({ ...found, status: {} }, patch.mergeFrom(found));
    await startManager();
    await untilReason("Synced");
    expect([...dns.records.keys()]).toEqual([(await get()).status?.recordId]);
  });

  it("cannot change its zone, name, and type", async () => {
    await createRecord();
    await expect(change({ zone: "example.org" })).rejects.toThrow("the zone is immutable");
    await expect(change({ name: "mail" })).rejects.toThrow("the name is immutable");
    await expect(change({ type: "TXT" })).rejects.toThrow("the type is immutable");
  });
});
