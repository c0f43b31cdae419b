import { X509Certificate } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { CronJob, Job } from "@kubescaffold/k8s/batch/v1";
import { Lease } from "@kubescaffold/k8s/coordination/v1";
import { ConfigMap, Pod } from "@kubescaffold/k8s/core/v1";
import { printYaml } from "@kubescaffold/k8s/yaml";
import { FakeClock, realClock } from "@kubescaffold/platform/clock";
import {
  approveCertificateSigningRequest,
  createCertificateRequest,
  createManager,
  type Manager,
  newControllerManagedBy,
  predicate,
  type Request,
  requestCertificate,
} from "@kubescaffold/runtime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { Environment } from "../../src/environment/environment.ts";
import { startTestEnvironment, type TestEnvironment } from "../../src/suite/test-environment.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

const ROLE = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRole",
  metadata: { name: "manager-role" },
  rules: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }],
};
const METADATA = { namespace: "default", name: "sample" };

describe("a suite with one clock", { timeout: 120_000 }, () => {
  let root: string;
  let clock: FakeClock;
  let suite: TestEnvironment;

  beforeEach(async () => {
    root = mkdtempSync(path.join(tmpdir(), "kubescaffold-clock-"));
    mkdirSync(path.join(root, "rbac"));
    writeFileSync(path.join(root, "rbac/role.yaml"), printYaml(ROLE));
    clock = new FakeClock();
    suite = await startTestEnvironment({ configDirectory: root, backend: "embedded", clock });
  });

  afterEach(async () => {
    await suite.stop();
    rmSync(root, { recursive: true, force: true });
  });

  const setup =
    (seen: Request[], requeueAfterMs: number) =>
    async (mgr: Manager): Promise<void> => {
      await newControllerManagedBy(mgr)
        .for(ConfigMap)
        .named("maps")
        .withEventFilter(predicate.ofObject(({ metadata }) => metadata.name === METADATA.name))
        .complete(async (request) => {
          seen.push(request);
          await mgr.getClient().list(Lease);
          return { requeueAfterMs };
        });
    };

  it.each([
    ["a second", SECOND],
    ["an hour", HOUR],
    ["a day", DAY],
  ])("advances the manager and the server by %s", async (_, durationMs) => {
    const seen: Request[] = [];
    const manager = await suite.startManager(setup(seen, durationMs));
    await suite.client.create(ConfigMap.create({ metadata: METADATA }));
    await manager.eventually(() => expect(seen).toHaveLength(1));
    await clock.advance(durationMs);
    // Longer ones contain resyncs.
    await manager.eventually(() => expect(seen.length).toBeGreaterThanOrEqual(2));
    const later = await suite.client.create(ConfigMap.create({ metadata: { ...METADATA, name: "later" } }));
    expect(later.metadata.creationTimestamp).toBe(new Date(clock.now()).toISOString().replace(".000Z", "Z"));
    // The watch has ended in the meantime and was opened again.
    await manager.eventually(async () => expect(await manager.client.get(ConfigMap, later.metadata)).toBeDefined());
    await manager.stop();
  });

  it("jumps by a year: what is due runs once, and watches and tokens still work", async () => {
    const seen: Request[] = [];
    const manager = await suite.startManager(setup(seen, HOUR));
    await suite.client.create(ConfigMap.create({ metadata: METADATA }));
    await manager.eventually(() => expect(seen).toHaveLength(1));
    await clock.jump(YEAR);
    // A resync and the requeue.
    await manager.eventually(() => expect(seen.length).toBeGreaterThanOrEqual(2));
    expect(seen.length).toBeLessThanOrEqual(3);
    const later = await suite.client.create(ConfigMap.create({ metadata: { ...METADATA, name: "later" } }));
    await manager.eventually(async () => expect(await manager.client.get(ConfigMap, later.metadata)).toBeDefined());
    expect(clock.now()).toBe(Date.parse("2027-01-01T00:00:00Z"));
    await manager.stop();
  });

  it.each([
    ["advance", HOUR],
    ["jump", YEAR],
    ["step", YEAR],
  ] as const)("answers requests in flight during %s", async (move, durationMs) => {
    const answers = Promise.all(
      Array.from({ length: 200 }, async (_, index) =>
        suite.client.create(ConfigMap.create({ metadata: { ...METADATA, name: `map-${String(index)}` } })),
      ),
    );
    const lists = Promise.all(Array.from({ length: 50 }, async () => suite.client.list(ConfigMap)));
    await clock[move](durationMs);
    expect(await answers).toHaveLength(200);
    expect(await lists).toHaveLength(50);
  });

  it("ends a request that the server never answers when its deadline has passed", async () => {
    suite.cluster.server.faults.add({ kind: "latency", match: { resource: "configmaps", verb: "list" }, delayMs: DAY });
    const answer = suite.client.list(ConfigMap).then(
      () => "answered",
      () => "failed",
    );
    await clock.advance(HOUR);
    expect(await answer).toBe("failed");
  });

  it("renews a lease during an advance, and loses it in a jump, as a suspended machine does", async () => {
    const stop = new AbortController();
    const mgr = await createManager(suite.config, {
      clock,
      leaderElection: true,
      leaderElectionId: "leader",
      leaderElectionNamespace: "default",
      metrics: { bindAddress: "0" },
    });
    const running = mgr.start(stop.signal).then(
      () => "stopped",
      (error: unknown) => String(error),
    );
    const lease = async (): Promise<Lease> => suite.client.get(Lease, { namespace: "default", name: "leader" });
    const first = await vi.waitFor(lease, { timeout: 20_000 });
    await clock.advance(HOUR);
    const renewed = await lease();
    expect(renewed.spec).toMatchObject({ holderIdentity: first.spec?.holderIdentity, leaseTransitions: 0 });
    expect(clock.now() - Date.parse(renewed.spec?.renewTime ?? "")).toBeLessThan(10 * SECOND);
    await clock.jump(YEAR);
    expect(await running).toMatch(/leader election lost|lease/u);
    stop.abort();
  });

  it("issues certificates of the present time, before and after a year", async () => {
    const rotate = async (): Promise<X509Certificate> => {
      const { request } = await createCertificateRequest({ commonName: "backup", organizations: ["operators"] });
      const certificate = await requestCertificate(suite.client, request, {
        signerName: "kubernetes.io/kube-apiserver-client",
        usages: ["digital signature", "client auth"],
        expirationSeconds: 3600,
        onCreated: async (created) =>
          void (await approveCertificateSigningRequest(suite.client, created, { reason: "Test" })),
      });
      return new X509Certificate(certificate);
    };
    const isValid = ({ validFrom, validTo }: X509Certificate): boolean =>
      Date.parse(validFrom) <= clock.now() && clock.now() <= Date.parse(validTo);
    const first = await rotate();
    expect(isValid(first)).toBe(true);
    await clock.advance(2 * HOUR);
    expect(isValid(first)).toBe(false);
    expect(isValid(await rotate())).toBe(true);
    await clock.jump(YEAR);
    expect(isValid(await rotate())).toBe(true);
  });

  it("refuses a clock of the manager alone, and of a server in another process", async () => {
    await expect(suite.startManager(() => undefined, { clock: new FakeClock() })).rejects.toMatchObject({
      code: "ENVTEST_OPTIONS",
      hint: expect.stringContaining("startSuite({ clock })") as unknown,
    });
    await expect(suite.startManager(() => undefined, { clock: realClock })).rejects.toThrow("its own clock");
    await expect(new Environment({ backend: "binaries", clock }).start()).rejects.toMatchObject({
      code: "ENVTEST_OPTIONS",
      hint: expect.stringContaining("embedded") as unknown,
    });
    await expect(new Environment({ backend: "existing", clock }).start()).rejects.toThrow("its own clock");
    const manager = await suite.startManager(() => undefined, { clock });
    await manager.stop();
  });
});

describe("a suite with one clock and workloads", { timeout: 120_000 }, () => {
  let clock: FakeClock;
  let suite: TestEnvironment;

  beforeEach(async () => {
    clock = new FakeClock();
    suite = await startTestEnvironment({ configDirectory: "none", backend: "embedded", workloads: true, clock });
  });

  afterEach(async () => {
    await suite.stop();
  });

  it("runs and removes Jobs, and starts those of CronJobs", async () => {
    const template = { spec: { restartPolicy: "Never", containers: [{ name: "run", image: "busybox" }] } } as const;
    await suite.client.create(Job.create({ metadata: METADATA, spec: { template, ttlSecondsAfterFinished: 3600 } }));
    await suite.client.create(
      CronJob.create({ metadata: METADATA, spec: { schedule: "0 * * * *", jobTemplate: { spec: { template } } } }),
    );
    const names = async (): Promise<readonly string[]> =>
      (await suite.client.list(Job)).items.map(({ metadata }) => metadata.name);
    await clock.advance(MINUTE);
    expect((await suite.client.get(Job, METADATA)).status?.succeeded).toBe(1);
    await clock.advance(50 * MINUTE);
    expect(await names()).toEqual([METADATA.name]);
    await clock.advance(3 * HOUR);
    // Three runs of the CronJob, and the Job has been removed.
    expect(await names()).toHaveLength(3);
    expect(await names()).not.toContain(METADATA.name);
  });

  it("reaches the Pods and the faults of the embedded cluster", async () => {
    suite.cluster.pods.simulate({ labels: { app: "broken" } }, "image-pull-error");
    const spec = { containers: [{ name: "run", image: "busybox" }] };
    await suite.client.create(Pod.create({ metadata: { ...METADATA, labels: { app: "broken" } }, spec }));
    await clock.advance(10 * MINUTE);
    expect((await suite.client.get(Pod, METADATA)).status).toMatchObject({
      phase: "Pending",
      containerStatuses: [
        { state: { waiting: { reason: expect.stringMatching(/^(?:ErrImagePull|ImagePullBackOff)$/u) } } },
      ],
    });
    suite.cluster.server.faults.add({ kind: "error", code: 503, match: { resource: "pods" } });
    await expect(suite.client.get(Pod, METADATA)).rejects.toMatchObject({ status: { code: 503 } });
  });
});
