import { expect, it } from "vitest";

import { webhookSteps } from "../../src/changes/regenerate.ts";
import { FileTree } from "../../src/machinery/file-tree.ts";
import type { ProjectConfig } from "../../src/project/project-config.ts";

const WEBHOOKS = { defaulting: true, defaultingPath: "/fill-it", validation: true, webhookVersion: "v1" } as const;
const CAPTAIN = { group: "crew", version: "v1", kind: "Captain", webhooks: WEBHOOKS };
const PROJECT: ProjectConfig = { version: "3", domain: "demo", layout: [], resources: [CAPTAIN] };
const PART = { kind: "webhook", resource: CAPTAIN } as const;

function stepsFor(text: string): ReturnType<typeof webhookSteps> {
  const file = "internal/webhook/v1/captain_webhook.ts";
  return webhookSteps(PART, PROJECT, new FileTree({ read: (path) => (path === file ? text : undefined) }));
}

it("webhooks whose validator is before the defaulter are made in two steps", () => {
  expect(stepsFor("mgr\n  .withValidator(v)\n  .withDefaulter(d);")).toEqual([
    { kind: "webhook", resource: { ...CAPTAIN, webhooks: { validation: true, webhookVersion: "v1" } } },
    { kind: "webhook", resource: CAPTAIN, added: ["defaulting"] },
  ]);
});

it("webhooks are made at once in any other file, and where there is none", () => {
  for (const text of ["mgr\n  .withDefaulter(d)\n  .withValidator(v);", "mgr.withValidator(v);", ""])
    expect(stepsFor(text)).toEqual([PART]);
});
