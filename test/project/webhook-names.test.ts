import { describe, expect, it } from "vitest";

import type { ProjectConfig, ProjectResource } from "../../src/project/project-config.ts";
import { namesToRecord, webhookNamesOf } from "../../src/project/webhook-names.ts";

const BOTH = { defaulting: true, validation: true };
const CORE: ProjectResource = {
  core: true,
  group: "core",
  kind: "Event",
  version: "v1",
  webhooks: { defaulting: true },
};
const EVENTS: ProjectResource = { core: true, domain: "k8s.io", group: "events", kind: "Event", version: "v1" };

function project(...resources: readonly ProjectResource[]): ProjectConfig {
  return { layout: [], resources, version: "3" };
}

describe("names of webhooks", () => {
  it("are the usual ones while no other kind has them", () => {
    expect(namesToRecord(project(CORE), CORE, BOTH)).toEqual({});
    expect(namesToRecord(project({ ...CORE, version: "v2" }), EVENTS, BOTH)).toEqual({});
    expect(namesToRecord(project({ ...CORE, kind: "Captain" }), EVENTS, BOTH)).toEqual({});
    expect(webhookNamesOf(EVENTS)).toEqual({ defaulting: "mevent-v1.kb.io", validation: "vevent-v1.kb.io" });
  });

  it("have the group in them where a kind of another group has the usual one", () => {
    const defaultingName = "mevent-v1.events.k8s.io.kb.io";
    expect(namesToRecord(project(CORE), EVENTS, BOTH)).toEqual({ defaultingName });
    expect(namesToRecord(project(CORE), EVENTS, { defaulting: false, validation: true })).toEqual({});
    expect(webhookNamesOf({ ...EVENTS, webhooks: { defaultingName } }).defaulting).toBe(defaultingName);
    const first = { ...EVENTS, webhooks: { defaulting: true } };
    expect(namesToRecord(project(first), CORE, BOTH)).toEqual({ defaultingName: "mevent-v1.core.kb.io" });
    expect(namesToRecord(project({ ...first, kind: "EVENT" }), CORE, BOTH)).not.toEqual({});
  });

  it("are free again where the other has one with its group", () => {
    const other = { ...CORE, webhooks: { defaulting: true, defaultingName: "mevent-v1.core.kb.io" } };
    expect(namesToRecord(project(other), EVENTS, BOTH)).toEqual({});
  });
});
