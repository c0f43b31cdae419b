import { describe, expect, it } from "vitest";

import { checkWebhookPaths } from "../../../src/project/plans/plan-webhook.ts";
import type { ProjectConfig, ProjectResource } from "../../../src/project/project-config.ts";

const OTHER: ProjectResource = {
  group: "crew",
  domain: "demo",
  kind: "Captain",
  version: "v1",
  webhooks: { defaulting: true, validation: true, validationPath: "/check-captains" },
};
const OWN: ProjectResource = { group: "crew", domain: "demo", kind: "Mate", version: "v1" };
const PROJECT: ProjectConfig = { layout: [], version: "3", resources: [OTHER, OWN] };

const check = (change: Partial<Parameters<typeof checkWebhookPaths>[2]>): void =>
  checkWebhookPaths(PROJECT, OWN, { defaulting: true, validation: true, ...change });

describe("the paths of webhooks", () => {
  it("may be chosen, of one segment or several", () => {
    expect(() => check({ defaultingPath: "/custom-mutate", validationPath: "/a/b-c1" })).not.toThrow();
  });

  it.for([
    [{ defaultingPath: "mutate" }, "it must be segments"],
    [{ defaultingPath: "/a/../b" }, "it must be segments"],
    [{ defaultingPath: "/" }, "it must be segments"],
    [{ validationPath: "/a b" }, "it must be segments"],
    [{ validationPath: "/Check" }, "it must be segments"],
    [{ validationPath: "/a_b" }, "it must be segments"],
    [{ validationPath: "/a.b" }, "it must be segments"],
    [{ validationPath: "/-a" }, "it must be segments"],
    [{ validationPath: "/a/" }, "it must be segments"],
    [{ validationPath: "/convert" }, "it is already the path of the conversion between versions"],
    [{ defaultingPath: "/x", validationPath: "/x" }, "it is already the path of the validating webhook of this call"],
    [{ validationPath: "/check-captains" }, "it is already the path of a webhook of Captain"],
    [{ defaultingPath: "/mutate-crew-demo-v1-captain" }, "it is already the path of a webhook of Captain"],
    [{ defaulting: false, defaultingPath: "/x" }, "it can only be used with --defaulting"],
    [{ validation: false, validationPath: "/x" }, "it can only be used with --programmatic-validation"],
  ] as const)("%o is refused", ([change, message]) => {
    expect(() => check(change)).toThrow(message);
  });
});
