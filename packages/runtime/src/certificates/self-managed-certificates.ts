import { isAlreadyExists, isConflict, isForbidden, isNotFound, messageOf } from "@kubescaffold/k8s";
import { Secret } from "@kubescaffold/k8s/core/v1";
import { handledLater } from "@kubescaffold/platform";
import { type Clock, onAbort } from "@kubescaffold/platform/clock";

import { createListWatch } from "../cache/list-watch.ts";
import { SharedInformer } from "../cache/shared-informer.ts";
import type { LiveClient } from "../client/client.ts";
import type { Stored } from "../client/partial-object.ts";
import type { Logger } from "../log/logger.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";
import { selfManagedMetrics } from "../metrics/webhook-metrics.ts";
import { BundleInjector, type InjectedTarget } from "./bundle-injector.ts";
import { CertificateSecret, type SecretContent } from "./certificate-secret.ts";
import { CertificateSource } from "./certificate-source.ts";
import { CertificateNotReadyError, CertificateWritesError } from "./errors.ts";
import { type InjectionServer, injectionTargets } from "./injection-targets.ts";
import { issueAuthority, issueServing, type ServerNames } from "./issue-certificates.ts";
import { planRotation, type RotationKnowledge, type RotationPlan, type RotationRules } from "./rotation-plan.ts";
import type { SelfManaged } from "./self-managed.ts";
import type { SelfSignedPair } from "./self-signed-certificate.ts";
import {
  issuerOf,
  isValidAt,
  parseBundle,
  readCertificates,
  type ServingPair,
  type StoredCertificates,
  type TrustedCertificate,
} from "./stored-certificates.ts";
import { WriteWindow } from "./write-window.ts";

/** Options of {@link SelfManagedCertificates}. */
export interface SelfManagedParts {
  readonly settings: SelfManaged;
  /** The namespace of the Secret. */
  readonly namespace: string;
  readonly client: LiveClient;
  readonly clock: Clock;
  readonly log: Logger;
  readonly registry: MetricsRegistry;
  /** Default: `Math.random`. */
  readonly random?: () => number;
}

// Clocks of replicas and API servers may differ by an hour.
const CLOCK_TOLERANCE_MS = 60 * 60_000;
const SHORTEST_RETRY_MS = 1000;
// More writes than a check needs, each of which may be lost to another replica.
const MOST_ATTEMPTS = 12;

/** Makes, serves, injects, and replaces the certificates of a manager; a runnable of every replica. */
export class SelfManagedCertificates {
  readonly runnableName = "self-managed certificates";
  readonly runnableGroup = "httpServers";
  readonly source: CertificateSource;
  readonly #parts: SelfManagedParts;
  readonly #log: Logger;
  readonly #names: ServerNames;
  readonly #rules: RotationRules;
  readonly #secret: CertificateSecret;
  readonly #injector: BundleInjector;
  readonly #writes: WriteWindow;
  // The last state of the Secret that was sound.
  #known: StoredCertificates | undefined;
  #serving: ServingPair | undefined;
  #servingIssuer: string | undefined;
  readonly #trustedSince = new Map<string, number>();
  #storedSince: { readonly cert: string; readonly at: number } | undefined;
  #confirmedAt: number | undefined;
  #injection: { readonly isComplete: boolean; readonly isChanging: boolean } = { isComplete: false, isChanging: false };
  #hasBeenReady = false;
  #lastFailure: unknown;
  #isWoken = false;
  #wake: () => void = () => undefined;

  constructor(parts: SelfManagedParts) {
    const { settings, namespace, client, clock, registry } = parts;
    this.#parts = parts;
    this.#log = parts.log.withName("certificates");
    this.source = new CertificateSource(this.#log);
    this.#names = namesOf(settings, namespace);
    this.#rules = { names: this.#names, ...settings };
    this.#secret = new CertificateSecret(client, { name: settings.secretName, namespace });
    this.#writes = new WriteWindow(clock);
    const server: InjectionServer = { ...this.#names, serviceName: settings.serviceName, namespace };
    this.#injector = new BundleInjector({
      client,
      targets: injectionTargets(settings),
      server,
      fieldOwner: settings.fieldOwner,
      overlapMs: settings.overlapMs,
      writes: this.#writes,
      clock,
      log: this.#log,
      registry,
      onChange: () => this.#notify(),
      onInjected: () => selfManagedMetrics(registry).injections.inc(),
    });
  }

  /** Returns false: every replica keeps the certificates. */
  needLeaderElection(): boolean {
    return false;
  }

  /** Checks the certificates until the signal aborts: at each change of an object, when something is due, and periodically. */
  async start(signal: AbortSignal): Promise<void> {
    const watching = handledLater(Promise.all([this.#watchSecret(signal), this.#injector.run(signal)]));
    for (let failures = 0; !signal.aborted;) {
      let delayMs: number;
      try {
        const checked = this.#check(signal);
        this.#parts.clock.hold?.(checked);
        delayMs = await checked;
        failures = 0;
        this.#lastFailure = undefined;
      } catch (error) {
        if (signal.aborted) break;
        this.#report(error);
        failures += 1;
        delayMs = this.#retryDelayMs(failures);
      }
      await this.#pause(delayMs, failures === 0, signal);
    }
    await watching;
  }

  /** Fails while the certificate is not served, not trusted by API servers, or possibly out of date. Fails: {@link CertificateNotReadyError}. */
  readonly check = (): void => {
    const problem = this.#problem();
    if (problem !== undefined) throw new CertificateNotReadyError(problem);
    this.#hasBeenReady = true;
  };

  #problem(): string | undefined {
    const { propagationMs } = this.#parts.settings;
    const because = this.#lastFailure === undefined ? "" : `: ${messageOf(this.#lastFailure)}`;
    if (this.#serving === undefined || this.#confirmedAt === undefined) return `there is none yet${because}`;
    if (!this.source.isServed) return "the server does not serve it yet";
    // Once other replicas may have removed the authority of this one's certificate, the Service must not send requests here.
    if (this.#isOutdated()) return `the Secret cannot be read${because}`;
    // A bundle that somebody breaks later is not repaired by taking all replicas out of the Service.
    if (this.#hasBeenReady) return undefined;
    if (!this.#injection.isComplete) return `its authority is not in every caBundle yet${because}`;
    const isSettled = !this.#injection.isChanging || this.#isTrustedFor(this.#servingIssuer, propagationMs);
    return isSettled ? undefined : "API servers may not know its authority yet";
  }

  #isOutdated(): boolean {
    const { clock, settings } = this.#parts;
    return this.#confirmedAt === undefined || clock.monotonic() - this.#confirmedAt > settings.overlapMs / 2;
  }

  async #check(signal: AbortSignal): Promise<number> {
    const readAt = this.#parts.clock.monotonic();
    const stored = await this.#rotate(signal);
    const { authorities } = stored;
    const injected = await this.#inject(authorities, signal).catch((error: unknown) => {
      this.#report(error);
      return undefined;
    });
    this.#noteTrust(authorities, injected);
    this.#serve(stored, injected);
    // Not before the pair was replaced: this replica may have been cut off while the authority of its pair was removed.
    this.#confirmedAt = readAt;
    this.#measure(stored);
    if (injected === undefined) throw this.#lastFailure;
    return this.#nextDelayMs(stored);
  }

  // Writes the Secret until nothing is left to do. Whoever is slower continues with what the faster one wrote.
  async #rotate(signal: AbortSignal): Promise<StoredCertificates> {
    for (let attempt = 1; ; attempt += 1) {
      const secret = await this.#readSecret(signal);
      const stored = readCertificates(secret?.data ?? {});
      this.#learn(stored);
      const plan = await this.#plan(stored, signal);
      if (plan.kind === "keep") return stored;
      if (!this.#writes.admit(this.#secret.title)) throw new CertificateWritesError(`the Secret ${this.#secret.title}`);
      this.#log.info("writing certificates", { secret: this.#secret.title, reason: plan.reason });
      try {
        await this.#secret.write(secret, await this.#contentOf(plan), signal);
        this.#count(plan);
      } catch (error) {
        const isSlower = isConflict(error) || isAlreadyExists(error) || isNotFound(error);
        if (!isSlower || attempt === MOST_ATTEMPTS) throw error;
      }
    }
  }

  async #readSecret(signal: AbortSignal): Promise<Stored<Secret> | undefined> {
    try {
      return await this.#secret.read(signal);
    } catch (error) {
      // All replicas have the same rights: from now on, none of them can replace the authority.
      if (isForbidden(error) && !this.#isOutdated()) this.#confirmedAt = this.#parts.clock.monotonic();
      throw error;
    }
  }

  #learn(stored: StoredCertificates): void {
    const { serving, authorities } = stored;
    if (serving === undefined || issuerOf(serving, authorities) === undefined) return;
    const isContinued = this.#known?.authorities[0]?.fingerprint === authorities[0]?.fingerprint;
    const remaining = new Set(authorities.map(({ fingerprint }) => fingerprint));
    for (const former of isContinued ? (this.#known?.authorities ?? []) : []) {
      if (!remaining.has(former.fingerprint)) this.#injector.retire(former);
    }
    this.#known = stored;
    if (this.#storedSince?.cert !== serving.cert) {
      this.#storedSince = { cert: serving.cert, at: this.#parts.clock.monotonic() };
    }
  }

  async #plan(stored: StoredCertificates, signal: AbortSignal): Promise<RotationPlan> {
    const { clock, settings } = this.#parts;
    const knowledge: RotationKnowledge = {
      authorities: this.#known?.authorities ?? [],
      serving: this.#serving ?? this.#known?.serving,
      isTrusted: ({ fingerprint }) => this.#hasPassed(this.#trustedSince.get(fingerprint), settings.propagationMs),
      isServedByAll: ({ cert }) =>
        this.#storedSince?.cert === cert && this.#hasPassed(this.#storedSince.at, settings.overlapMs),
    };
    const plan = planRotation(stored, knowledge, clock.now(), this.#rules);
    const [signing] = stored.authorities;
    if (plan.kind !== "issueServing" || signing === undefined || !isIntroduced(stored)) return plan;
    // The watches may be behind, and this write cannot be taken back.
    return (await this.#injector.containsAll(signing, signal)) ? plan : { kind: "keep" };
  }

  #hasPassed(since: number | undefined, durationMs: number): boolean {
    return since !== undefined && this.#parts.clock.monotonic() - since >= durationMs;
  }

  async #contentOf(plan: Exclude<RotationPlan, { readonly kind: "keep" }>): Promise<SecretContent> {
    if (plan.kind === "store") return plan;
    if (plan.kind === "issueServing") {
      const { authorities, authorityKey, names } = plan;
      return { authorities, authorityKey, serving: await this.#issueServing(authorities, authorityKey, names) };
    }
    const { caLifetimeMs } = this.#parts.settings;
    const nowMs = this.#parts.clock.now();
    const authority = await issueAuthority({
      notBeforeMs: nowMs - CLOCK_TOLERANCE_MS,
      notAfterMs: nowMs + caLifetimeMs,
    });
    const authorities = [...parseBundle(authority.cert), ...plan.trusted];
    const serving = plan.serving ?? (await this.#issueServing(authorities, authority.key, this.#names));
    return { authorities, authorityKey: authority.key, serving };
  }

  async #issueServing(
    [authority]: readonly TrustedCertificate[],
    key: string,
    names: ServerNames,
  ): Promise<SelfSignedPair> {
    const nowMs = this.#parts.clock.now();
    const endMs = nowMs + this.#parts.settings.lifetimeMs;
    return await issueServing({ cert: authority?.pem ?? "", key }, names, {
      notBeforeMs: nowMs - CLOCK_TOLERANCE_MS,
      notAfterMs: Math.min(endMs, authority?.notAfterMs ?? endMs),
    });
  }

  #count(plan: RotationPlan): void {
    const { issued } = selfManagedMetrics(this.#parts.registry);
    if (plan.kind === "issueAuthority") issued.inc({ certificate: "ca" });
    const isPairIssued = plan.kind === "issueServing" || (plan.kind === "issueAuthority" && plan.serving === undefined);
    if (isPairIssued) issued.inc({ certificate: "serving" });
  }

  async #inject(authorities: readonly TrustedCertificate[], signal: AbortSignal): Promise<readonly InjectedTarget[]> {
    const readAgain = async (): Promise<readonly TrustedCertificate[]> => {
      const secret = await this.#secret.read(signal);
      const now = readCertificates(secret?.data ?? {}).authorities;
      // A Secret that is damaged at this moment is repaired before anything is taken from it.
      return now.length === 0 ? authorities : now;
    };
    return await this.#injector.inject(authorities, readAgain, signal);
  }

  #noteTrust(authorities: readonly TrustedCertificate[], injected: readonly InjectedTarget[] | undefined): void {
    if (injected === undefined) return;
    const trusted = authorities
      .map(({ fingerprint }) => fingerprint)
      .filter((fingerprint) => injected.every((target) => target.trusted.has(fingerprint)));
    const now = this.#parts.clock.monotonic();
    const since = new Map(trusted.map((fingerprint) => [fingerprint, this.#trustedSince.get(fingerprint) ?? now]));
    this.#trustedSince.clear();
    for (const [fingerprint, at] of since) this.#trustedSince.set(fingerprint, at);
  }

  // A pair that API servers do not trust yet is served only if there is no other.
  #serve(stored: StoredCertificates, injected: readonly InjectedTarget[] | undefined): void {
    const { clock, settings } = this.#parts;
    const { serving } = stored;
    if (serving === undefined) return;
    const issuer = issuerOf(serving, stored.authorities)?.fingerprint;
    const isTrustedYet = issuer === this.#servingIssuer || this.#isTrustedFor(issuer, settings.propagationMs);
    const former = this.#servingIssuer;
    const isFormerTrusted =
      former !== undefined &&
      (stored.authorities.some(({ fingerprint }) => fingerprint === former) ||
        injected?.every(({ trusted }) => trusted.has(former)) === true);
    const canStay = isFormerTrusted && this.#serving !== undefined && isValidAt(this.#serving, clock.now());
    if (isTrustedYet || !canStay) {
      this.#serving = serving;
      this.#servingIssuer = issuer;
    }
    if (this.#serving !== undefined) this.source.use({ cert: this.#serving.cert, key: this.#serving.key });
    const served = this.#servingIssuer ?? "";
    this.#injection = {
      isComplete: injected?.every(({ trusted }) => trusted.has(served)) === true,
      // Without another authority, nothing was trusted before that could be refused now.
      isChanging: stored.authorities.length > 1 || injected?.some(({ hasForeign }) => hasForeign) === true,
    };
  }

  #isTrustedFor(fingerprint: string | undefined, durationMs: number): boolean {
    return this.#hasPassed(this.#trustedSince.get(fingerprint ?? ""), durationMs);
  }

  #measure({ serving, authorities }: StoredCertificates): void {
    const { expiration } = selfManagedMetrics(this.#parts.registry);
    const secret = this.#secret.title;
    const [signing] = authorities;
    if (serving !== undefined) expiration.set({ secret, certificate: "serving" }, serving.notAfterMs / 1000);
    if (signing !== undefined) expiration.set({ secret, certificate: "ca" }, signing.notAfterMs / 1000);
  }

  // The time until the next step is due, at most the interval of the checks.
  #nextDelayMs({ serving, authorities }: StoredCertificates): number {
    const { clock, settings } = this.#parts;
    const { checkIntervalMs, propagationMs, overlapMs, renewBeforeMs, caRenewBeforeMs } = settings;
    const elapsedAt = [
      ...[...this.#trustedSince.values()].map((since) => since + propagationMs),
      ...(this.#storedSince === undefined ? [] : [this.#storedSince.at + overlapMs]),
      ...this.#injector.removals,
    ].map((at) => at - clock.monotonic());
    const dueAt = [
      serving === undefined ? Infinity : serving.notAfterMs - renewBeforeMs,
      ...authorities.slice(0, 1).map(({ notAfterMs }) => notAfterMs - caRenewBeforeMs),
    ].map((at) => at - clock.now());
    return Math.max(1, Math.min(checkIntervalMs, ...[...elapsedAt, ...dueAt].filter((each) => each > 0)));
  }

  #retryDelayMs(failures: number): number {
    const { settings, random = Math.random } = this.#parts;
    const delayMs = Math.min(settings.checkIntervalMs, SHORTEST_RETRY_MS * 2 ** Math.min(failures - 1, 20));
    return delayMs * (0.75 + random() / 4);
  }

  #report(error: unknown): void {
    if (error !== this.#lastFailure) {
      this.#log.error(error, "cannot keep the certificates", { secret: this.#secret.title });
      selfManagedMetrics(this.#parts.registry).errors.inc();
    }
    this.#lastFailure = error;
  }

  async #watchSecret(signal: AbortSignal): Promise<void> {
    const { client, clock, registry, settings, namespace } = this.#parts;
    const scope = { namespace, fieldSelector: `metadata.name=${settings.secretName}` };
    const informer = new SharedInformer<Secret>({
      kind: Secret,
      listWatch: createListWatch(client, Secret, scope),
      clock,
      log: this.#log,
      registry,
      resyncPeriodMs: 0,
    });
    const onChange = (): void => this.#notify();
    informer.addEventHandler({ onAdd: onChange, onUpdate: onChange, onDelete: onChange });
    await informer.run(signal);
  }

  #notify(): void {
    this.#isWoken = true;
    this.#wake();
  }

  // A change ends the pause, except after a failure, so that nothing can make the checks repeat without a delay.
  async #pause(delayMs: number, canBeWoken: boolean, signal: AbortSignal): Promise<void> {
    const isDue = canBeWoken && this.#isWoken;
    this.#isWoken = false;
    if (isDue || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        timer.cancel();
        forget();
        this.#wake = () => undefined;
        resolve();
      };
      const timer = this.#parts.clock.setTimeout(end, delayMs).unref();
      const forget = onAbort(signal, end);
      if (canBeWoken) this.#wake = end;
    });
  }
}

// Whether the pair is signed by another authority than the first.
function isIntroduced({ serving, authorities }: StoredCertificates): boolean {
  return serving !== undefined && issuerOf(serving, authorities.slice(0, 1)) === undefined;
}

function namesOf(settings: SelfManaged, namespace: string): ServerNames {
  const { serviceName, metricsServiceName, dnsNames, ipAddresses } = settings;
  const services = [serviceName, metricsServiceName].flatMap((each) => {
    const host = `${each ?? ""}.${namespace}.svc`;
    return each === undefined ? [] : [host, `${each}.${namespace}`, `${host}.cluster.local`];
  });
  return { dnsNames: [...new Set([...services, ...dnsNames])], ipAddresses: [...new Set(ipAddresses)] };
}
