import { ignoreNotFound } from "@kubescaffold/k8s";
import { Job } from "@kubescaffold/k8s/batch/v1";
import { patch, type Stored } from "@kubescaffold/runtime";

import { CronJob } from "../../../../../examples/cronjob/api/v1/cronjob_types.ts";
import { CronJobReconciler } from "../../../../../examples/cronjob/internal/controller/cronjob_controller.ts";
import { byState, DEFAULT_LIMITS } from "../../../../../examples/cronjob/internal/controller/cronjob_jobs.ts";
import { type CreateExample, DesiredObjects, differences, mapValues, NAMESPACE, type Surroundings } from "./example.ts";

const NAMES = ["a", "b", "c", "d"];
const POLICIES = ["Allow", "Forbid", "Replace"] as const;
const LATE_MS = 150_000;

/** The example cronjob. A minute lasts three seconds. */
export const createCronJob: CreateExample = (surroundings) => {
  const { client, clock, random } = surroundings;
  const uids = new Map<string, Set<string>>();
  const desired = new DesiredObjects(surroundings, {
    kind: CronJob,
    names: NAMES,
    create: (name) =>
      CronJob.create({
        metadata: { namespace: NAMESPACE, name },
        spec: {
          schedule: "* * * * *",
          concurrencyPolicy: POLICIES[Math.floor(random() * POLICIES.length)] ?? "Allow",
          suspend: random() < 0.1,
          successfulJobsHistoryLimit: Math.floor(random() * 3),
          jobTemplate: {
            spec: {
              // The Job controller of a real control plane ignores these Jobs: the user sets their status.
              managedBy: "chaos.example.com/user",
              template: { spec: { restartPolicy: "Never", containers: [{ name: "run", image: "busybox" }] } },
            },
          },
        },
      }),
  });
  const jobs = async (): Promise<readonly Stored<Job>[]> => {
    const { items } = await client.list(Job, { namespace: NAMESPACE });
    for (const { metadata } of items) {
      const owner = metadata.ownerReferences?.[0]?.uid ?? "";
      const run = `${metadata.name ?? ""} of ${owner}`;
      uids.set(run, (uids.get(run) ?? new Set()).add(metadata.uid ?? ""));
    }
    return items;
  };
  return {
    name: "cronjob",
    // A run at a later time would be the last until that time.
    without: ["jumpClock"],
    setup: (mgr) => new CronJobReconciler(mgr.getClient()).setupWithManager(mgr),
    act: async () => (random() < 0.3 ? await desired.act() : await finishOne(surroundings, await jobs())),
    violations: async () => {
      const all = await jobs();
      const repeated = [...uids].filter(([, { size }]) => size > 1).map(([run]) => `run ${run} has started twice`);
      const found = await desired.found();
      return [
        ...repeated,
        ...differences("object", mapValues(found, policyOf), mapValues(desired.objects, policyOf)),
        ...all
          .filter((job) => ownerOf(job, found) === undefined)
          .map(({ metadata }) => `${metadata.name ?? ""} is left`),
        ...[...found.values()].flatMap((owner) =>
          ownerViolations(
            owner,
            all.filter((job) => ownerOf(job, found) === owner),
            clock.now(),
          ),
        ),
      ];
    },
  };
};

function ownerViolations(owner: CronJob, jobs: readonly Stored<Job>[], now: number): readonly string[] {
  const { active, failed, successful } = byState(jobs);
  const { name = "" } = owner.metadata;
  const { status, spec } = owner;
  const uidsOf = (items: readonly { readonly uid?: string }[]): readonly string[] =>
    items.map(({ uid }) => uid ?? "").toSorted();
  const [reported, existing] = [uidsOf(status?.active ?? []), uidsOf(active.map(({ metadata }) => metadata))];
  const lastRun = Date.parse(status?.lastScheduleTime ?? owner.metadata.creationTimestamp ?? "");
  // A run may wait for an active Job.
  const isExpected = spec.suspend !== true && !(spec.concurrencyPolicy === "Forbid" && active.length > 0);
  const problems = [
    ...(reported.join() === existing.join() ? [] : ["reports other active Jobs"]),
    ...(successful.length > (spec.successfulJobsHistoryLimit ?? 0) ? ["has too many successful Jobs"] : []),
    ...(failed.length > DEFAULT_LIMITS.failed ? ["has too many failed Jobs"] : []),
    ...(isExpected && now - lastRun > LATE_MS ? ["has not started its last run"] : []),
  ];
  return problems.map((problem) => `${name} ${problem}`);
}

function policyOf({ spec }: CronJob): unknown {
  return [spec.concurrencyPolicy, spec.suspend, spec.successfulJobsHistoryLimit];
}

function ownerOf({ metadata }: Job, owners: ReadonlyMap<string, CronJob>): CronJob | undefined {
  const uid = metadata.ownerReferences?.[0]?.uid;
  return [...owners.values()].find((owner) => owner.metadata.uid === uid);
}

async function finishOne({ client, clock, random }: Surroundings, jobs: readonly Stored<Job>[]): Promise<void> {
  const { active } = byState(jobs);
  const job = active[Math.floor(random() * active.length)];
  if (job === undefined) return;
  const time = new Date(clock.now()).toISOString().replace(/\.\d+Z$/u, "Z");
  const isSuccess = random() < 0.7;
  const condition = { status: "True", lastProbeTime: time, lastTransitionTime: time } as const;
  const status = {
    startTime: time,
    ...(isSuccess ? { completionTime: time, succeeded: 1 } : { failed: 1 }),
    conditions: [
      { ...condition, type: isSuccess ? "SuccessCriteriaMet" : "FailureTarget" },
      { ...condition, type: isSuccess ? "Complete" : "Failed" },
    ],
  } satisfies Job["status"];
  await ignoreNotFound(client.status().patch({ ...job, status }, patch.mergeFrom(job)));
}
