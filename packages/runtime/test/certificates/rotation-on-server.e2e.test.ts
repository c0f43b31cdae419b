import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server } from "node:net";

import { Environment } from "@kubescaffold/envtest";
import type { RestConfig } from "@kubescaffold/k8s";
import { ValidatingWebhookConfiguration } from "@kubescaffold/k8s/admissionregistration/v1";
import { ConfigMap, Secret, Service } from "@kubescaffold/k8s/core/v1";
import { handledLater } from "@kubescaffold/platform";
import { type Clock, realClock } from "@kubescaffold/platform/clock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { newWebhookManagedBy } from "../../src/builder/webhook-builder.ts";
import { SelfManagedCertificates } from "../../src/certificates/self-managed-certificates.ts";
import { selfManaged } from "../../src/certificates/self-managed.ts";
import { createClient } from "../../src/client/create-client.ts";
import { createRecordingLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { createNamespace, type ServerNamespace } from "../support/controller-on-server.ts";

// KUBESCAFFOLD_ROTATIONS=50 with KUBESCAFFOLD_ENVTEST_BACKEND=binaries takes a quarter of an hour.
const ROTATIONS = Number(process.env["KUBESCAFFOLD_ROTATIONS"] ?? 3);
const LIVENESS_MS = 3_600_000;
const REQUESTS_PER_SECOND = 20;

// Durations of the certificates pass a hundred times faster than those of the servers, and so does the limit of writes; the time of day is that of the machine.
const FACTOR = 100;
const fastClock: Clock = {
  now: () => realClock.now(),
  monotonic: () => realClock.monotonic() * FACTOR,
  setTimeout: (callback, delayMs) => realClock.setTimeout(callback, delayMs / FACTOR),
};

const environment = new Environment({ startTimeoutMs: 300_000 });
let config: RestConfig;

beforeAll(async () => {
  config = await environment.start();
}, 300_000);
afterAll(async () => await environment.stop(), 300_000);

interface Replica {
  readonly port: number;
  readonly isReady: () => boolean;
}

/** Stands for the Service: passes each connection to the next replica that is ready. */
async function balance(replicas: readonly Replica[]): Promise<{ readonly port: number; readonly server: Server }> {
  let turn = 0;
  const server = createServer((incoming) => {
    const ready = replicas.filter((each) => each.isReady());
    const { port } = ready[(turn += 1) % ready.length] ?? { port: 0 };
    const outgoing = connect(port, "127.0.0.1");
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      one.pipe(other);
      one.on("error", () => other.destroy());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, server };
}

async function startReplica(on: ServerNamespace, name: string, signal: AbortSignal): Promise<Replica> {
  const log = createRecordingLogger();
  const registry = createMetricsRegistry();
  const certificates = new SelfManagedCertificates({
    settings: selfManaged({
      secretName: "certificates",
      namespace: on.namespace,
      serviceName: "webhooks",
      validatingWebhookConfigurations: [name],
      // A second, half a second, and three seconds.
      propagationMs: 1000 * FACTOR,
      checkIntervalMs: 500 * FACTOR,
      overlapMs: 3000 * FACTOR,
    }),
    namespace: on.namespace,
    client: createClient(config),
    clock: fastClock,
    log,
    registry,
  });
  const manager = await createManager(config, {
    logger: log,
    metrics: { bindAddress: "0", registry },
    webhook: { host: "127.0.0.1", port: 0 },
  });
  const accept = (): undefined => undefined;
  newWebhookManagedBy(manager)
    .for(ConfigMap)
    .withValidator({ validateCreate: accept, validateUpdate: accept, validateDelete: accept })
    .complete();
  const server = manager.getWebhookServer();
  server.useCertificates(certificates.source);
  void handledLater(Promise.all([manager.start(signal), certificates.start(signal)]));
  await server.listening;
  const isReady = (): boolean => {
    try {
      certificates.check();
      return true;
    } catch {
      return false;
    }
  };
  return { port: server.port ?? 0, isReady };
}

describe.each([1, 2, 3])("with %i replicas on an API server", (count) => {
  it(
    "no admission of 20 per second is refused while authority and certificate are replaced",
    { timeout: LIVENESS_MS },
    async () => {
      const on = await createNamespace(config);
      const name = `${on.namespace}-rotated`;
      const stopping = new AbortController();
      const replicas: Replica[] = [];
      const { port, server } = await balance(replicas);
      const spec = { type: "ExternalName" as const, externalName: "localhost", ports: [{ port }] };
      await on.live.create(Service.create({ metadata: { name: "webhooks", namespace: on.namespace }, spec }));
      await on.live.create(configurationOf(name, on.namespace, port));
      replicas.push(
        ...(await Promise.all(
          Array.from({ length: count }, async () => await startReplica(on, name, stopping.signal)),
        )),
      );

      const admit = async (): Promise<string | undefined> => {
        const metadata = { namespace: on.namespace, generateName: "admitted-", labels: { tested: on.namespace } };
        try {
          await on.live.create(ConfigMap.create({ metadata }), { dryRun: true });
          return undefined;
        } catch (error) {
          return String(error);
        }
      };
      const authority = async (): Promise<string | undefined> => {
        const key = { namespace: on.namespace, name: "certificates" };
        return (await on.live.get(Secret, key).catch(() => undefined))?.data?.["ca.crt"];
      };
      const bundle = async (): Promise<string | undefined> =>
        (await on.live.get(ValidatingWebhookConfiguration, { name })).webhooks?.[0]?.clientConfig.caBundle;

      await expect.poll(() => replicas.every((each) => each.isReady()), { timeout: 120_000 }).toBe(true);
      await expect.poll(admit, { timeout: 120_000 }).toBeUndefined();

      const refused: string[] = [];
      const pending = new Set<Promise<void>>();
      let admitted = 0;
      const stream = setInterval(() => {
        const request = admit().then((problem) => {
          if (problem === undefined) admitted += 1;
          else refused.push(problem);
          pending.delete(request);
        });
        pending.add(request);
      }, 1000 / REQUESTS_PER_SECOND);

      try {
        for (let rotation = 0; rotation < ROTATIONS; rotation += 1) {
          const before = await authority();
          await on.live.delete(Secret.create({ metadata: { namespace: on.namespace, name: "certificates" } }));
          const isReplaced = async (): Promise<boolean> => {
            const now = await authority();
            return now !== undefined && now !== before && isSingle(now) && (await bundle()) === now;
          };
          await expect.poll(isReplaced, { timeout: 300_000, interval: 100 }).toBe(true);
          expect(refused).toEqual([]);
        }
      } finally {
        clearInterval(stream);
        await Promise.all(pending);
        stopping.abort();
        server.close();
      }
      expect(refused).toEqual([]);
      expect(admitted).toBeGreaterThan(ROTATIONS);
      console.log(`${String(count)} replicas: ${String(ROTATIONS)} rotations, ${String(admitted)} admissions`);
    },
  );
});

function isSingle(bundle: string): boolean {
  return Buffer.from(bundle, "base64").toString().split("BEGIN CERTIFICATE").length === 2;
}

function configurationOf(name: string, namespace: string, port: number): ValidatingWebhookConfiguration {
  return ValidatingWebhookConfiguration.create({
    metadata: { name },
    webhooks: [
      {
        name: "configmaps.rotated.demo",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        failurePolicy: "Fail",
        clientConfig: { service: { name: "webhooks", namespace, port, path: "/validate--v1-configmap" } },
        objectSelector: { matchLabels: { tested: namespace } },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
      },
    ],
  });
}
