import type { TestManager } from "@kubescaffold/envtest";
import { isForbidden, isNotFound } from "@kubescaffold/k8s";
import { Job } from "@kubescaffold/k8s/batch/v1";
import { Event } from "@kubescaffold/k8s/events/v1";
import { FakeClock } from "@kubescaffold/platform/clock";
import { patch } from "@kubescaffold/runtime";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";

import { CronJob, type CronJobSpec, type CronJobStatus } from "../../api/v1/cronjob_types.ts";
import { CronJobReconciler } from "./cronjob_controller.ts";
import { SCHEDULED_AT } from "./cronjob_jobs.ts";
import { startSuite, type Suite } from "./suite.ts";

const MINUTE_MS = 60_000;

// The manager runs with the permissions of its markers. It and the server use a clock that only the tests advance.
describe("CronJob controller", () => {
  let suite: Suite;
  let manager: TestManager | undefined;
  let clock: FakeClock;
  let count = 0;
  let key = { name: "", namespace: "default" };
  let reconciling: MockInstance<CronJobReconciler["reconcile"]>;

  beforeAll(async () => {
    clock = new FakeClock();
    suite = await startSuite({ backend: "embedded", clock });
  });

  afterAll(() => suite?.stop());

  beforeEach(() => {
    reconciling = vi.spyOn(CronJobReconciler.prototype, "reconcile");
  });

  afterEach(async () => {
    await manager?.stop();
    manager = undefined;
    reconciling.mockRestore();
    await suite.client.delete(await suite.client.get(CronJob, key));
  });

  /** Creates a CronJob that runs every minute, and starts the manager some time later. */
  async function start(spec: Partial<CronJobSpec> = {}, { afterMs = 0 } = {}): Promise<void> {
    count += 1;
    key = { ...key, name: `cron-${String(count)}` };
    await suite.client.create(
      CronJob.create({
        metadata: key,
        spec: {
          schedule: "* * * * *",
          jobTemplate: {
            metadata: { labels: { team: "harbour" }, annotations: { purpose: "test" } },
            spec: {
              // The Job controller of a real control plane ignores these Jobs: the tests set their status.
              managedBy: "cronjob.demo/tests",
              template: { spec: { restartPolicy: "Never", containers: [{ name: "run", image: "busybox" }] } },
            },
          },
          ...spec,
        },
      }),
    );
    await clock.advance(afterMs);
    manager = await suite.startManager(
      async (mgr) => await new CronJobReconciler(mgr.getClient()).setupWithManager(mgr),
    );
    await until(async () => expect((await get()).status?.conditions).toHaveLength(3));
  }

  const until = async (assertion: () => unknown): Promise<void> => await manager?.eventually(assertion);
  const get = async (): Promise<CronJob> => await suite.client.get(CronJob, key);

  /** Returns the Jobs of the CronJob, oldest first. */
  async function jobs(): Promise<Job[]> {
    const { items } = await suite.client.list(Job, { namespace: key.namespace });
    const own = items.filter(({ metadata }) => metadata.ownerReferences?.some(({ name }) => name === key.name));
    return own.toSorted((left, right) => timeOf(left).localeCompare(timeOf(right)));
  }

  const timeOf = ({ metadata }: Job): string => metadata.annotations?.[SCHEDULED_AT] ?? "";
  const times = async (): Promise<string[]> => (await jobs()).map(timeOf);
  const print = (ms: number): string => new Date(ms).toISOString().replace(".000Z", "Z");
  const latestRun = (): string => print(Math.floor(clock.now() / MINUTE_MS) * MINUTE_MS);

  /** Advances the clock to the next run, and returns its time. */
  async function advanceToRun(): Promise<string> {
    // A reconciliation that has not ended would schedule the run after the clock has advanced.
    await until(() => {
      const { calls, settledResults } = reconciling.mock;
      // Jobs of earlier CronJobs are deleted meanwhile.
      const own = settledResults.filter((_, index) => calls[index]?.[0].name === key.name);
      const ended = own.flatMap((each) => (each.type === "fulfilled" ? each.value : []));
      expect(ended.at(-1)).toHaveProperty("requeueAfterMs");
    });
    await clock.advance(MINUTE_MS - (clock.now() % MINUTE_MS));
    return latestRun();
  }

  /** Advances the clock to the next run, and waits until its Job is in the status. */
  async function run(): Promise<string> {
    const time = await advanceToRun();
    await until(async () => expect(await get()).toMatchObject({ status: { lastScheduleTime: time } }));
    return time;
  }

  /** Sets the status of a Job as the Job controller does. */
  async function finish(job: Job | undefined, outcome: "Complete" | "Failed"): Promise<void> {
    if (job === undefined) throw new Error("there is no Job");
    const time = print(clock.now());
    const first = outcome === "Complete" ? "SuccessCriteriaMet" : "FailureTarget";
    const condition = { status: "True", lastProbeTime: time, lastTransitionTime: time } as const;
    const status = {
      startTime: timeOf(job),
      ...(outcome === "Complete" ? { completionTime: time, succeeded: 1 } : { failed: 1 }),
      conditions: [
        { ...condition, type: first },
        { ...condition, type: outcome },
      ],
    } satisfies Job["status"];
    await suite.client.status().patch({ ...job, status }, patch.mergeFrom(job));
  }

  async function change(spec: Partial<CronJobSpec>): Promise<void> {
    const found = await get();
    await suite.client.patch({ ...found, spec: { ...found.spec, ...spec } }, patch.mergeFrom(found));
  }

  const reasons = async (): Promise<Readonly<Record<string, string>>> =>
    Object.fromEntries(
      ((await get()).status?.conditions ?? []).map(({ type, status, reason }) => [type, `${status} ${reason}`]),
    );

  const status = async (): Promise<CronJobStatus> => (await get()).status ?? {};

  const events = async (): Promise<(string | undefined)[]> => {
    const { items } = await suite.client.list(Event, { namespace: key.namespace });
    return items.filter(({ regarding }) => regarding?.name === key.name).map(({ reason }) => reason);
  };

  it("creates a Job at each scheduled time", async () => {
    await start();
    expect(await jobs()).toEqual([]);
    expect(await reasons()).toEqual({
      Available: "True Scheduled",
      Progressing: "False NoActiveJobs",
      Degraded: "False AsExpected",
    });
    const first = await run();
    const [job] = await jobs();
    const owner = await get();
    expect(job).toMatchObject({
      metadata: {
        name: `${key.name}-${String(Date.parse(first) / 1000)}`,
        labels: { team: "harbour" },
        annotations: { purpose: "test", [SCHEDULED_AT]: first },
        ownerReferences: [{ kind: "CronJob", uid: owner.metadata.uid, controller: true }],
      },
      spec: { template: { spec: { containers: [{ image: "busybox" }] } } },
    });
    expect(owner.status).toMatchObject({ active: [{ kind: "Job", name: job?.metadata.name, uid: job?.metadata.uid }] });
    expect(await reasons()).toMatchObject({ Progressing: "True ActiveJobs" });
    const second = await run();
    expect(await times()).toEqual([first, second]);
    await until(async () => expect(await events()).toContain("JobCreated"));
  });

  it("removes finished Jobs from the status, and reports a failure", async () => {
    await start();
    await run();
    const [first] = await jobs();
    await finish(first, "Failed");
    await until(async () => expect(await reasons()).toMatchObject({ Degraded: "True JobFailed" }));
    expect(await status()).not.toHaveProperty("active");
    await run();
    const [, second] = await jobs();
    await finish(second, "Complete");
    await until(async () =>
      expect(await reasons()).toEqual({
        Available: "True Scheduled",
        Progressing: "False NoActiveJobs",
        Degraded: "False AsExpected",
      }),
    );
  });

  it("runs Jobs at the same time by default, and with the policy Allow", async () => {
    await start({ concurrencyPolicy: "Allow" });
    await run();
    await run();
    await until(async () => expect((await status()).active).toHaveLength(2));
  });

  it("does not start a Job while another is active with the policy Forbid", async () => {
    await start({ concurrencyPolicy: "Forbid" });
    const first = await run();
    const second = await advanceToRun();
    await until(async () => expect(await events()).toContain("JobAlreadyActive"));
    expect(await times()).toEqual([first]);
    await finish((await jobs())[0], "Complete");
    await until(async () => expect(await times()).toEqual([first, second]));
  });

  it("deletes the active Job before it starts another with the policy Replace", async () => {
    await start({ concurrencyPolicy: "Replace" });
    await run();
    const second = await run();
    await until(async () => expect(await times()).toEqual([second]));
    await until(async () => expect(await events()).toContain("JobReplaced"));
  });

  it("starts no Jobs while it is suspended, and then the latest missed run", async () => {
    await start({ suspend: true }, { afterMs: 10 * MINUTE_MS });
    expect(await reasons()).toMatchObject({ Available: "False Suspended" });
    expect(await jobs()).toEqual([]);
    await change({ suspend: false });
    await until(async () => expect(await times()).toEqual([latestRun()]));
    expect(await reasons()).toMatchObject({ Available: "True Scheduled" });
  });

  it("starts only the latest of several missed runs", async () => {
    await start({}, { afterMs: 30 * MINUTE_MS });
    await until(async () => expect((await status()).lastScheduleTime).toBe(latestRun()));
    expect(await times()).toEqual([latestRun()]);
  });

  it("skips a run whose starting deadline has passed", async () => {
    await start({ schedule: "0 0 1 1 *", startingDeadlineSeconds: 60 }, { afterMs: 400 * 24 * 60 * MINUTE_MS });
    expect(await jobs()).toEqual([]);
    expect(await status()).not.toHaveProperty("lastScheduleTime");
    expect(await reasons()).toMatchObject({ Available: "True Scheduled", Degraded: "False AsExpected" });
  });

  it("starts a missed run before its starting deadline", async () => {
    await start({ startingDeadlineSeconds: 120 }, { afterMs: 30 * MINUTE_MS });
    await until(async () => expect(await times()).toEqual([latestRun()]));
  });

  it("does not start any of too many missed runs until a deadline is set", async () => {
    await start({}, { afterMs: 200 * MINUTE_MS });
    expect(await reasons()).toMatchObject({
      Available: "False TooManyMissedRuns",
      Degraded: "True TooManyMissedRuns",
    });
    await until(async () => expect(await events()).toContain("TooManyMissedRuns"));
    expect(await jobs()).toEqual([]);
    await change({ startingDeadlineSeconds: 120 });
    await until(async () => expect(await times()).toEqual([latestRun()]));
    expect(await reasons()).toMatchObject({ Available: "True Scheduled", Degraded: "False AsExpected" });
  });

  it("reports an invalid schedule, and recovers", async () => {
    await start({ schedule: "every minute" });
    expect(await reasons()).toMatchObject({ Available: "False InvalidSchedule", Degraded: "True InvalidSchedule" });
    await until(async () => expect(await events()).toContain("InvalidSchedule"));
    await change({ schedule: "* * * * *" });
    await until(async () => expect(await reasons()).toMatchObject({ Available: "True Scheduled" }));
    await run();
  });

  it("reports a schedule without further runs", async () => {
    await start({ schedule: "0 0 31 2 *" });
    expect(await reasons()).toMatchObject({ Available: "False NoFurtherRuns" });
  });

  it("keeps as many finished Jobs as the history limits allow", async () => {
    await start({ successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 2 });
    const runs: string[] = [];
    for (const outcome of ["Failed", "Complete", "Failed", "Complete", "Failed"] as const) {
      runs.push(await run());
      await finish((await jobs()).at(-1), outcome);
    }
    await until(async () => expect(await times()).toEqual([runs[2], runs[3], runs[4]]));
    await until(async () => expect(await events()).toContain("JobExpired"));
  });

  it("does not repeat a run whose Job was deleted", async () => {
    await start({ successfulJobsHistoryLimit: 0 });
    const time = await run();
    await finish((await jobs())[0], "Complete");
    await until(async () => expect(await jobs()).toEqual([]));
    // A change of the CronJob lets the controller reconcile it again.
    await change({ failedJobsHistoryLimit: 0 });
    const { metadata } = await get();
    await until(async () => expect((await status()).conditions?.[0]?.observedGeneration).toBe(metadata.generation));
    expect(await jobs()).toEqual([]);
    expect((await status()).lastScheduleTime).toBe(time);
  });

  it("ignores Jobs of others, and of a deleted CronJob with the same name", async () => {
    await start();
    const owner = { apiVersion: "batch.demo/v1", kind: "CronJob", name: key.name, controller: true };
    const metadata = { namespace: key.namespace, annotations: { [SCHEDULED_AT]: print(clock.now() + MINUTE_MS) } };
    const spec = (await get()).spec.jobTemplate.spec!;
    await suite.client.create(Job.create({ metadata: { ...metadata, name: `${key.name}-other` }, spec }));
    await suite.client.create(
      Job.create({
        metadata: { ...metadata, name: `${key.name}-former`, ownerReferences: [{ ...owner, uid: "former" }] },
        spec,
      }),
    );
    const time = await run();
    expect((await status()).active).toHaveLength(1);
    expect(await times()).toContain(time);
  });

  it("has no unused permissions", async () => {
    await start();
    const client = manager!.client;
    const found = await get();
    await expect(client.delete(found)).rejects.toSatisfy(isForbidden);
    await expect(client.update(found)).rejects.toSatisfy(isForbidden);
    const job = Job.create({ metadata: { ...key, name: "none" } });
    await expect(client.update(job)).rejects.toSatisfy(isForbidden);
    await expect(client.delete(job)).rejects.toSatisfy(isNotFound);
  });
});
