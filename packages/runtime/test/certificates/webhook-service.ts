import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";

import type { RestConfig } from "@kubescaffold/k8s";
import { ValidatingWebhookConfiguration } from "@kubescaffold/k8s/admissionregistration/v1";
import { ConfigMap, Secret, Service } from "@kubescaffold/k8s/core/v1";
import { handledLater } from "@kubescaffold/platform";
import { type Clock, realClock } from "@kubescaffold/platform/clock";

import { newWebhookManagedBy } from "../../src/builder/webhook-builder.ts";
import { SelfManagedCertificates } from "../../src/certificates/self-managed-certificates.ts";
import { selfManaged } from "../../src/certificates/self-managed.ts";
import { createClient } from "../../src/client/create-client.ts";
import { createRecordingLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import type { ServerNamespace } from "../support/controller-on-server.ts";

const REQUESTS_PER_SECOND = 20;

// Durations of the certificates pass a hundred times faster than those of the servers, and so does the limit of writes; the time of day is that of the machine.
const FACTOR = 100;
const fastClock: Clock = {
  now: () => realClock.now(),
  monotonic: () => realClock.monotonic() * FACTOR,
  setTimeout: (callback, delayMs) => realClock.setTimeout(callback, delayMs / FACTOR),
};

// The default of the manifests is ten seconds.
const PROBE_INTERVAL_MS = 10_000 / FACTOR;
const FAILURE_THRESHOLD = 3;

/** A replica of a manager with a webhook for ConfigMaps. */
export interface WebhookReplica {
  readonly port: number;
  readonly isReady: () => boolean;
  readonly stop: () => Promise<void>;
}

/** A validating webhook of a namespace whose Service passes each connection to the next replica that is ready. */
export class WebhookService {
  /** The replicas that the Service knows. */
  readonly replicas: WebhookReplica[] = [];
  readonly #config: RestConfig;
  readonly #on: ServerNamespace;
  readonly #failures = new Map<WebhookReplica, number>();
  readonly #probes = setInterval(() => this.#probe(), PROBE_INTERVAL_MS);
  readonly #server = createServer((incoming) => {
    const ready = this.replicas.filter((each) => (this.#failures.get(each) ?? FAILURE_THRESHOLD) < FAILURE_THRESHOLD);
    const { port } = ready[(this.#turn += 1) % ready.length] ?? { port: 0 };
    if (port === 0) this.dropped += 1;
    const outgoing = connect(port, "127.0.0.1");
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      one.pipe(other);
      one.on("error", () => other.destroy());
    }
  });
  #turn = 0;
  /** Connections that arrived while no replica was ready. */
  dropped = 0;

  constructor(config: RestConfig, on: ServerNamespace) {
    this.#config = config;
    this.#on = on;
  }

  /** The name of the webhook configuration. */
  get name(): string {
    return `${this.#on.namespace}-rotated`;
  }

  // As a kubelet does: one success makes a replica ready, and three failures in a row make it unready.
  #probe(): void {
    for (const each of this.replicas) {
      const failures = this.#failures.get(each) ?? FAILURE_THRESHOLD;
      this.#failures.set(each, each.isReady() ? 0 : failures + 1);
    }
  }

  /** Creates the Service and the webhook configuration. */
  async install(): Promise<void> {
    const { live, namespace } = this.#on;
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const { port } = this.#server.address() as AddressInfo;
    const spec = { type: "ExternalName" as const, externalName: "localhost", ports: [{ port }] };
    await live.create(Service.create({ metadata: { name: "webhooks", namespace }, spec }));
    await live.create(
      ValidatingWebhookConfiguration.create({
        metadata: { name: this.name },
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
      }),
    );
  }

  /** Starts a replica that makes its certificates itself: a second of propagation, and three of overlap. */
  async startSelfManaged(): Promise<WebhookReplica> {
    const { namespace } = this.#on;
    const certificates = new SelfManagedCertificates({
      settings: selfManaged({
        secretName: "certificates",
        namespace,
        serviceName: "webhooks",
        validatingWebhookConfigurations: [this.name],
        propagationMs: 1000 * FACTOR,
        checkIntervalMs: 500 * FACTOR,
        overlapMs: 3000 * FACTOR,
      }),
      namespace,
      client: createClient(this.#config),
      clock: fastClock,
      log: createRecordingLogger(),
      registry: createMetricsRegistry(),
    });
    return await this.#start({}, certificates);
  }

  /** Starts a replica that serves the certificate in a folder, as one of cert-manager. */
  async startWithFiles(certDir: string): Promise<WebhookReplica> {
    return await this.#start({ certDir });
  }

  async #start(files: { readonly certDir?: string }, certificates?: SelfManagedCertificates): Promise<WebhookReplica> {
    const stopping = new AbortController();
    const manager = await createManager(this.#config, {
      logger: createRecordingLogger(),
      metrics: { bindAddress: "0", registry: createMetricsRegistry() },
      // As in a Pod.
      webhook: { host: "127.0.0.1", port: 0, shutdownDelayMs: 1000, ...files },
    });
    const accept = (): undefined => undefined;
    newWebhookManagedBy(manager)
      .for(ConfigMap)
      .withValidator({ validateCreate: accept, validateUpdate: accept, validateDelete: accept })
      .complete();
    const server = manager.getWebhookServer();
    if (certificates !== undefined) server.useCertificates(certificates.source);
    const { signal } = stopping;
    const running = handledLater(Promise.all([manager.start(signal), certificates?.start(signal)]));
    await server.listening;
    return {
      port: server.port ?? 0,
      isReady: () => {
        try {
          certificates?.check();
          return true;
        } catch {
          return false;
        }
      },
      stop: async () => {
        stopping.abort();
        await running;
      },
    };
  }

  /** Creates a ConfigMap as a dry run, and returns why it was refused. */
  async admit(): Promise<string | undefined> {
    const { live, namespace } = this.#on;
    const metadata = { namespace, generateName: "admitted-", labels: { tested: namespace } };
    try {
      await live.create(ConfigMap.create({ metadata }), { dryRun: true });
      return undefined;
    } catch (error) {
      return String(error);
    }
  }

  /** Sends 20 requests per second until the returned function is called. */
  stream(): AdmissionStream {
    const refused: string[] = [];
    const pending = new Set<Promise<void>>();
    const counts = { admitted: 0 };
    const timer = setInterval(() => {
      const request = this.admit().then((problem) => {
        if (problem === undefined) counts.admitted += 1;
        else refused.push(problem);
        pending.delete(request);
      });
      pending.add(request);
    }, 1000 / REQUESTS_PER_SECOND);
    const end = async (): Promise<void> => {
      clearInterval(timer);
      await Promise.all(pending);
    };
    return { refused, counts, end };
  }

  /** The Secret of the certificates. */
  async secret(): Promise<Secret | undefined> {
    const key = { namespace: this.#on.namespace, name: "certificates" };
    return await this.#on.live.get(Secret, key).catch(() => undefined);
  }

  /** The webhook configuration as it is now. */
  async configuration(): Promise<ValidatingWebhookConfiguration> {
    return await this.#on.live.get(ValidatingWebhookConfiguration, { name: this.name });
  }

  /** Stops all replicas. */
  async close(): Promise<void> {
    clearInterval(this.#probes);
    await Promise.all(this.replicas.map(async (each) => await each.stop()));
    this.#server.close();
  }
}

/** Requests that are sent all the time, and what became of them. */
export interface AdmissionStream {
  readonly refused: readonly string[];
  readonly counts: { readonly admitted: number };
  readonly end: () => Promise<void>;
}
