import { checkAdmission } from "@kubescaffold/envtest";
import { isInvalid } from "@kubescaffold/k8s";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { CronJob, type CronJobSpec } from "../../../api/v1/cronjob_types.ts";
import { CronJobSchema } from "../../../api/v1/zz_generated.schema.ts";
import { setupCronJobWebhookWithManager } from "./cronjob_webhook.ts";
import { ENVIRONMENT, startWebhookSuite, type WebhookSuite } from "./webhook_suite.ts";

const JOB_TEMPLATE: CronJobSpec["jobTemplate"] = {
  metadata: { labels: { team: "harbour" } },
  spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "run", image: "busybox:1.37" }] } } },
};

function cronJob(name: string, spec: Partial<CronJobSpec> = {}): CronJob {
  return CronJob.create({
    metadata: { name, namespace: "default" },
    spec: { schedule: "*/5 * * * *", jobTemplate: JOB_TEMPLATE, ...spec },
  });
}

// Runs the checks of the API server before admission, without a server.
describe("the schema of CronJob", () => {
  it("admits a CronJob", () => {
    expect(CronJobSchema.validate(cronJob("right"))).toEqual([]);
  });

  it.each([
    [{ schedule: "" }, "spec.schedule"],
    [{ startingDeadlineSeconds: -1 }, "spec.startingDeadlineSeconds"],
    [{ successfulJobsHistoryLimit: -1 }, "spec.successfulJobsHistoryLimit"],
    [{ failedJobsHistoryLimit: -1 }, "spec.failedJobsHistoryLimit"],
    [{ concurrencyPolicy: "Sometimes" as "Allow" }, "spec.concurrencyPolicy"],
  ])("refuses %j", (spec, field) => {
    // A server that refuses a value does not check rules, and says so in a second cause.
    expect(CronJobSchema.validate(cronJob("wrong", spec))[0]).toMatchObject({ field });
  });
});

describe("CronJob webhook", () => {
  let suite: WebhookSuite;

  beforeAll(async () => {
    suite = await startWebhookSuite();
  });

  afterAll(() => suite?.stop());

  // The +kubebuilder:webhook markers determine when the API server calls the webhooks; the decision does not matter here.
  it("is called by the API server when an object is created or updated", async () => {
    const asked = await checkAdmission({
      environment: ENVIRONMENT,
      setup: setupCronJobWebhookWithManager,
      object: cronJob("asked"),
    });
    expect(asked).not.toEqual({});
  });

  it("sets the defaults, and keeps the labels of the template", async () => {
    const { spec } = await suite.client.create(cronJob("defaulted"));
    expect(spec).toMatchObject({
      concurrencyPolicy: "Allow",
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
      jobTemplate: { metadata: { labels: { team: "harbour" } } },
    });
  });

  it("keeps values that are set", async () => {
    const set = {
      concurrencyPolicy: "Replace",
      suspend: true,
      successfulJobsHistoryLimit: 0,
      failedJobsHistoryLimit: 0,
    } as const;
    const { spec } = await suite.client.create(cronJob("set", set));
    expect(spec).toMatchObject(set);
  });

  it.each(["nope", "61 * * * *", "* * * * * *", "2026-01-01T00:00:00"])("refuses the schedule %j", async (schedule) => {
    const refusal = suite.client.create(cronJob("refused", { schedule }));
    await expect(refusal).rejects.toSatisfy(isInvalid);
    await expect(refusal).rejects.toThrow(/spec\.schedule: Invalid value: ".+": /u);
  });

  it("refuses an update to an invalid schedule", async () => {
    const created = await suite.client.create(cronJob("changing"));
    const change = suite.client.update({ ...created, spec: { ...created.spec, schedule: "nope" } });
    await expect(change).rejects.toSatisfy(isInvalid);
  });

  it("refuses a name that is too long for its Jobs", async () => {
    await expect(suite.client.create(cronJob("a".repeat(52)))).resolves.toMatchObject({ kind: "CronJob" });
    await expect(suite.client.create(cronJob("a".repeat(53)))).rejects.toThrow(
      /metadata\.name: Invalid value: "a+": /u,
    );
  });

  it("reports both errors of an object at once", async () => {
    const refusal = suite.client.create(cronJob("b".repeat(53), { schedule: "nope" }));
    await expect(refusal).rejects.toThrow(/metadata\.name.+spec\.schedule/u);
  });
});
