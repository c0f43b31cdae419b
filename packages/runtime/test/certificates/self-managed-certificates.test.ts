import { X509Certificate } from "node:crypto";

import { ValidatingWebhookConfiguration } from "@kubescaffold/k8s/admissionregistration/v1";
import { Secret } from "@kubescaffold/k8s/core/v1";
import { afterEach, describe, expect, it } from "vitest";

import type { SelfManagedOptions } from "../../src/certificates/self-managed.ts";
import { SECRET_KEYS } from "../../src/certificates/stored-certificates.ts";
import { serverForTests } from "../support/server-for-tests.ts";
import { DAY_MS, HOUR_MS, Installation, isTrustedBy, MINUTE_MS } from "./certificates-on-server.ts";

const server = serverForTests();
const TEST = { timeout: 120_000 };
let current: Installation | undefined;

afterEach(async () => await current?.stopAll());

async function install(options: Partial<SelfManagedOptions> = {}): Promise<Installation> {
  current = new Installation(server.config, server.on, options);
  return await current.install();
}

/** Deletes the Secret, which is how an administrator orders new keys. */
async function orderNewKeys(installation: Installation): Promise<void> {
  const metadata = { namespace: installation.namespace, name: "certificates" };
  await installation.live.delete(Secret.create({ metadata }));
}

describe("making certificates", () => {
  it(
    "three replicas that start at once serve one certificate, which the webhooks of this Service trust",
    TEST,
    async () => {
      const installation = await install();
      const replicas = [installation.start(), installation.start(), installation.start()];
      expect(replicas.map((each) => each.isReady())).toEqual([false, false, false]);
      await installation.settle();
      expect(replicas.map((each) => each.isReady())).toEqual([true, true, true]);
      const data = await installation.data();
      expect(Object.keys(data).toSorted()).toEqual(["ca.crt", "ca.key", "tls.crt", "tls.key"]);
      expect(new Set(replicas.map((each) => each.served()?.fingerprint256)).size).toBe(1);
      expect(replicas[0]?.served()?.fingerprint256).toBe(new X509Certificate(data["tls.crt"] ?? "").fingerprint256);
      const bundle = data["ca.crt"] ?? "";
      expect(await installation.bundles()).toEqual({
        "Validating one": bundle,
        "Validating two": bundle,
        "Validating other": "",
        "Mutating one": bundle,
        "Mutating two": bundle,
        "Mutating other": "",
      });
    },
  );

  it(
    "the certificates are ECDSA P-256, for the Service, valid from an hour in the past, for 90 days and 10 years",
    TEST,
    async () => {
      const installation = await install({ dnsNames: ["metrics.demo"], ipAddresses: ["127.0.0.1", "::1"] });
      const replica = installation.start();
      await installation.settle();
      const startMs = Date.UTC(2026, 0, 1);
      const certificate = replica.served();
      const { namespace } = installation;
      expect(certificate?.subjectAltName).toBe(
        `DNS:webhooks.${namespace}.svc, DNS:webhooks.${namespace}, DNS:webhooks.${namespace}.svc.cluster.local, ` +
          "DNS:metrics.demo, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1",
      );
      expect(certificate?.publicKey.asymmetricKeyDetails?.namedCurve).toBe("prime256v1");
      expect(certificate?.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
      const isNear = (text: string | undefined, expected: number): boolean =>
        Math.abs(Date.parse(text ?? "") - expected) <= 5000;
      expect(isNear(certificate?.validFrom, startMs - HOUR_MS)).toBe(true);
      expect(isNear(certificate?.validTo, startMs + 90 * DAY_MS)).toBe(true);
      const [authority] = await installation.authorities();
      expect(authority?.certificate.ca).toBe(true);
      expect(isNear(authority?.certificate.validFrom, startMs - HOUR_MS)).toBe(true);
      expect(isNear(authority?.certificate.validTo, startMs + 3650 * DAY_MS)).toBe(true);
      const labels = { secret: `${namespace}/certificates` };
      const name = "kubescaffold_certificate_expiration_timestamp_seconds";
      expect(await replica.metric(name, { ...labels, certificate: "serving" })).toBe(
        Date.parse(certificate?.validTo ?? "") / 1000,
      );
      expect(await replica.metric(name, { ...labels, certificate: "ca" })).toBe(
        Date.parse(authority?.certificate.validTo ?? "") / 1000,
      );
    },
  );

  it("an empty Secret that was installed before is used, and keeps its metadata", TEST, async () => {
    const installation = await install();
    const metadata = { namespace: installation.namespace, name: "certificates", labels: { app: "demo" } };
    await installation.live.create(Secret.create({ metadata }));
    const replica = installation.start();
    await installation.settle();
    expect(replica.isReady()).toBe(true);
    expect((await installation.secret())?.metadata.labels).toEqual({ app: "demo" });
  });

  it("a replica that starts later serves what is stored, and writes nothing", TEST, async () => {
    const installation = await install();
    const first = installation.start();
    await installation.settle();
    const before = await installation.secret();
    await first.stop();
    const methods: string[] = [];
    const later = installation.start(async (request, send) => {
      methods.push(request.method);
      return await send(request);
    });
    await installation.settle();
    expect(later.isReady()).toBe(true);
    expect((await installation.secret())?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion);
    expect(new Set(methods)).toEqual(new Set(["GET"]));
  });
});

describe("replacing certificates", () => {
  it(
    "a serving certificate is replaced when a third of its time is left, in all replicas, by the same authority",
    TEST,
    async () => {
      const installation = await install();
      const replicas = [installation.start(), installation.start()];
      await installation.settle();
      const first = replicas[0]?.served();
      const authority = (await installation.data())["ca.crt"];
      await installation.clock.jump(60 * DAY_MS - 30 * MINUTE_MS);
      await installation.settle();
      expect(replicas[1]?.served()?.fingerprint256).toBe(first?.fingerprint256);
      await installation.clock.advance(40 * MINUTE_MS);
      const served = replicas.map((each) => each.served()?.fingerprint256);
      expect(new Set(served).size).toBe(1);
      expect(served[0]).not.toBe(first?.fingerprint256);
      expect((await installation.data())["ca.crt"]).toBe(authority);
    },
  );

  it(
    "an authority is added to all bundles, signs after API servers had time to notice, and replaces the old one after the overlap",
    TEST,
    async () => {
      const installation = await install();
      const replica = installation.start();
      await installation.settle();
      const [oldAuthority] = await installation.authorities();
      const oldServed = replica.served()?.fingerprint256;
      await orderNewKeys(installation);
      await installation.clock.advance(5000);
      const [newAuthority, ...others] = await installation.authorities();
      expect(others.map(({ fingerprint }) => fingerprint)).toEqual([oldAuthority?.fingerprint]);
      const both = `${newAuthority?.pem ?? ""}${oldAuthority?.pem ?? ""}`;
      expect(await installation.ownBundles()).toEqual([both, both, both, both]);
      expect(replica.served()?.fingerprint256).toBe(oldServed);

      await installation.clock.advance(30_000);
      expect(replica.served()?.fingerprint256).not.toBe(oldServed);
      expect(isTrustedBy(replica.served() as X509Certificate, newAuthority?.pem ?? "")).toBe(true);
      expect(await installation.ownBundles()).toEqual([both, both, both, both]);

      await installation.clock.advance(55 * MINUTE_MS);
      expect(await installation.authorities()).toHaveLength(2);
      await installation.clock.advance(10 * MINUTE_MS);
      const alone = newAuthority?.pem ?? "";
      expect(await installation.ownBundles()).toEqual([alone, alone, alone, alone]);
      expect((await installation.data())["ca.crt"]).toBe(alone);
    },
  );

  it("an authority is replaced in time before it ends", TEST, async () => {
    const installation = await install({ caLifetimeMs: 360 * DAY_MS });
    const replica = installation.start();
    await installation.settle();
    const [first] = await installation.authorities();
    for (const days of [50, 50, 50, 50]) {
      await installation.clock.jump(days * DAY_MS);
      await installation.settle();
    }
    expect((await installation.authorities())[0]?.fingerprint).toBe(first?.fingerprint);
    await installation.clock.jump(41 * DAY_MS);
    await installation.clock.advance(MINUTE_MS);
    const [second] = await installation.authorities();
    expect(second?.fingerprint).not.toBe(first?.fingerprint);
    expect(isTrustedBy(replica.served() as X509Certificate, second?.pem ?? "")).toBe(true);
  });

  it("a new authority does not sign while a webhook configuration cannot be written", TEST, async () => {
    const installation = await install();
    let isRefused = false;
    const replica = installation.start(async (request, send) =>
      isRefused && request.method === "PATCH" ? new Response("{}", { status: 500 }) : await send(request),
    );
    await installation.settle();
    const served = replica.served()?.fingerprint256;
    isRefused = true;
    await orderNewKeys(installation);
    await installation.clock.advance(2 * HOUR_MS);
    expect([replica.served()?.fingerprint256, replica.isReady()]).toEqual([served, true]);
    isRefused = false;
    await installation.clock.advance(20 * MINUTE_MS);
    expect(replica.served()?.fingerprint256).not.toBe(served);
  });

  it("a replica that cannot read the Secret for half of the overlap is not ready", TEST, async () => {
    const installation = await install();
    let isCut = false;
    const replica = installation.start(async (request, send) => {
      if (isCut) throw new TypeError("no route");
      return await send(request);
    });
    await installation.settle();
    isCut = true;
    await installation.clock.advance(29 * MINUTE_MS);
    expect(replica.isReady()).toBe(true);
    await installation.clock.advance(2 * MINUTE_MS);
    expect(() => replica.certificates.check()).toThrow(/the Secret cannot be read/u);
    isCut = false;
    await installation.clock.advance(11 * MINUTE_MS);
    expect(replica.isReady()).toBe(true);
  });

  it(
    "a replica that was cut off while the authority was replaced is ready only with a certificate of the new one",
    TEST,
    async () => {
      const installation = await install();
      let isCut = false;
      installation.start();
      const late = installation.start(async (request, send) => {
        if (isCut) throw new TypeError("no route");
        return await send(request);
      });
      await installation.settle();
      const old = late.served()?.fingerprint256;
      isCut = true;
      await orderNewKeys(installation);
      await installation.clock.advance(2 * HOUR_MS);
      expect(await installation.authorities()).toHaveLength(1);
      expect([late.isReady(), late.served()?.fingerprint256]).toEqual([false, old]);
      isCut = false;
      const served: (string | undefined)[] = [];
      for (let seconds = 0; seconds < 700; seconds += 20) {
        await installation.clock.advance(20_000);
        if (late.isReady()) served.push(late.served()?.fingerprint256);
      }
      expect(served.length).toBeGreaterThan(0);
      expect(served).not.toContain(old);
    },
  );

  it(
    "other names add to the certificate, so that two versions of a manager do not replace each other's",
    TEST,
    async () => {
      const installation = await install();
      const older = installation.start();
      await installation.settle();
      const newer = installation.start(undefined, { ...installation.settings, serviceName: "renamed" });
      await installation.settle();
      const version = (await installation.secret())?.metadata.resourceVersion;
      await installation.clock.advance(HOUR_MS);
      expect((await installation.secret())?.metadata.resourceVersion).toBe(version);
      expect(newer.served()?.fingerprint256).toBe(older.served()?.fingerprint256);
      expect(older.served()?.checkHost(`webhooks.${installation.namespace}.svc`)).toBeDefined();
      expect(older.served()?.checkHost(`renamed.${installation.namespace}.svc`)).toBeDefined();
    },
  );
});

describe("repairing", () => {
  it.each([
    ["another key of the certificate", { [SECRET_KEYS.key]: "garbage" }],
    ["another certificate", { [SECRET_KEYS.cert]: "garbage" }],
    ["an empty bundle", { [SECRET_KEYS.bundle]: "" }],
    [
      "garbage in the bundle",
      { [SECRET_KEYS.bundle]: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n" },
    ],
    ["a key of another authority", { [SECRET_KEYS.authorityKey]: "garbage" }],
    ["everything at once", Object.fromEntries(Object.values(SECRET_KEYS).map((key) => [key, "\0"]))],
    ["a megabyte", { [SECRET_KEYS.bundle]: "-----BEGIN CERTIFICATE-----\n".repeat(20_000) }],
  ])("%s in the Secret is repaired while the webhooks are served all the time", TEST, async (_, values) => {
    const installation = await install();
    const replica = installation.start();
    await installation.settle();
    await installation.damage(values);
    for (let minutes = 0; minutes < 3; minutes += 1) {
      await installation.clock.advance(MINUTE_MS);
      const served = replica.served() as X509Certificate;
      expect((await installation.ownBundles()).every((bundle) => isTrustedBy(served, bundle))).toBe(true);
    }
    const data = await installation.data();
    const stored = new X509Certificate(data["tls.crt"] ?? "");
    expect(isTrustedBy(stored, data["ca.crt"] ?? "")).toBe(true);
    expect(replica.served()?.fingerprint256).toBe(stored.fingerprint256);
    const later = installation.start();
    await installation.settle();
    expect(later.isReady()).toBe(true);
  });

  it.each([
    ["immutable", { immutable: true }, /it is immutable/u],
    ["of cert-manager", { annotations: { "cert-manager.io/certificate-name": "serving" } }, /cert-manager writes it/u],
    ["with other keys", { data: { password: "AAAA" } }, /it has the key "password" of something else/u],
  ])("a Secret that is %s stays as it is, and the replica says so", TEST, async (_, fields, reason) => {
    const installation = await install();
    const { annotations, ...rest } = fields as { readonly annotations?: Record<string, string> };
    const metadata = {
      namespace: installation.namespace,
      name: "certificates",
      ...(annotations === undefined ? {} : { annotations }),
    };
    const before = await installation.live.create(Secret.create({ metadata, ...rest }));
    const replica = installation.start();
    await installation.clock.advance(MINUTE_MS);
    expect(() => replica.certificates.check()).toThrow(reason);
    expect((await installation.secret())?.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  it(
    "a webhook configuration that was removed gets its bundle when it is there again; other field managers keep theirs",
    TEST,
    async () => {
      const installation = await install();
      installation.start();
      await installation.settle();
      const bundle = (await installation.data())["ca.crt"];
      const removed = await installation.live.get(ValidatingWebhookConfiguration, { name: installation.name });
      await installation.live.delete(removed);
      await installation.clock.advance(1000);
      const { webhooks = [] } = removed;
      await installation.live.create(
        ValidatingWebhookConfiguration.create({
          metadata: { name: installation.name },
          webhooks: webhooks.map(({ clientConfig: { service = {} }, ...rest }) => ({
            ...rest,
            clientConfig: { service },
          })) as never,
        }),
      );
      await installation.clock.advance(1000);
      expect((await installation.bundles())["Validating one"]).toBe(bundle);
      const { metadata } = await installation.live.get(ValidatingWebhookConfiguration, { name: installation.name });
      const own = metadata.managedFields?.find(({ manager }) => manager === "kubescaffold-certificates");
      expect(JSON.stringify(own?.fieldsV1)).not.toContain("rules");
      expect(own?.operation).toBe("Apply");
    },
  );

  it(
    "a foreign bundle gets the authority at once, and loses what is foreign after the overlap; garbage goes at once",
    TEST,
    async () => {
      const installation = await install();
      installation.start();
      await installation.settle();
      const bundle = (await installation.data())["ca.crt"] ?? "";
      const { createSelfSignedPair } = await import("../../src/certificates/self-signed-certificate.ts");
      const foreign = new X509Certificate((await createSelfSignedPair(["foreign"], [])).cert).toString();
      // The foreign certificate is valid at the time of the machine.
      await installation.clock.jump(Math.max(0, Date.now() + MINUTE_MS - installation.clock.now()));
      await installation.settle();
      const set = async (text: string): Promise<void> => {
        const object = await installation.live.get(ValidatingWebhookConfiguration, { name: installation.name });
        const caBundle = Buffer.from(text).toString("base64");
        const webhooks = (object.webhooks ?? []).map((each) => ({
          ...each,
          clientConfig: { ...each.clientConfig, caBundle },
        }));
        await installation.live.update({ ...object, webhooks });
        await installation.clock.advance(1000);
      };
      const [authority] = await installation.authorities();
      const own = authority?.pem ?? bundle;
      await set(foreign);
      expect((await installation.bundles())["Validating one"]).toBe(`${own}${foreign}`);
      expect((await installation.bundles())["Validating other"]).toBe(foreign);
      await installation.clock.advance(65 * MINUTE_MS);
      expect((await installation.bundles())["Validating one"]).toBe(own);
      await set(`${own}${own}`);
      expect((await installation.bundles())["Validating one"]).toBe(own);
    },
  );

  it(
    "a webhook configuration into which cert-manager injects is left alone, and the replica is not ready",
    TEST,
    async () => {
      const installation = await install();
      const object = await installation.live.get(ValidatingWebhookConfiguration, { name: installation.name });
      const annotations = { "cert-manager.io/inject-ca-from": "demo/serving" };
      await installation.live.update({ ...object, metadata: { ...object.metadata, annotations } });
      const replica = installation.start();
      await installation.clock.advance(MINUTE_MS);
      expect(() => replica.certificates.check()).toThrow(/cert-manager\.io\/inject-ca-from/u);
      expect((await installation.bundles())["Validating one"]).toBe("");
      expect((await installation.bundles())["Mutating one"]).not.toBe("");
    },
  );

  it("what cert-manager has injected stays for the overlap after its annotation is gone", TEST, async () => {
    const installation = await install();
    const { createSelfSignedPair } = await import("../../src/certificates/self-signed-certificate.ts");
    const foreign = new X509Certificate((await createSelfSignedPair(["foreign"], [])).cert).toString();
    const write = async (annotations: Readonly<Record<string, string>>): Promise<void> => {
      const object = await installation.live.get(ValidatingWebhookConfiguration, { name: installation.name });
      const caBundle = Buffer.from(foreign).toString("base64");
      const webhooks = (object.webhooks ?? []).map((each) => ({
        ...each,
        clientConfig: { ...each.clientConfig, caBundle },
      }));
      await installation.live.update({ ...object, metadata: { ...object.metadata, annotations }, webhooks });
    };
    await installation.clock.jump(Math.max(0, Date.now() + MINUTE_MS - installation.clock.now()));
    await write({ "cert-manager.io/inject-ca-from": "demo/serving" });
    installation.start();
    // Longer than the overlap: its servers use the certificate for as long as it injects.
    await installation.clock.advance(65 * MINUTE_MS);
    expect((await installation.bundles())["Validating one"]).toBe(foreign);
    await write({});
    await installation.clock.advance(10 * MINUTE_MS);
    const [authority] = await installation.authorities();
    expect((await installation.bundles())["Validating one"]).toBe(`${authority?.pem ?? ""}${foreign}`);
    await installation.clock.advance(65 * MINUTE_MS);
    expect((await installation.bundles())["Validating one"]).toBe(authority?.pem);
  });

  it("somebody who replaces the bundle all the time is answered 20 times in 10 minutes at most", TEST, async () => {
    const installation = await install();
    const replica = installation.start();
    await installation.settle();
    for (let count = 0; count < 40; count += 1) {
      const object = await installation.live.get(ValidatingWebhookConfiguration, { name: installation.name });
      const webhooks = (object.webhooks ?? []).map((each) => ({
        ...each,
        clientConfig: { service: each.clientConfig.service },
      }));
      await installation.live.update({ ...object, webhooks } as never);
      await installation.clock.advance(2000);
    }
    expect(replica.messages().filter((each) => each === "wrote the caBundle").length).toBeLessThanOrEqual(22);
    expect(replica.messages().some((each) => each.includes("replaced too often"))).toBe(true);
    await installation.clock.advance(21 * MINUTE_MS);
    expect((await installation.bundles())["Validating one"]).toBe((await installation.data())["ca.crt"]);
  });
});
