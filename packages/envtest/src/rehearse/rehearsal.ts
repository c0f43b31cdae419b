import { setTimeout as delay } from "node:timers/promises";

import type { ApiServer } from "@kubescaffold/apiserver";
import { gvkOf, ignoreNotFound, StatusError } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { RestState } from "../oracles/compare-states.ts";
import { violationsOf } from "../oracles/oracles.ts";
import { operatorViolations, servedViolations } from "../oracles/upgrade-oracles.ts";
import type { UpgradeOracleName, UpgradeRecord, UpgradeViolation } from "../oracles/upgrade-record.ts";
import { followWrites } from "../verify/operator-requests.ts";
import { SampleObjects } from "../verify/sample-objects.ts";
import { SecretValues } from "../verify/secret-values.ts";
import { WatchedObjects } from "../verify/watched-objects.ts";
import type { InstalledVersion } from "./installed-version.ts";
import { OperatorLeases } from "./operator-leases.ts";
import type { OperatorTrace } from "./operator-trace.ts";
import type { RehearsalCluster } from "./rehearsal-cluster.ts";
import { RehearsalLog } from "./rehearsal-log.ts";
import type { RehearseOptions } from "./rehearse-options.ts";
import type { ServedObjects } from "./served-objects.ts";
import { DEFAULT_SETTLE_MS, settle, type SettleParts } from "./settle.ts";
import { UpgradeObserver } from "./upgrade-observer.ts";

/** What one rehearsal has found. */
export interface RehearsalRecord {
  readonly violations: readonly UpgradeViolation[];
  /** Why nothing could be judged. */
  readonly missing: readonly string[];
  readonly steps: readonly string[];
  /** The end of the output of both versions, without values of Secrets. */
  readonly output: readonly string[];
}

/** What a rehearsal works with. */
export interface RehearsalParts {
  readonly options: RehearseOptions;
  readonly samples: readonly KubernetesObject[];
  readonly cluster: RehearsalCluster;
  readonly former: InstalledVersion;
  readonly present: InstalledVersion;
  readonly served: ServedObjects;
  readonly trace: OperatorTrace;
}

const DEFAULT_OVERLAP_MS = 3000;
const KEPT_LINES = 20;

// What must be as with the former version, also after a rollback: what the new version had added may vanish then.
const LASTING: ReadonlySet<string> = new Set<UpgradeOracleName>(["owner", "label", "selector", "field-manager"]);

/** The steps of an upgrade, a rollback, and another upgrade, and what the oracles find after each. */
export class Rehearsal {
  readonly #parts: RehearsalParts;
  readonly #log: RehearsalLog;
  readonly #secrets = new SecretValues();
  readonly #watched: WatchedObjects;
  readonly #observer: UpgradeObserver;
  readonly #leases = new OperatorLeases();
  readonly #endings: readonly (() => void)[];
  #samples: SampleObjects | undefined;
  /** The number of writes of the operator. */
  #writes = 0;
  #initial: RestState = new Map();
  /** The holders of leases that the manager has which ends next. */
  #leaders: ReadonlySet<string> = new Set();

  constructor(parts: RehearsalParts) {
    this.#parts = parts;
    this.#log = new RehearsalLog(parts.options);
    this.#watched = new WatchedObjects(this.#server, this.#secrets);
    this.#observer = new UpgradeObserver(this.#server, parts.served);
    const users = [...new Set([parts.former.user, parts.present.user])];
    parts.trace.follow(users);
    this.#endings = users.map((user) =>
      followWrites(this.#server, { user }, (write) => {
        this.#leases.note(write);
        if (write.resource !== "leases" && write.resource !== "events") this.#writes += 1;
        this.#watched.add(write);
        this.#observer.note(write, false);
        return undefined;
      }),
    );
  }

  /** Takes all steps, or those until the operator cannot be installed. */
  async run(): Promise<RehearsalRecord> {
    const missing = await this.#settleFormer();
    if (missing.length === 0) await this.#upgrade();
    const { former, present } = this.#parts;
    const output = [former, present].flatMap(({ name, output: text }) =>
      text === "" ? [] : [`${name}:`, ...text.trimEnd().split("\n").slice(-KEPT_LINES)],
    );
    const { violations, steps } = this.#log;
    return this.#secrets.redact({ violations, missing, steps, output });
  }

  /** Ends both managers, and what observes them. */
  async close(): Promise<void> {
    for (const end of this.#endings) end();
    this.#watched.close();
    await Promise.all([this.#parts.former.stop(), this.#parts.present.stop()]);
  }

  get #server(): ApiServer {
    return this.#parts.cluster.embedded.server;
  }

  async #settleFormer(): Promise<readonly string[]> {
    const { former, trace } = this.#parts;
    const step = this.#log.enter(`install ${former.name}`);
    const [refused] = await former.install();
    const failure = refused ?? (await former.start());
    if (failure !== undefined) return [`${former.name} does not start: ${failure}`];
    await this.#route(former);
    await this.#leases.awaitLeader(new Set(), leaderMs(this.#parts.options));
    this.#initial = this.#watched.state();
    try {
      await this.#createSamples();
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return [`the server refuses a sample with ${former.name}: ${error.message}`];
    }
    const { unrest, missing } = await this.#settleFirst(former, { isWriting: true });
    trace.take(this.#server, step);
    return [
      ...(unrest === undefined ? [] : [`${former.name} does not come to rest: ${unrest}`]),
      ...missing.map(({ object, what }) => `${object} does not become ready with ${former.name}: ${what}`),
      ...former.takeExits().map((exit) => `${former.name} exits: ${exit}`),
    ];
  }

  async #upgrade(): Promise<void> {
    const { former, present } = this.#parts;
    const formerly = await this.#observer.record(this.#log.step);
    const leases = this.#leases.holders();

    const isInstalled = await this.#install(present, { oracle: "install", formerly, fields: ["spec", "status"] });
    if (!isInstalled || !(await this.#startBeside(present, { beside: former, formerly }))) return;
    this.#checkElection(leases);
    const upgraded = await this.#stop(former, { by: present, before: formerly, formerly });
    const before = await this.#writeBack(present, upgraded);

    await this.#install(former, { oracle: "rollback", formerly, fields: ["spec"] });
    if (!(await this.#startBeside(former, { beside: present, formerly }))) return;
    const rolledBack = await this.#stop(present, { by: former, before, formerly });

    await this.#install(present, { oracle: "install", formerly, fields: ["spec"] });
    if (!(await this.#startBeside(present, { beside: former, formerly }))) return;
    await this.#stop(former, { by: present, before: rolledBack, formerly });
    await this.#deleteAll(present);
  }

  // The manifests are applied while only the other version runs. Returns whether the server has accepted all of them.
  async #install(
    version: InstalledVersion,
    {
      oracle,
      formerly,
      fields,
    }: {
      readonly oracle: "install" | "rollback";
      readonly formerly: UpgradeRecord;
      readonly fields: readonly string[];
    },
  ): Promise<boolean> {
    const back = oracle === "rollback" ? "roll back: " : "";
    const step = this.#log.enter(`${back}apply the manifests of ${version.name}`);
    const refused = await version.install();
    this.#log.add(
      refused.map((reason) => ({
        oracle,
        step,
        // The message of a Status starts with the kind and the name.
        object: /^\S+ "[^"]*"/u.exec(reason)?.[0] ?? "",
        message: `the server refuses a manifest of ${version.name}: ${reason}`,
      })),
    );
    if (refused.length > 0 && oracle === "install") return false;
    this.#log.add(servedViolations(formerly, await this.#observer.record(step), fields));
    return refused.length === 0;
  }

  // As in a rolling update: the new Pod is ready before the other one ends. Returns whether the manager runs.
  async #startBeside(
    version: InstalledVersion,
    { beside, formerly }: { readonly beside: InstalledVersion; readonly formerly: UpgradeRecord },
  ): Promise<boolean> {
    const step = this.#log.enter(`run ${version.name} beside ${beside.name}`);
    this.#leaders = new Set(this.#leases.holders().values());
    const failure = await version.start();
    if (failure !== undefined) {
      this.#log.add([{ oracle: "exit", step, object: "", message: `${version.name} does not start: ${failure}` }]);
      this.#log.add(this.#parts.trace.take(this.#server, step));
      return false;
    }
    // Half of the requests reach this manager alone.
    await this.#route(version);
    this.#log.add(servedViolations(formerly, await this.#observer.record(step), ["spec"]));
    await this.#route(beside, version);
    await delay(this.#parts.options.overlapMs ?? DEFAULT_OVERLAP_MS);
    const { unrest } = await this.#settle(beside);
    if (unrest !== undefined)
      this.#log.add([{ oracle: "rest", step, object: "", message: `with both versions: ${unrest}` }]);
    return true;
  }

  #checkElection(before: ReadonlyMap<string, string>): void {
    const { former, present } = this.#parts;
    const added = [...this.#leases.holders().keys()].filter((lease) => !before.has(lease));
    const known = [...before.keys()].join(", ");
    if (before.size === 0) return;
    this.#log.add(
      added.map((lease) => ({
        oracle: "election",
        step: this.#log.step,
        object: `leases.coordination.k8s.io ${lease}`,
        message: `${present.name} elects its leader with the lease ${lease}, and ${former.name} with ${known}: both act at once`,
      })),
    );
  }

  async #stop(
    version: InstalledVersion,
    {
      by,
      before,
      formerly,
    }: { readonly by: InstalledVersion; readonly before: UpgradeRecord; readonly formerly: UpgradeRecord },
  ): Promise<UpgradeRecord> {
    const step = this.#log.enter(`stop ${version.name}`);
    await version.stop();
    await this.#route(by);
    await this.#leases.release(this.#parts.cluster.client, this.#leaders);
    const isLed = await this.#leases.awaitLeader(this.#leaders, leaderMs(this.#parts.options));
    const message = `${by.name} does not become the leader after the end of ${version.name}`;
    if (this.#leaders.size > 0 && !isLed) this.#log.add([{ oracle: "election", step, object: "", message }]);
    const { unrest, missing } = await this.#settleFirst(by, { isWriting: false });
    const exits = [...by.takeExits(), ...version.takeExits()];
    const phase = {
      kind: "change",
      step,
      state: this.#watched.state(),
      deletions: [],
      unrest,
      missing,
      exits,
    } as const;
    this.#log.add(violationsOf({ phases: [phase], denied: [], initial: new Map() }));
    const record = await this.#observer.record(step);
    this.#log.add(operatorViolations(before, record).filter(({ oracle }) => !LASTING.has(oracle)));
    this.#log.add(operatorViolations(formerly, record).filter(({ oracle }) => LASTING.has(oracle)));
    this.#log.add(this.#parts.trace.take(this.#server, step));
    return record;
  }

  async #writeBack(present: InstalledVersion, before: UpgradeRecord): Promise<UpgradeRecord> {
    const step = this.#log.enter("write each object in each served version");
    await this.#parts.served.writeBack();
    const { unrest } = await this.#settle(present);
    if (unrest !== undefined) this.#log.add([{ oracle: "rest", step, object: "", message: unrest }]);
    const record = await this.#observer.record(step);
    this.#log.add(servedViolations(before, record, ["spec"]));
    return record;
  }

  async #deleteAll(present: InstalledVersion): Promise<void> {
    const step = this.#log.enter("delete all objects of the user");
    for (const { object } of this.#observer.objectsOfUser().toReversed()) {
      // The version of the sample may be served no more.
      const preferred = this.#server.context.resources.preferred(gvkOf(object));
      const apiVersion =
        preferred === undefined ? object.apiVersion : `${preferred.group}/${preferred.version}`.replace(/^\//u, "");
      await ignoreNotFound(this.#parts.cluster.client.delete({ ...object, apiVersion }));
    }
    const { unrest, missing } = await this.#settle(present, { isDeletion: true });
    const phase = {
      kind: "delete",
      step,
      state: this.#watched.state(),
      deletions: [],
      unrest,
      missing,
      exits: [],
    } as const;
    this.#log.add(violationsOf({ phases: [phase], denied: [], initial: this.#initial }));
    this.#log.add(this.#parts.trace.take(this.#server, step));
  }

  async #createSamples(): Promise<void> {
    const { cluster, samples } = this.#parts;
    this.#samples = new SampleObjects(cluster.client, this.#server, { samples, changes: [] });
    for (const written of await this.#samples.apply({ kind: "create" })) {
      this.#watched.add(written);
      this.#observer.note(written, true);
    }
  }

  async #route(...versions: readonly InstalledVersion[]): Promise<void> {
    await this.#parts.cluster.webhookService.route(versions.flatMap(({ webhookPort }) => webhookPort ?? []));
  }

  // A new leader starts its controllers before it writes: rest before that would be that of its predecessor.
  async #settleFirst(
    version: InstalledVersion,
    { isWriting }: { readonly isWriting: boolean },
  ): ReturnType<typeof settle> {
    const { overlapMs = DEFAULT_OVERLAP_MS, settleMs = DEFAULT_SETTLE_MS } = this.#parts.options;
    const deadline = performance.now() + settleMs;
    for (;;) {
      const settled = await this.#settle(version);
      const count = this.#writes;
      await delay(overlapMs);
      const isAtRest = this.#writes === count && (count > 0 || !isWriting);
      if (isAtRest || settled.unrest !== undefined || performance.now() > deadline) return settled;
    }
  }

  async #settle({ user }: InstalledVersion, { isDeletion = false } = {}): ReturnType<typeof settle> {
    const parts: SettleParts = {
      server: this.#server,
      options: this.#parts.options,
      watches: this.#samples?.watchesOf(user) ?? [],
      objects: () => this.#observer.objectsOfUser(),
      isDeletion,
    };
    return await settle(parts);
  }
}

function leaderMs({ settleMs }: RehearseOptions): number {
  return settleMs ?? DEFAULT_SETTLE_MS;
}
