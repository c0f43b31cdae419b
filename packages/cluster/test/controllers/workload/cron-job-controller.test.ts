import type { CronJob, CronJobStatus, Job } from "@kubescaffold/k8s/batch/v1";
import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { requestsOf, type Requests } from "../../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster, type EmbeddedCluster } from "../../../src/cluster/embedded-cluster.ts";

const CRON_JOBS = "/apis/batch/v1/namespaces/default/cronjobs";
const JOBS = "/apis/batch/v1/namespaces/default/jobs";
const EVENTS = "/api/v1/namespaces/default/events";
/** The minutes from 1970 until the time at which the clock starts. */
const START_MINUTE = Date.UTC(2026, 0, 1) / 60_000;

let clock: FakeClock;
let cluster: EmbeddedCluster;
let admin: Requests;

beforeEach(() => {
  clock = new FakeClock();
  cluster = createEmbeddedCluster({ clock, workloadSimulation: true });
  admin = requestsOf(cluster.config);
  cluster.server.start();
});

afterEach(async () => cluster.close());

/** Creates the CronJob `report`, every minute by default. Its Jobs end at once, or run until a test says how they end. */
async function createCronJob(spec: object = {}, { runs = false }: { readonly runs?: boolean } = {}): Promise<void> {
  const podSpec = {
    restartPolicy: "Never",
    containers: [{ name: "main", image: "worker:1" }],
    ...(runs ? { schedulerName: "manual" } : {}),
  };
  const jobTemplate = {
    metadata: { labels: { app: "report" }, annotations: { team: "a" } },
    spec: { backoffLimit: 0, template: { spec: podSpec } },
  };
  const body = {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { name: "report" },
    spec: { schedule: "* * * * *", jobTemplate, ...spec },
  };
  expect(await admin.post(CRON_JOBS, body)).toMatchObject({ status: 201 });
  await cluster.server.idle();
}

async function statusOf(): Promise<CronJobStatus | undefined> {
  return ((await admin.get(`${CRON_JOBS}/report`)).body as unknown as CronJob).status;
}

async function jobs(): Promise<readonly Job[]> {
  return ((await admin.get(JOBS)).body as unknown as { readonly items: readonly Job[] }).items;
}

async function jobMinutes(): Promise<readonly number[]> {
  return (await jobs()).map(({ metadata }) => Number(metadata.name?.replace("report-", "")) - START_MINUTE);
}

async function advance(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    clock.step(60_000);
    await cluster.server.idle();
  }
}

async function change(spec: object): Promise<void> {
  await admin.patch(`${CRON_JOBS}/report`, { spec });
  await cluster.server.idle();
}

async function eventsOf(): Promise<readonly string[]> {
  const { items } = (await admin.get(`${EVENTS}?fieldSelector=involvedObject.name=report`)).body as {
    readonly items: readonly { readonly reason: string; readonly type: string; readonly message: string }[];
  };
  return items
    .map(({ type, reason, message }) => {
      const relative = message.replace(
        /report-(\d+)/u,
        (_name, minutes) => `report+${String(Number(minutes) - START_MINUTE)}`,
      );
      return `${type} ${reason}: ${relative}`;
    })
    .toSorted();
}

describe("the CronJob controller", () => {
  it("creates a Job at each time of the schedule, and sees it end", async () => {
    await createCronJob({ schedule: "*/2 * * * *" });
    await advance(1);
    expect(await jobs()).toEqual([]);
    await advance(1);
    const [job] = await jobs();
    expect(job?.metadata).toMatchObject({
      name: `report-${String(START_MINUTE + 2)}`,
      labels: { app: "report" },
      annotations: { team: "a", "batch.kubernetes.io/cronjob-scheduled-timestamp": "2026-01-01T00:02:00Z" },
      ownerReferences: [{ apiVersion: "batch/v1", kind: "CronJob", name: "report", controller: true }],
    });
    expect(await statusOf()).toEqual({
      lastScheduleTime: "2026-01-01T00:02:00Z",
      lastSuccessfulTime: "2026-01-01T00:02:00Z",
    });
    await advance(2);
    expect(await jobMinutes()).toEqual([2, 4]);
    expect(await eventsOf()).toEqual([
      "Normal SawCompletedJob: Saw completed job: report+2, condition: Complete",
      "Normal SawCompletedJob: Saw completed job: report+4, condition: Complete",
      "Normal SuccessfulCreate: Created job report+2",
      "Normal SuccessfulCreate: Created job report+4",
    ]);
  });

  it("keeps as many ended Jobs as the history may have", async () => {
    await createCronJob({ successfulJobsHistoryLimit: 2 });
    await advance(4);
    expect(await jobMinutes()).toEqual([3, 4]);
    expect(await eventsOf()).toContain("Normal SuccessfulDelete: Deleted job report+2");
    await change({ successfulJobsHistoryLimit: 0 });
    expect(await jobs()).toEqual([]);
  });

  it.each([
    ["Allow", [1, 2], 2, /SuccessfulCreate: Created job report\+2/u],
    ["Forbid", [1], 1, /JobAlreadyActive: Not starting job because prior execution is running/u],
    ["Replace", [2], 1, /SuccessfulDelete: Deleted job report\+1/u],
  ])("follows the concurrency policy %s", async (concurrencyPolicy, minutes, active, event) => {
    await createCronJob({ concurrencyPolicy }, { runs: true });
    await advance(2);
    expect(await jobMinutes()).toEqual(minutes);
    expect((await statusOf())?.active).toHaveLength(active);
    expect((await eventsOf()).join("\n")).toMatch(event);
  });

  it("starts one Job after a pause, unless its time is too long ago", async () => {
    await createCronJob({ schedule: "0 * * * *", suspend: true });
    clock.step(5 * 3_600_000 + 600_000);
    await cluster.server.idle();
    expect(await jobs()).toEqual([]);
    await change({ suspend: false, startingDeadlineSeconds: 60 });
    expect(await jobs()).toEqual([]);
    await change({ startingDeadlineSeconds: 900 });
    expect(await jobMinutes()).toEqual([300]);
    expect((await eventsOf()).join("\n")).not.toMatch(/TooManyMissedTimes/u);
  });

  it("starts a Job late if its deadline is an integer beyond 2^53", async () => {
    await createCronJob({ schedule: "0 * * * *", suspend: true });
    clock.step(3_600_000 + 600_000);
    await cluster.server.idle();
    await change({ suspend: false, startingDeadlineSeconds: 2n ** 53n + 1n });
    expect(await jobMinutes()).toEqual([60]);
  });

  it("starts the Job in its time zone", async () => {
    await createCronJob({ schedule: "35 5 * * *", timeZone: "Asia/Kolkata" });
    await advance(5);
    const [job] = await jobs();
    expect(job?.metadata.annotations).toMatchObject({
      "batch.kubernetes.io/cronjob-scheduled-timestamp": "2026-01-01T05:35:00+05:30",
    });
  });

  it("takes Jobs that are gone from the list of active ones", async () => {
    await createCronJob({}, { runs: true });
    await advance(1);
    const [active] = (await statusOf())?.active ?? [];
    expect(active).toMatchObject({ apiVersion: "batch/v1", kind: "Job", namespace: "default" });
    await admin.delete(`${JOBS}/${active?.name ?? ""}?propagationPolicy=Background`);
    await cluster.server.idle();
    expect(await statusOf()).toEqual({ lastScheduleTime: "2026-01-01T00:01:00Z" });
    expect(await eventsOf()).toContain("Normal MissingJob: Active job went missing: report+1");
  });

  it("says that a schedule has no times", async () => {
    await createCronJob({ schedule: "0 0 31 2 *" });
    expect(await eventsOf()).toEqual([
      "Warning InvalidSchedule: invalid schedule: 0 0 31 2 * : time difference between two schedules is less than 1 second",
    ]);
  });

  it("deletes its Jobs and their Pods with the CronJob", async () => {
    await createCronJob({}, { runs: true });
    await advance(1);
    await admin.delete(`${CRON_JOBS}/report?propagationPolicy=Background`);
    await cluster.server.idle();
    expect(await jobs()).toEqual([]);
    await advance(2);
    expect(await jobs()).toEqual([]);
    expect((await admin.get("/api/v1/namespaces/default/pods")).body).toMatchObject({ items: [] });
  });
});
