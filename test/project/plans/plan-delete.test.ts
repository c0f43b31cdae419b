import { describe, expect, it } from "vitest";

import { planDeleteApi, planDeleteWebhook, withoutResource } from "../../../src/project/plans/plan-delete.ts";
import type { ProjectConfig, ProjectResource } from "../../../src/project/project-config.ts";

const GVK = { group: "crew", version: "v1", kind: "Captain" };
const CAPTAIN: ProjectResource = { ...GVK, api: {}, controllers: [{ name: "captain" }, { name: "backup" }] };
const PROJECT: ProjectConfig = { layout: [], version: "3", resources: [CAPTAIN] };

const DEFAULTED: ProjectConfig = { ...PROJECT, resources: [{ ...CAPTAIN, webhooks: { defaulting: true } }] };

describe("planning to delete", () => {
  it("takes an entry out, and the list with its last one", () => {
    const planned = planDeleteApi(PROJECT, GVK);
    expect(planned).toEqual({ before: CAPTAIN, after: undefined });
    expect(withoutResource(PROJECT, planned)).toEqual({ layout: [], version: "3" });
  });

  it("takes an entry out of the data of plugins too, and data with nothing left", () => {
    const mate = { ...GVK, kind: "Mate", options: {} };
    const plugins = {
      "only.example.com/v1": { resources: [{ ...GVK, options: {} }] },
      "more.example.com/v1": { resources: [mate, { ...GVK, domain: "" }], style: "old" },
      "other.example.com/v1": { enabled: true },
    };
    const project = { ...PROJECT, plugins };
    expect(withoutResource(project, planDeleteApi(project, GVK)).plugins).toEqual({
      "more.example.com/v1": { resources: [mate], style: "old" },
      "other.example.com/v1": { enabled: true },
    });
    const single = { ...PROJECT, plugins: { "only.example.com/v1": plugins["only.example.com/v1"] } };
    expect(withoutResource(single, planDeleteApi(single, GVK))).toEqual({ layout: [], version: "3" });
    const controller = planDeleteApi(project, { ...GVK, controllerName: "backup" });
    expect(withoutResource(project, controller).plugins).toEqual(plugins);
  });

  it("makes a list of controllers the flag again when one named for the kind is left", () => {
    const { after } = planDeleteApi(PROJECT, { ...GVK, controllerName: "backup" });
    expect(after).toEqual({ ...GVK, api: {}, controller: true });
  });

  it("keeps a list with another name, and drops what has nothing left", () => {
    const { after } = planDeleteApi(PROJECT, { ...GVK, controllerName: "captain" });
    expect(after?.controllers).toEqual([{ name: "backup" }]);
    const core: ProjectResource = { group: "apps", version: "v1", kind: "Deployment", core: true, controller: true };
    const project = { ...PROJECT, resources: [core] };
    const request = { group: "apps", version: "v1", kind: "Deployment", controllerName: "deployment" };
    expect(planDeleteApi(project, request).after).toBeUndefined();
  });

  it("takes webhooks out of an entry", () => {
    const resource = { ...CAPTAIN, webhooks: { defaulting: true } };
    expect(planDeleteWebhook({ ...PROJECT, resources: [resource] }, GVK).after).toEqual(CAPTAIN);
  });

  it("takes single types of webhooks out, with their paths", () => {
    const webhooks = {
      conversion: true,
      defaulting: true,
      defaultingPath: "/x",
      spoke: ["v2", "v3"],
      webhookVersion: "v1",
    };
    const project = { ...PROJECT, resources: [{ ...CAPTAIN, webhooks }] };
    const left = (request: Parameters<typeof planDeleteWebhook>[1]): unknown =>
      planDeleteWebhook(project, request).after?.webhooks;
    expect(left({ ...GVK, defaulting: true })).toEqual({ conversion: true, spoke: ["v2", "v3"], webhookVersion: "v1" });
    expect(left({ ...GVK, conversion: true })).toEqual({
      defaulting: true,
      defaultingPath: "/x",
      webhookVersion: "v1",
    });
    expect(left({ ...GVK, spokes: ["v2"] })).toEqual({ ...webhooks, spoke: ["v3"] });
    expect(left({ ...GVK, conversion: true, spokes: ["v2"] })).toEqual({ ...webhooks, spoke: ["v3"] });
    expect(left({ ...GVK, spokes: ["v2", "v3"] })).toEqual({
      defaulting: true,
      defaultingPath: "/x",
      webhookVersion: "v1",
    });
    expect(planDeleteWebhook(project, { ...GVK, defaulting: true, conversion: true }).after).toEqual(CAPTAIN);
  });

  it.for([
    [() => planDeleteApi(PROJECT, { ...GVK, kind: "Mate" }), "the project has no such API"],
    [() => planDeleteApi(PROJECT, { ...GVK, controllerName: "mate" }), "has no controller with this name"],
    [() => planDeleteWebhook(PROJECT, GVK), "it has none"],
    [() => planDeleteWebhook(DEFAULTED, { ...GVK, validation: true }), "cannot delete the validating webhook"],
    [() => planDeleteWebhook(DEFAULTED, { ...GVK, spokes: ["v2"] }), "cannot delete the conversion of v2"],
  ] as const)("refuses what is not there (%#)", ([plan, message]) => {
    expect(plan).toThrow(message);
  });
});
