import { describe, expect, it } from "vitest";

import { planWebhook, type WebhookRequest } from "../../../src/project/plans/plan-webhook.ts";
import { type ProjectConfig, withResource } from "../../../src/project/project-config.ts";

const GUESTBOOK = {
  api: { crdVersion: "v1" },
  domain: "demo",
  group: "webapp",
  kind: "Guestbook",
  path: "p/api/v1",
  version: "v1",
};
const PROJECT: ProjectConfig = { domain: "demo", layout: [], repo: "p", resources: [GUESTBOOK], version: "3" };
const REQUEST: WebhookRequest = {
  group: "webapp",
  version: "v1",
  kind: "Guestbook",
  defaulting: true,
  validation: false,
  conversion: false,
  spokes: [],
  force: false,
};

describe("planning webhooks", () => {
  it("adds the requested types to the existing ones", () => {
    const first = planWebhook(PROJECT, REQUEST);
    expect(first.webhooks).toEqual({ defaulting: true, webhookVersion: "v1" });
    const second = planWebhook(withResource(PROJECT, first), { ...REQUEST, defaulting: false, validation: true });
    expect(second.webhooks).toEqual({ defaulting: true, validation: true, webhookVersion: "v1" });
  });

  it("keeps the other type when one is forced", () => {
    const both = planWebhook(PROJECT, { ...REQUEST, validation: true });
    expect(planWebhook(withResource(PROJECT, both), { ...REQUEST, force: true }).webhooks).toEqual(both.webhooks);
  });

  it("gives webhooks that have the names of others their own names when they are forced", () => {
    const both = { defaulting: true, validation: true };
    const other = { ...GUESTBOOK, group: "crew", webhooks: both };
    const project = { ...PROJECT, multigroup: true, resources: [other, { ...GUESTBOOK, webhooks: both }] };
    expect(planWebhook(project, { ...REQUEST, force: true }).webhooks).toEqual({
      ...both,
      defaultingName: "mguestbook-v1.webapp.demo.kb.io",
      validationName: "vguestbook-v1.webapp.demo.kb.io",
      webhookVersion: "v1",
    });
  });

  it("takes kinds of Kubernetes without an entry", () => {
    expect(planWebhook(PROJECT, { ...REQUEST, group: "core", kind: "Pod" })).toEqual({
      core: true,
      group: "core",
      kind: "Pod",
      path: "@kubescaffold/k8s/core/v1",
      version: "v1",
      webhooks: { defaulting: true, webhookVersion: "v1" },
    });
    expect(planWebhook(PROJECT, { ...REQUEST, group: "apps", kind: "Deployment" })).toMatchObject({
      core: true,
      group: "apps",
    });
  });

  it("refuses to write none and names the flags", () => {
    expect(() => planWebhook(PROJECT, { ...REQUEST, defaulting: false })).toThrow(
      "at least one of --defaulting, --programmatic-validation and --conversion",
    );
  });

  it("refuses spokes without a conversion before anything else", () => {
    expect(() => planWebhook(PROJECT, { ...REQUEST, defaulting: false, spokes: ["v2"] })).toThrow(
      "cannot use --spoke: it needs --conversion",
    );
  });

  it("refuses a kind that the project does not have and says what to run first", () => {
    expect(() => planWebhook(PROJECT, { ...REQUEST, kind: "Captain" })).toThrow(
      expect.objectContaining({
        code: "PROJECT_RESOURCE_NOT_FOUND",
        hint: "the group has Guestbook v1; for another kind, run `npx scaffold create api --group webapp --version v1 --kind Captain` first, or set the module of its types with --external-api-path",
      }),
    );
  });

  it("refuses a type that is there, unless it is forced", () => {
    const project = withResource(PROJECT, planWebhook(PROJECT, REQUEST));
    expect(() => planWebhook(project, { ...REQUEST, validation: true })).toThrow(
      expect.objectContaining({
        code: "PROJECT_RESOURCE_CONFLICT",
        message: expect.stringContaining("a defaulting webhook already exists"),
      }),
    );
  });
});
