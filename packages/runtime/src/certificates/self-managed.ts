import { isIP } from "node:net";

import { checkCertificateNames, checkNumbers } from "@kubescaffold/k8s";

import { CertificateOptionsError } from "./errors.ts";
import type { InjectionNames } from "./injection-targets.ts";

/** Options of {@link selfManaged}. */
export interface SelfManagedOptions extends InjectionNames {
  /** The name of the Secret, which each installation has for itself. */
  readonly secretName: string;
  /** The namespace of the Secret and of the Service. Default: the namespace of the pod. */
  readonly namespace?: string;
  /** The name of the Service through which API servers call the webhooks. Default: none. */
  readonly serviceName?: string;
  /** The name of the Service of the metrics endpoint, for whose names the certificate is valid, too. Default: none. */
  readonly metricsServiceName?: string;
  /** Additional host names of the certificate. Default: none. */
  readonly dnsNames?: readonly string[];
  /** Additional addresses of the certificate. Default: none. */
  readonly ipAddresses?: readonly string[];
  /** How long a serving certificate is valid, in milliseconds. Default: 90 days. */
  readonly lifetimeMs?: number;
  /** How long before its end a serving certificate is replaced, in milliseconds. Default: a third of its lifetime. */
  readonly renewBeforeMs?: number;
  /** How long a certificate authority is valid, in milliseconds. Default: 10 years. */
  readonly caLifetimeMs?: number;
  /** How long before its end an authority is replaced, in milliseconds; at least the lifetime of serving certificates. Default: a third of its lifetime. */
  readonly caRenewBeforeMs?: number;
  /** How long API servers may take to use a changed `caBundle`, in milliseconds. Default: 30000 (30 seconds). */
  readonly propagationMs?: number;
  /** How long clients trust a former authority after the last certificate of it was replaced, in milliseconds. Default: 3600000 (an hour). */
  readonly overlapMs?: number;
  /** The longest interval between checks, in milliseconds; changes of the objects are noticed at once. Default: 60000 (a minute). */
  readonly checkIntervalMs?: number;
  /** The field manager of `caBundle`. Default: `kubescaffold-certificates`. */
  readonly fieldOwner?: string;
}

/** The self-managed certificates of a manager, which {@link selfManaged} returns. */
export interface SelfManaged extends Readonly<
  Required<Omit<SelfManagedOptions, "metricsServiceName" | "namespace" | "serviceName">>
> {
  /** The kind of the certificates. */
  readonly kind: "selfManaged";
  /** The namespace of the Secret and of the Service; undefined is the namespace of the pod. */
  readonly namespace: string | undefined;
  /** The name of the Service; undefined without one. */
  readonly serviceName: string | undefined;
  /** The name of the Service for metrics; undefined without one. */
  readonly metricsServiceName: string | undefined;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const THIRD = 1 / 3;
const LONGEST_LIFETIME_MS = 200 * 365 * DAY_MS;

/**
 * Lets a manager make and replace the certificate of its webhooks, with nothing else installed: an authority and a serving certificate (ECDSA P-256) in a
 * Secret, and the `caBundle` of the objects that point to it.
 *
 * Guarantees: the replica that comes first writes, none has to lead; all replicas serve what the Secret holds. An authority is added to every `caBundle` before
 * it signs, and removed when no replica serves a certificate of its any more, so that no admission is refused. A deleted or damaged Secret and a changed
 * `caBundle` are repaired. Certificates are valid from an hour in the past, for clocks that are behind.
 *
 * Fails: {@link CertificateOptionsError}, `NumericOptionError`, `CertificateNameError`.
 *
 * @example
 * const manager = await createManager(config, {
 *   certificates: selfManaged({
 *     secretName: "guestbook-certificates",
 *     serviceName: "guestbook-webhook-service",
 *     validatingWebhookConfigurations: ["guestbook-validating-webhook-configuration"],
 *   }),
 * });
 */
export function selfManaged(options: SelfManagedOptions): SelfManaged {
  checkNumbers("self-managed certificates", options, {
    lifetimeMs: "interval",
    renewBeforeMs: "duration",
    caLifetimeMs: "interval",
    caRenewBeforeMs: "duration",
    propagationMs: "duration",
    overlapMs: "duration",
    checkIntervalMs: "interval",
  });
  const { lifetimeMs = 90 * DAY_MS, caLifetimeMs = 3650 * DAY_MS } = options;
  const settings: SelfManaged = {
    kind: "selfManaged",
    secretName: options.secretName,
    namespace: options.namespace,
    serviceName: options.serviceName,
    metricsServiceName: options.metricsServiceName,
    dnsNames: options.dnsNames ?? [],
    ipAddresses: options.ipAddresses ?? [],
    validatingWebhookConfigurations: options.validatingWebhookConfigurations ?? [],
    mutatingWebhookConfigurations: options.mutatingWebhookConfigurations ?? [],
    customResourceDefinitions: options.customResourceDefinitions ?? [],
    apiServices: options.apiServices ?? [],
    lifetimeMs,
    renewBeforeMs: options.renewBeforeMs ?? lifetimeMs * THIRD,
    caLifetimeMs,
    caRenewBeforeMs: options.caRenewBeforeMs ?? caLifetimeMs * THIRD,
    propagationMs: options.propagationMs ?? MINUTE_MS / 2,
    overlapMs: options.overlapMs ?? 60 * MINUTE_MS,
    checkIntervalMs: options.checkIntervalMs ?? MINUTE_MS,
    fieldOwner: options.fieldOwner ?? "kubescaffold-certificates",
  };
  checkNames(settings);
  checkLifetimes(settings);
  return settings;
}

function checkNames(settings: SelfManaged): void {
  const { secretName, serviceName, metricsServiceName, namespace, dnsNames, ipAddresses } = settings;
  if (secretName === "" || namespace === "") {
    throw new CertificateOptionsError(
      "secretName and namespace must not be empty",
      "name the Secret and its namespace",
    );
  }
  const services = [serviceName, metricsServiceName].filter((each) => each !== undefined);
  if (services.length + dnsNames.length + ipAddresses.length === 0) {
    throw new CertificateOptionsError("the certificate has no names", "set serviceName, dnsNames, or ipAddresses");
  }
  checkCertificateNames([], [...dnsNames, ...services]);
  const invalid = ipAddresses.find((each) => isIP(each) === 0 || each.includes("%"));
  if (invalid !== undefined) {
    throw new CertificateOptionsError(
      `${JSON.stringify(invalid)} is not an address`,
      "write addresses such as 127.0.0.1",
    );
  }
}

function checkLifetimes(settings: SelfManaged): void {
  const { lifetimeMs, renewBeforeMs, caLifetimeMs, caRenewBeforeMs } = settings;
  const { propagationMs, overlapMs, checkIntervalMs } = settings;
  requireAtMost("renewBeforeMs", renewBeforeMs, "lifetimeMs less a minute", lifetimeMs - MINUTE_MS);
  requireAtMost("caRenewBeforeMs", caRenewBeforeMs, "caLifetimeMs less a minute", caLifetimeMs - MINUTE_MS);
  requireAtMost("caLifetimeMs", caLifetimeMs, "200 years", LONGEST_LIFETIME_MS);
  // Otherwise an authority would end before what it signs.
  requireAtMost("lifetimeMs", lifetimeMs, "caRenewBeforeMs", caRenewBeforeMs);
  // A replica must have noticed the new certificate, or have become unready, before the old authority goes.
  requireAtMost("2 * (propagationMs + checkIntervalMs)", 2 * (propagationMs + checkIntervalMs), "overlapMs", overlapMs);
}

function requireAtMost(name: string, value: number, limitName: string, limit: number): void {
  if (value <= limit) return;
  const problem = `${name} is ${String(value)}, and ${limitName} is ${String(limit)}`;
  throw new CertificateOptionsError(problem, `reduce ${name}, or increase ${limitName}`);
}
