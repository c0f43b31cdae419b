import { isConflict, isNotFound } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { Clock } from "@kubescaffold/platform/clock";

import { createListWatch } from "../cache/list-watch.ts";
import { SharedInformer } from "../cache/shared-informer.ts";
import type { LiveClient, UnstructuredObject } from "../client/client.ts";
import type { Logger } from "../log/logger.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";
import { CertificateInjectorError, CertificateWritesError } from "./errors.ts";
import {
  bundleConfiguration,
  type BundlePlace,
  bundlePlaces,
  type InjectionServer,
  type InjectionTarget,
} from "./injection-targets.ts";
import { bundleOf, isValidAt, parseBundle, type TrustedCertificate } from "./stored-certificates.ts";
import type { WriteWindow } from "./write-window.ts";

/** Options of a {@link BundleInjector}. */
export interface BundleInjectorOptions {
  readonly client: LiveClient;
  readonly targets: readonly InjectionTarget[];
  readonly server: InjectionServer;
  readonly fieldOwner: string;
  /** Milliseconds for which the authorities of others stay in a bundle. */
  readonly overlapMs: number;
  readonly writes: WriteWindow;
  readonly clock: Clock;
  readonly log: Logger;
  readonly registry: MetricsRegistry;
  /** Called when an object may have changed. */
  readonly onChange: () => void;
  /** Called after each write. */
  readonly onInjected: () => void;
}

/** What the bundles of an object contain. */
export interface InjectedTarget {
  /** The fingerprints that all bundles of the object contain. */
  readonly trusted: ReadonlySet<string>;
  /** Whether a bundle contains certificates of others, for a while. */
  readonly hasForeign: boolean;
}

const MOST_ATTEMPTS = 5;
const MOST_FOREIGN = 8;
const OTHER_INJECTOR = /^cert-manager\.io\/inject-(?:apiserver-ca|ca-from(?:-secret)?)$/u;

/** Writes the authorities into the bundles of objects, and watches that they stay there. */
export class BundleInjector {
  readonly #options: BundleInjectorOptions;
  readonly #informers = new Map<InjectionTarget, SharedInformer<UnstructuredObject>>();
  // The authorities of others in each object, by fingerprint, with the time at which they were seen first.
  readonly #foreignSince = new Map<InjectionTarget, ReadonlyMap<string, number>>();
  readonly #retired = new Set<string>();

  constructor(options: BundleInjectorOptions) {
    this.#options = options;
  }

  /** Removes an authority from bundles from now on, since nothing that it signed is served any more. */
  retire({ fingerprint }: TrustedCertificate): void {
    this.#retired.add(fingerprint);
  }

  /** The times, on the clock's monotonic scale, at which authorities of others are due to be removed. */
  get removals(): readonly number[] {
    const { overlapMs } = this.#options;
    return [...this.#foreignSince.values()].flatMap((since) => [...since.values()].map((at) => at + overlapMs));
  }

  /** Watches the objects until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { client, clock, log, registry, onChange } = this.#options;
    const running = this.#options.targets.map(async (target) => {
      const informer = new SharedInformer<UnstructuredObject>({
        kind: target.gvk,
        listWatch: createListWatch(client, target.gvk, { fieldSelector: `metadata.name=${target.name}` }),
        clock,
        log,
        registry,
        resyncPeriodMs: 0,
        transform: withoutOtherFields,
      });
      informer.addEventHandler({ onAdd: onChange, onUpdate: onChange, onDelete: onChange });
      this.#informers.set(target, informer);
      await informer.run(signal);
    });
    await Promise.all(running);
  }

  /**
   * Writes the authorities into all objects that lack them, and returns what each existing object contains then.
   *
   * Guarantees: a bundle is only replaced by one that was read later than it was written, so that a process that is behind does not undo the work of another.
   *
   * Fails: with the first failure, after all objects were tried.
   */
  async inject(
    authorities: readonly TrustedCertificate[],
    readAuthorities: () => Promise<readonly TrustedCertificate[]>,
    signal: AbortSignal,
  ): Promise<readonly InjectedTarget[]> {
    const results = await Promise.allSettled(
      this.#options.targets.map(async (target) => {
        const cached = this.#cached(target);
        const isDone = cached !== undefined && this.#missing(target, cached, authorities) === undefined;
        return isDone ? this.#contents(target, cached) : await this.#ensure(target, readAuthorities, signal);
      }),
    );
    const failed = results.find((each) => each.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    return results.flatMap((each) => (each.status === "fulfilled" && each.value !== undefined ? [each.value] : []));
  }

  /** Reports whether the bundles of all existing objects on the server contain a certificate. */
  async containsAll(authority: TrustedCertificate, signal: AbortSignal): Promise<boolean> {
    const objects = await Promise.all(
      this.#options.targets.map(async (target) => [target, await this.#read(target, signal)] as const),
    );
    return objects.every(
      ([target, object]) =>
        object === undefined || (this.#contents(target, object)?.trusted.has(authority.fingerprint) ?? true),
    );
  }

  #cached(target: InjectionTarget): UnstructuredObject | undefined {
    const informer = this.#informers.get(target);
    if (informer?.hasSynced() !== true) return undefined;
    return informer.lister.get({ namespace: "", name: target.name }) as UnstructuredObject | undefined;
  }

  async #read({ gvk, name }: InjectionTarget, signal: AbortSignal): Promise<UnstructuredObject | undefined> {
    try {
      const object = await this.#options.client.get(gvk, { name }, { signal });
      return object;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #ensure(
    target: InjectionTarget,
    readAuthorities: () => Promise<readonly TrustedCertificate[]>,
    signal: AbortSignal,
  ): Promise<InjectedTarget | undefined> {
    const { client, fieldOwner, writes, log, onInjected } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      const object = await this.#read(target, signal);
      if (object === undefined || object.metadata.deletionTimestamp !== undefined) return undefined;
      const bundles = this.#missing(target, object, await readAuthorities());
      if (bundles === undefined) return this.#contents(target, object);
      const annotation = Object.keys(object.metadata.annotations ?? {}).find((each) => OTHER_INJECTOR.test(each));
      if (annotation !== undefined) {
        // What the other injector writes is in use for as long as it is at work.
        this.#foreignSince.delete(target);
        throw new CertificateInjectorError(target.title, annotation);
      }
      if (!writes.admit(target.title)) throw new CertificateWritesError(`the caBundle of ${target.title}`);
      try {
        const configuration = bundleConfiguration(object, bundles);
        const injected = await client.apply(configuration, { fieldOwner, forceOwnership: true, signal });
        log.info("wrote the caBundle", { object: target.title });
        onInjected();
        return this.#contents(target, injected);
      } catch (error) {
        if (!isConflict(error) || attempt === MOST_ATTEMPTS) throw error;
      }
    }
  }

  // The bundles to write; undefined if the object has them already.
  #missing(
    target: InjectionTarget,
    object: UnstructuredObject,
    authorities: readonly TrustedCertificate[],
  ): readonly BundlePlace[] | undefined {
    const places = bundlePlaces(object, this.#options.server);
    const foreign = places.map(({ caBundle }) => this.#foreign(caBundle, authorities));
    const since = this.#note(target, foreign.flat());
    const { clock, overlapMs } = this.#options;
    const isKept = ({ fingerprint }: TrustedCertificate): boolean =>
      clock.monotonic() - (since.get(fingerprint) ?? 0) < overlapMs;
    const wanted = places.map(({ name }, index) => {
      const bundle = bundleOf([...authorities, ...(foreign[index] ?? []).filter(isKept)]);
      return { name, caBundle: Buffer.from(bundle).toString("base64") };
    });
    return wanted.every((each, index) => each.caBundle === places[index]?.caBundle) ? undefined : wanted;
  }

  // Another issuer may be at work still: what it signed is accepted until its servers had the time to end.
  #foreign(caBundle: string, authorities: readonly TrustedCertificate[]): readonly TrustedCertificate[] {
    const nowMs = this.#options.clock.now();
    const own = new Set([...this.#retired, ...authorities.map(({ fingerprint }) => fingerprint)]);
    const others = parseBundle(textOf(caBundle)).filter((each) => !own.has(each.fingerprint));
    return others.filter((each) => isValidAt(each, nowMs)).slice(0, MOST_FOREIGN);
  }

  #note(target: InjectionTarget, foreign: readonly TrustedCertificate[]): ReadonlyMap<string, number> {
    const former = this.#foreignSince.get(target);
    const now = this.#options.clock.monotonic();
    const since = new Map(foreign.map(({ fingerprint }) => [fingerprint, former?.get(fingerprint) ?? now]));
    this.#foreignSince.set(target, since);
    return since;
  }

  #contents(target: InjectionTarget, object: UnstructuredObject): InjectedTarget | undefined {
    const bundles = bundlePlaces(object, this.#options.server).map(({ caBundle }) => parseBundle(textOf(caBundle)));
    const [first, ...rest] = bundles;
    if (first === undefined) return undefined;
    const inAll = first.filter(({ fingerprint }) =>
      rest.every((bundle) => bundle.some((each) => each.fingerprint === fingerprint)),
    );
    const foreign = this.#foreignSince.get(target);
    return {
      trusted: new Set(inAll.map(({ fingerprint }) => fingerprint)),
      hasForeign: bundles.flat().some(({ fingerprint }) => foreign?.has(fingerprint) === true),
    };
  }
}

function textOf(caBundle: string): string {
  return Buffer.from(caBundle, "base64").toString("utf8");
}

// A definition with its schemas can have a megabyte, of which only the bundle matters.
function withoutOtherFields(object: KubernetesObject): KubernetesObject {
  const { apiVersion, kind, metadata, webhooks, spec } = object as UnstructuredObject;
  const { managedFields: _, annotations: __, ...rest } = metadata;
  const { conversion, service, caBundle } = (spec ?? {}) as Readonly<Record<string, unknown>>;
  return { apiVersion, kind, metadata: rest, webhooks, spec: { conversion, service, caBundle } } as UnstructuredObject;
}
