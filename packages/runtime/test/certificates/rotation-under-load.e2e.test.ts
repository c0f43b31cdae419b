import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";

import { Environment } from "@kubescaffold/envtest";
import type { RestConfig } from "@kubescaffold/k8s";
import { ValidatingWebhookConfiguration } from "@kubescaffold/k8s/admissionregistration/v1";
import { ConfigMap, Secret } from "@kubescaffold/k8s/core/v1";
import { handledLater } from "@kubescaffold/platform";
import { FakeClock } from "@kubescaffold/platform/clock";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";

import { newWebhookManagedBy } from "../../src/builder/webhook-builder.ts";
import { selfManaged } from "../../src/certificates/self-managed.ts";
import { createRecordingLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { createNamespace, EVENT, type ServerNamespace } from "../support/controller-on-server.ts";

// A thousand take eight minutes with one replica: KUBESCAFFOLD_ROTATIONS=1000.
const ROTATIONS = Number(process.env["KUBESCAFFOLD_ROTATIONS"] ?? 10);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
// The certificates must be valid at the time of the machine, too, since TLS has no other clock.
const START_MS = Date.now() - 60 * DAY_MS;

const environment = new Environment();
let config: RestConfig;

beforeAll(async () => {
  config = await environment.start();
});

afterAll(async () => await environment.stop());

/** Replicas of a manager whose webhook has one address, and the stream of admissions. */
class RotatedReplicas {
  readonly on: ServerNamespace;
  readonly #clock: FakeClock;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>[] = [];
  readonly #ports: number[] = [];
  readonly #health: number[] = [];
  #turn = 0;
  // Each connection goes to the next replica, as a Service does.
  readonly #service = createServer((incoming) => {
    const port = this.#ports[(this.#turn += 1) % this.#ports.length] ?? 0;
    const outgoing = connect(port, "127.0.0.1");
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      one.pipe(other);
      one.on("error", () => other.destroy());
    }
  });

  constructor(on: ServerNamespace, clock: FakeClock) {
    this.on = on;
    this.#clock = clock;
  }

  get name(): string {
    return `${this.on.namespace}-rotated`;
  }

  async install(count: number): Promise<this> {
    this.#service.listen(0, "127.0.0.1");
    await once(this.#service, "listening");
    const { port } = this.#service.address() as AddressInfo;
    for (let started = 0; started < count; started += 1) await this.#start();
    await this.on.live.create(
      ValidatingWebhookConfiguration.create({
        metadata: { name: this.name },
        webhooks: [
          {
            name: "configmaps.rotated.demo",
            admissionReviewVersions: ["v1"],
            sideEffects: "None",
            failurePolicy: "Fail",
            clientConfig: { url: `https://127.0.0.1:${String(port)}/validate--v1-configmap` },
            objectSelector: { matchLabels: { tested: this.on.namespace } },
            rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
          },
        ],
      }),
    );
    return this;
  }

  async #start(): Promise<void> {
    const manager = await createManager(config, {
      logger: createRecordingLogger(),
      metrics: { bindAddress: "0", registry: createMetricsRegistry() },
      healthProbeBindAddress: "127.0.0.1:0",
      webhook: { host: "127.0.0.1", port: 0 },
      clock: this.#clock,
      certificates: selfManaged({
        secretName: "certificates",
        namespace: this.on.namespace,
        dnsNames: ["localhost"],
        ipAddresses: ["127.0.0.1"],
        validatingWebhookConfigurations: [this.name],
        lifetimeMs: 1000 * DAY_MS,
        caLifetimeMs: 5000 * DAY_MS,
        overlapMs: 3 * MINUTE_MS,
      }),
    });
    const accept = (): undefined => undefined;
    newWebhookManagedBy(manager)
      .for(ConfigMap)
      .withValidator({ validateCreate: accept, validateUpdate: accept, validateDelete: accept })
      .complete();
    const running = handledLater(manager.start(this.#stopping.signal));
    this.#running.push(running);
    this.#health.push(manager.ports.health ?? 0);
    const server = manager.getWebhookServer();
    await Promise.race([server.listening, running]);
    this.#ports.push(server.port ?? 0);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running);
    this.#service.close();
  }

  /** Whether each replica reports that it is ready. */
  async readiness(): Promise<readonly boolean[]> {
    return await Promise.all(
      this.#health.map(async (port) => (await fetch(`http://127.0.0.1:${String(port)}/readyz`)).ok),
    );
  }

  /** Creates a ConfigMap as a dry run, and returns why it was refused. */
  async admit(): Promise<string | undefined> {
    const { live, namespace } = this.on;
    const metadata = { namespace, generateName: "admitted-", labels: { tested: namespace } };
    try {
      await live.create(ConfigMap.create({ metadata }), { dryRun: true });
      return undefined;
    } catch (error) {
      return String(error);
    }
  }

  async authority(): Promise<string | undefined> {
    const key = { namespace: this.on.namespace, name: "certificates" };
    return (await this.on.live.get(Secret, key).catch(() => undefined))?.data?.["ca.crt"];
  }
}

it.each([1, 2, 3])(
  "no admission of a steady stream is refused while authority and certificate of %i replicas are replaced time and again",
  { timeout: 3_600_000 },
  async (count) => {
    const clock = new FakeClock(START_MS);
    const replicas = await new RotatedReplicas(await createNamespace(config), clock).install(count);
    onTestFinished(async () => await replicas.stop());
    await expect.poll(async () => await replicas.admit(), EVENT).toBeUndefined();
    await expect.poll(async () => await replicas.readiness(), EVENT).toEqual(Array.from({ length: count }, () => true));
    const refused: string[] = [];
    let admitted = 0;
    const ending = new AbortController();
    const stream = (async (): Promise<void> => {
      while (!ending.signal.aborted) {
        const problem = await replicas.admit();
        if (problem === undefined) admitted += 1;
        else refused.push(problem);
      }
    })();
    for (let rotation = 0; rotation < ROTATIONS; rotation += 1) {
      const before = await replicas.authority();
      const { live, namespace } = replicas.on;
      await live.delete(Secret.create({ metadata: { namespace, name: "certificates" } }));
      // Introduced, in use, and alone: each within its time.
      for (let minutes = 0; minutes < 6; minutes += 1) await clock.advance(MINUTE_MS);
      expect(await replicas.authority()).not.toBe(before);
    }
    ending.abort();
    await stream;
    expect(refused).toEqual([]);
    expect(admitted).toBeGreaterThanOrEqual(ROTATIONS);
    console.log(`${String(count)} replicas: ${String(ROTATIONS)} rotations, ${String(admitted)} admissions`);
  },
);
