import { describe, expect, it } from "vitest";

import { CertificateSource } from "../../src/certificates/certificate-source.ts";
import { createRecordingLogger } from "../../src/log/logger.ts";

const FIRST = { cert: "first", key: "key" };
const SECOND = { cert: "second", key: "key" };

describe("CertificateSource", () => {
  it("is served when each consumer serves the current pair; one that comes later gets it, too", async () => {
    const source = new CertificateSource(createRecordingLogger());
    const served: string[] = [];
    source.subscribe(({ cert }) => void served.push(`one ${cert}`));
    expect(source.isServed).toBe(false);
    source.use(FIRST);
    await source.whenAvailable(new AbortController().signal);
    await Promise.resolve();
    expect(source.isServed).toBe(true);
    source.subscribe(({ cert }) => void served.push(`two ${cert}`));
    source.use({ ...FIRST });
    await Promise.resolve();
    expect(served).toEqual(["one first", "two first"]);
    expect(source.isServed).toBe(true);
  });

  it("a consumer that is slow gets the latest pair, and one that fails gets it with the next check", async () => {
    const log = createRecordingLogger();
    const source = new CertificateSource(log);
    const served: string[] = [];
    let end = (): void => undefined;
    let isBroken = true;
    source.subscribe(async ({ cert }) => {
      await new Promise<void>((resolve) => (end = resolve));
      served.push(cert);
    });
    source.subscribe(() => {
      if (isBroken) throw new Error("no file");
    });
    source.use(FIRST);
    source.use(SECOND);
    end();
    await expect.poll(() => served).toEqual(["first"]);
    end();
    await expect.poll(() => served).toEqual(["first", "second"]);
    expect(source.isServed).toBe(false);
    expect(log.records.some(({ message }) => message === "cannot serve the new certificate")).toBe(true);
    isBroken = false;
    source.use(SECOND);
    await expect.poll(() => source.isServed).toBe(true);
  });

  it("a consumer that has left does not count", async () => {
    const source = new CertificateSource(createRecordingLogger());
    const leave = source.subscribe(async () => await new Promise<void>(() => undefined));
    source.use(FIRST);
    expect(source.isServed).toBe(false);
    leave();
    expect(source.isServed).toBe(true);
  });
});
