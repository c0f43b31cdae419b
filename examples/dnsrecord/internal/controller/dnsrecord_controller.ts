import { isDeepStrictEqual } from "node:util";

import { type DeepReadonly, ignoreNotFound } from "@kubescaffold/k8s";
import { Secret } from "@kubescaffold/k8s/core/v1";
import { type Clock, realClock } from "@kubescaffold/platform/clock";
import {
  type Client,
  controllerutil,
  type EventRecorder,
  handler,
  type Manager,
  newControllerManagedBy,
  patch,
  predicate,
  type ReconcileContext,
  type Request,
  type Result,
  wait,
  workqueue,
  type Stored,
} from "@kubescaffold/runtime";

import { DNSRecord, type DNSRecordStatus } from "../../api/v1/dnsrecord_types.ts";
import { type Credentials, type DnsApi, DnsApiPool, type DnsEntry, type NewEntry } from "../dns/dns_api.ts";
import {
  CredentialsError,
  NameTakenError,
  type Outcome,
  outcomeOf,
  reasonOf,
  RESYNC_MS,
  withOutcome,
} from "./dnsrecord_outcome.ts";

/** Blocks the deletion of a DNSRecord until its record was deleted at the DNS API. */
export const FINALIZER = "dns.demo/record";

const SECRET_FIELD = "spec.credentialsSecret";
const BASE_DELAY_MS = 1000;
const MAX_DELAY_MS = 300_000;
const CALL_LIMITS = { callsPerSecond: 10, burst: 20 };

type Changed = "created" | "updated" | "corrected" | "unchanged";

/** DNSRecordReconciler reconciles DNSRecord objects. */
export class DNSRecordReconciler {
  readonly client: Client;
  #clock: Clock = realClock;
  #apis: DnsApiPool = new DnsApiPool(CALL_LIMITS);
  #recorder: EventRecorder | undefined;

  constructor(client: Client) {
    this.client = client;
  }

  // +kubebuilder:rbac:groups=dns.demo,resources=dnsrecords,verbs=get;list;watch;patch
  // +kubebuilder:rbac:groups=dns.demo,resources=dnsrecords/status,verbs=patch
  // +kubebuilder:rbac:groups="",resources=secrets,verbs=get;list;watch
  // +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch

  /** Makes the record at the DNS API equal to the spec, and reports the outcome in the status. */
  async reconcile(request: Request, context: ReconcileContext): Promise<Result> {
    const owner = await ignoreNotFound(this.client.get(DNSRecord, request));
    if (owner === undefined) return {};
    try {
      if (owner.metadata.deletionTimestamp !== undefined) return await this.#finalize(owner, context);
      return await this.#sync(await this.#withFinalizer(owner), context);
    } catch (error) {
      return await this.#fail(owner, error);
    }
  }

  /** Registers the controller with the manager, whose clock determines delays and rate limits. */
  async setupWithManager(mgr: Manager): Promise<void> {
    this.#clock = mgr.getClock();
    this.#apis = new DnsApiPool({ ...CALL_LIMITS, clock: this.#clock });
    this.#recorder = mgr.getEventRecorder("dnsrecord-controller");
    await mgr.getFieldIndexer().indexField(DNSRecord, SECRET_FIELD, ({ spec }) => [spec.credentialsSecret]);
    const bySecret = handler.enqueueRequestsFromMapFunc<Secret>(async ({ metadata }) => {
      const { namespace, name } = metadata;
      const { items } = await mgr.getClient().list(DNSRecord, { namespace, fields: { [SECRET_FIELD]: name } });
      return items.map((record) => ({ namespace, name: record.metadata.name }));
    });
    await newControllerManagedBy(mgr)
      // Without the predicate, the status that a failure writes would start the next attempt at once.
      .for(DNSRecord, { predicates: [predicate.generationChanged] })
      .watches(Secret, bySecret)
      .withOptions({
        maxConcurrentReconciles: 4,
        rateLimiter: workqueue.itemExponentialFailureRateLimiter({
          baseDelayMs: BASE_DELAY_MS,
          maxDelayMs: MAX_DELAY_MS,
        }),
      })
      .named("dnsrecord")
      .complete(this);
  }

  // Precedes the first call: otherwise, a deletion at the wrong moment would leave a record behind.
  async #withFinalizer(owner: DeepReadonly<Stored<DNSRecord>>): Promise<DeepReadonly<Stored<DNSRecord>>> {
    if (controllerutil.containsFinalizer(owner, FINALIZER)) return owner;
    const marked = controllerutil.addFinalizer(owner, FINALIZER);
    return await this.client.patch(marked, patch.mergeFrom(owner, { optimisticLock: true }));
  }

  async #sync(owner: DeepReadonly<Stored<DNSRecord>>, { signal, log }: ReconcileContext): Promise<Result> {
    const { entry, changed } = await this.#apply(owner, await this.#connect(owner, signal));
    if (changed !== "unchanged") {
      log.info("Changed the record", { id: entry.id, changed });
      this.#tell(owner, { type: "Normal", reason: REASONS[changed], note: `${changed} the record ${entry.id}` });
    }
    const message = `the record ${entry.id} is as specified`;
    await this.#report(owner, { status: "True", reason: "Synced", message }, entry.id);
    // Changes at the DNS API cause no event. The jitter spreads the calls of objects that were created together.
    return { requeueAfterMs: wait.jitter(RESYNC_MS, 0.1) };
  }

  async #apply(
    owner: DeepReadonly<Stored<DNSRecord>>,
    api: DnsApi,
  ): Promise<{ readonly entry: DnsEntry; readonly changed: Changed }> {
    const { zone } = owner.spec;
    const desired = entryOf(owner);
    const found = await api.find(zone, desired);
    if (found === undefined) {
      const changed = isAlreadySynced(owner) ? "corrected" : "created";
      return { entry: await api.create(zone, desired), changed };
    }
    if (found.owner !== desired.owner) {
      throw new NameTakenError(
        `the zone has a record ${desired.name} ${desired.type} that does not belong to this object`,
      );
    }
    const { id, ...actual } = found;
    if (isDeepStrictEqual(actual, desired)) return { entry: found, changed: "unchanged" };
    return { entry: await api.update(zone, id, desired), changed: isAlreadySynced(owner) ? "corrected" : "updated" };
  }

  async #finalize(owner: DeepReadonly<Stored<DNSRecord>>, { signal }: ReconcileContext): Promise<Result> {
    if (!controllerutil.containsFinalizer(owner, FINALIZER)) return {};
    if (owner.spec.deletionPolicy !== "Retain") await this.#delete(owner, await this.#connect(owner, signal));
    const released = controllerutil.removeFinalizer(owner, FINALIZER);
    // The cache may still contain a deleted object.
    await ignoreNotFound(this.client.patch(released, patch.mergeFrom(owner, { optimisticLock: true })));
    return {};
  }

  // Looks the record up: the status may lack the ID of a record that was created just before the manager stopped.
  async #delete(owner: DeepReadonly<Stored<DNSRecord>>, api: DnsApi): Promise<void> {
    const { zone } = owner.spec;
    const desired = entryOf(owner);
    const found = await api.find(zone, desired);
    if (found === undefined || found.owner !== desired.owner) return;
    await api.delete(zone, found.id);
    this.#tell(owner, { type: "Normal", reason: "RecordDeleted", note: `deleted the record ${found.id}` });
  }

  async #connect({ metadata, spec }: DeepReadonly<Stored<DNSRecord>>, signal: AbortSignal): Promise<DnsApi> {
    const key = { namespace: metadata.namespace, name: spec.credentialsSecret };
    const secret = await ignoreNotFound(this.client.get(Secret, key));
    if (secret === undefined) throw new CredentialsError(`the Secret ${key.name} does not exist`);
    return this.#apis.connect(credentialsOf(secret), signal);
  }

  async #fail(owner: DeepReadonly<Stored<DNSRecord>>, error: unknown): Promise<Result> {
    const outcome = outcomeOf(error);
    if (outcome?.status !== "False") throw error;
    // One event for each failure, and not for each attempt.
    if (reasonOf(owner) !== outcome.reason) {
      this.#tell(owner, { type: "Warning", reason: outcome.reason, note: outcome.message });
    }
    await this.#report(owner, outcome, owner.status?.recordId);
    switch (outcome.retry.kind) {
      case "after":
        return { requeueAfterMs: outcome.retry.delayMs };
      case "onChange":
        return {};
      case "backoff":
        throw error;
    }
  }

  async #report(owner: DeepReadonly<Stored<DNSRecord>>, outcome: Outcome, recordId: string | undefined): Promise<void> {
    const observedGeneration = outcome.status === "True" ? owner.metadata.generation : owner.status?.observedGeneration;
    const status: DNSRecordStatus = {
      ...(observedGeneration === undefined ? {} : { observedGeneration }),
      ...(recordId === undefined ? {} : { recordId }),
      conditions: withOutcome(owner, outcome, new Date(this.#clock.now())),
    };
    if (isDeepStrictEqual(status, owner.status)) return;
    await ignoreNotFound(this.client.status().patch({ ...owner, status }, patch.mergeFrom(owner)));
  }

  #tell(
    owner: DeepReadonly<Stored<DNSRecord>>,
    event: { readonly type: "Normal" | "Warning"; readonly reason: string; readonly note: string },
  ): void {
    this.#recorder?.event(owner, { ...event, action: "Reconcile" });
  }
}

const REASONS = { created: "RecordCreated", updated: "RecordUpdated", corrected: "DriftCorrected" } as const;

function entryOf({ metadata, spec }: DeepReadonly<Stored<DNSRecord>>): NewEntry {
  const { name, type, values, ttlSeconds = 300 } = spec;
  return { name, type, values, ttlSeconds, owner: metadata.uid ?? "" };
}

// The DNS API had accepted this spec, so another user has changed the record.
function isAlreadySynced({ metadata, status }: DeepReadonly<Stored<DNSRecord>>): boolean {
  return status?.observedGeneration !== undefined && status.observedGeneration === metadata.generation;
}

function credentialsOf({ data, metadata }: DeepReadonly<Stored<Secret>>): Credentials {
  const textOf = (key: "url" | "token"): string => {
    const value = Buffer.from(data?.[key] ?? "", "base64")
      .toString("utf8")
      .trim();
    if (value === "") throw new CredentialsError(`the Secret ${metadata.name} has no key ${key}`);
    return value;
  };
  const url = textOf("url");
  if (!URL.canParse(url)) throw new CredentialsError(`the key url of the Secret ${metadata.name} is not a URL`);
  return { url, token: textOf("token") };
}
