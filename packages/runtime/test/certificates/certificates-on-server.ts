import { X509Certificate } from "node:crypto";

import { messageOf, type RestConfig } from "@kubescaffold/k8s";
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from "@kubescaffold/k8s/admissionregistration/v1";
import { Secret } from "@kubescaffold/k8s/core/v1";
import { handledLater } from "@kubescaffold/platform";
import { FakeClock } from "@kubescaffold/platform/clock";

import { SelfManagedCertificates } from "../../src/certificates/self-managed-certificates.ts";
import { selfManaged, type SelfManaged, type SelfManagedOptions } from "../../src/certificates/self-managed.ts";
import { parseBundle, SECRET_KEYS, type TrustedCertificate } from "../../src/certificates/stored-certificates.ts";
import type { LiveClient } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { createRecordingLogger, silentLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import type { ServerNamespace } from "../support/controller-on-server.ts";
import { interceptedConfig } from "../support/intercepted-config.ts";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** What one replica may do to the requests of another test: send them, fail, or both. */
export type Interceptor = (request: Request, send: (request: Request) => Promise<Response>) => Promise<Response>;

/** A replica of a manager with self-managed certificates. */
export interface Replica {
  readonly certificates: SelfManagedCertificates;
  readonly messages: () => readonly string[];
  readonly isReady: () => boolean;
  readonly served: () => X509Certificate | undefined;
  readonly metric: (name: string, labels: Readonly<Record<string, string>>) => Promise<number | undefined>;
  readonly stop: () => Promise<void>;
}

/** An installation in a namespace of a server: a Secret, and two webhook configurations with one webhook of another Service. */
export class Installation {
  readonly clock: FakeClock;
  readonly live: LiveClient;
  readonly namespace: string;
  readonly settings: SelfManaged;
  readonly replicas: Replica[] = [];
  readonly #config: RestConfig;

  constructor(config: RestConfig, on: ServerNamespace, options: Partial<SelfManagedOptions> = {}) {
    this.clock = new FakeClock();
    this.#config = config;
    this.live = on.live;
    this.namespace = on.namespace;
    this.settings = selfManaged({
      secretName: "certificates",
      namespace: on.namespace,
      serviceName: "webhooks",
      validatingWebhookConfigurations: [this.name],
      mutatingWebhookConfigurations: [this.name],
      checkIntervalMs: 10 * MINUTE_MS,
      ...options,
    });
  }

  /** The name of the webhook configurations, which have no namespace. */
  get name(): string {
    return `${this.namespace}-webhooks`;
  }

  /** Creates both webhook configurations, without bundles. */
  async install(): Promise<this> {
    const webhooks = ["one", "two", "other"].map((each) => ({
      name: `${each}.${this.namespace}.demo`,
      admissionReviewVersions: ["v1"],
      sideEffects: "None" as const,
      clientConfig: {
        service: { name: each === "other" ? "others" : "webhooks", namespace: this.namespace, path: "/validate" },
      },
      rules: [
        { apiGroups: ["none.demo"], apiVersions: ["v1"], operations: ["CREATE" as const], resources: ["nothings"] },
      ],
    }));
    const metadata = { name: this.name };
    await this.live.create(ValidatingWebhookConfiguration.create({ metadata, webhooks }));
    await this.live.create(MutatingWebhookConfiguration.create({ metadata, webhooks }));
    return this;
  }

  /** Starts a replica. */
  start(intercept: Interceptor = async (request, send) => await send(request), settings = this.settings): Replica {
    const { clock } = this;
    const config = interceptedConfig(this.#config, intercept);
    const log = createRecordingLogger();
    const registry = createMetricsRegistry();
    const client = createClient(config, { clock, log: silentLogger });
    const certificates = new SelfManagedCertificates({
      settings,
      namespace: this.namespace,
      client,
      clock,
      log,
      registry,
      random: () => 0.5,
    });
    const stopping = new AbortController();
    const running = handledLater(certificates.start(stopping.signal));
    const replica: Replica = {
      certificates,
      messages: () =>
        log.records.map(({ message, error }) => `${message}${error === undefined ? "" : `: ${messageOf(error)}`}`),
      isReady: () => {
        try {
          certificates.check();
          return true;
        } catch {
          return false;
        }
      },
      served: () => {
        const { current } = certificates.source;
        return current === undefined ? undefined : new X509Certificate(current.cert);
      },
      metric: async (name, labels) => {
        const { values = [] } = (await registry.getSingleMetric(name)?.get()) ?? {};
        return values.find((each) => Object.entries(labels).every(([key, value]) => each.labels[key] === value))?.value;
      },
      stop: async () => {
        this.replicas.splice(this.replicas.indexOf(replica), 1);
        stopping.abort();
        await running;
      },
    };
    this.replicas.push(replica);
    return replica;
  }

  async stopAll(): Promise<void> {
    await Promise.all(this.replicas.slice().map(async (each) => await each.stop()));
  }

  async secret(): Promise<Secret | undefined> {
    const { namespace } = this;
    return await this.live.get(Secret, { namespace, name: this.settings.secretName }).catch(() => undefined);
  }

  /** The decoded values of the Secret. */
  async data(): Promise<Readonly<Record<string, string>>> {
    const { data = {} } = (await this.secret()) ?? {};
    return Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text, "base64").toString()]));
  }

  /** The authorities of the Secret; the first one signs. */
  async authorities(): Promise<readonly TrustedCertificate[]> {
    return parseBundle((await this.data())[SECRET_KEYS.bundle] ?? "");
  }

  /** Replaces values of the Secret. */
  async damage(values: Readonly<Record<string, string>>): Promise<void> {
    const secret = await this.secret();
    if (secret === undefined) return;
    const encoded = Object.entries(values).map(([key, text]) => [key, Buffer.from(text).toString("base64")] as const);
    await this.live.update({ ...secret, data: { ...secret.data, ...Object.fromEntries(encoded) } } as never);
  }

  /** The decoded bundles of all webhooks, by kind and name. */
  async bundles(): Promise<Readonly<Record<string, string>>> {
    const kinds = [ValidatingWebhookConfiguration, MutatingWebhookConfiguration] as const;
    const objects = await Promise.all(
      kinds.map(
        async (kind) => await this.live.get(kind as typeof ValidatingWebhookConfiguration, { name: this.name }),
      ),
    );
    return Object.fromEntries(
      objects.flatMap(({ kind, webhooks = [] }) =>
        webhooks.map(({ name, clientConfig: { caBundle = "" } }) => [
          `${kind.replace("WebhookConfiguration", "")} ${name.split(".")[0] ?? ""}`,
          Buffer.from(caBundle, "base64").toString(),
        ]),
      ),
    );
  }

  /** The bundles of the webhooks whose Service is this one. */
  async ownBundles(): Promise<readonly string[]> {
    return Object.entries(await this.bundles()).flatMap(([name, text]) => (name.endsWith("other") ? [] : [text]));
  }

  /** Lets the replicas react, and time pass, until all are ready. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 80; turn += 1) {
      await this.clock.advance(500);
      if (this.replicas.length > 0 && this.replicas.every((each) => each.isReady())) return;
    }
  }
}

/** Reports whether clients with a bundle accept a certificate. */
export function isTrustedBy(certificate: X509Certificate, bundle: string): boolean {
  return parseBundle(bundle).some(
    (each) => certificate.checkIssued(each.certificate) && certificate.verify(each.certificate.publicKey),
  );
}
