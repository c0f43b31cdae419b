import { describe, expect, it } from "vitest";

import { triggerOf } from "../../../src/page/controllers/filter-reconciles.ts";
import type { ReconcileTrigger } from "../../../src/page/feed/protocol.ts";

const object = { apiVersion: "apps/v1", kind: "Deployment", namespace: "default", name: "web" };

describe("the trigger of a reconcile", () => {
  it.each<[ReconcileTrigger | undefined, string]>([
    [undefined, ""],
    [{ reason: "created", object }, "Creation of Deployment default/web"],
    [{ reason: "updated", object, merged: 1 }, "Update of Deployment default/web, and 1 later event"],
    [{ reason: "deleted", object, merged: 2 }, "Deletion of Deployment default/web, and 2 later events"],
    [{ reason: "generic", object: { ...object, name: "" } }, "Event"],
    [{ reason: "initial-list", object }, "Start of the watch: Deployment default/web"],
    [{ reason: "resync", object: { ...object, namespace: "" } }, "Resync of Deployment web"],
    [{ reason: "requeue" }, "Requeue"],
    [{ reason: "requeue-after" }, "Requeue after its delay"],
    [{ reason: "retry" }, "Retry after an error"],
  ])("%j reads %s", (trigger, text) => {
    expect(triggerOf(trigger === undefined ? {} : { trigger })).toBe(text);
  });

  it("leaves out the namespace that is shown beside it, and no other one", () => {
    const trigger = { reason: "updated", object } as const;
    expect(triggerOf({ trigger }, "default")).toBe("Update of Deployment web");
    expect(triggerOf({ trigger }, "other")).toBe("Update of Deployment default/web");
  });
});
