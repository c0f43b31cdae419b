import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { createCertificateAuthority } from "@kubescaffold/cluster";
import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { createRecordingLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { CertificateWatcher, type KeyPair } from "../../src/webhook/certificate-watcher.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "certificate-watcher-"));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function issue(): Promise<KeyPair> {
  const authority = await createCertificateAuthority("certificate-watcher-test");
  const { cert, key } = await authority.issueServer({ dnsNames: ["localhost"], ipAddresses: [] });
  await Promise.all([writeFile(path.join(folder, "tls.crt"), cert), writeFile(path.join(folder, "tls.key"), key)]);
  return { cert, key };
}

describe("CertificateWatcher", () => {
  it("calls every callback with the current pair and each new one, also if one of them throws", async () => {
    const clock = new FakeClock();
    const log = createRecordingLogger();
    const watcher = new CertificateWatcher({
      certPath: path.join(folder, "tls.crt"),
      keyPath: path.join(folder, "tls.key"),
      clock,
      log,
      registry: createMetricsRegistry(),
    });
    const early: KeyPair[] = [];
    const late: KeyPair[] = [];
    watcher.registerCallback(() => {
      throw new Error("no space left");
    });
    watcher.registerCallback((pair) => void early.push(pair));
    expect(early).toEqual([]);
    const first = await issue();
    await watcher.load();
    watcher.registerCallback((pair) => void late.push(pair));
    expect([early, late]).toEqual([[first], [first]]);

    const second = await issue();
    watcher.start();
    clock.step(10_000);
    await expect.poll(() => late.length).toBe(2);
    await expect.poll(() => clock.pendingTimers).toBe(1);
    clock.step(10_000);
    await expect.poll(() => clock.pendingTimers).toBe(1);
    watcher.stop();
    expect([early, late]).toEqual([
      [first, second],
      [first, second],
    ]);
    const failures = log.records.filter(({ message }) => message === "a callback for certificates failed");
    expect(failures).toHaveLength(2);
  });
});
