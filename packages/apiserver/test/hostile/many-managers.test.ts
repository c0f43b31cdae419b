import { describe, expect, it, vi } from "vitest";

import { trackUpdate } from "../../src/handlers/field-management/track-update.ts";
import { defaultRelease } from "../../src/release/release.ts";
import type { ApiObject } from "../../src/storage/api-object.ts";

const COUNT = 300;
type Fields = Readonly<Record<string, object>>;

const SCHEMA = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

// The fields of the oldest managers become those of one entry.
describe("the owners of an object with many managers", () => {
  it("are recorded in proportion to their number", () => {
    const managedFields = Array.from({ length: COUNT }, (_, index) => ({
      manager: `m${String(index)}`,
      operation: "Update",
      apiVersion: "v1",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:data": { [`f:k${String(index)}`]: {} } },
    }));
    const metadata = { name: "many", managedFields };
    const after = { apiVersion: "v1", kind: "ConfigMap", metadata } as unknown as ApiObject;
    const write = {
      type: {
        release: defaultRelease,
        group: "",
        version: "v1",
        kind: "ConfigMap",
        schema: () => SCHEMA,
        subresourceTypes: [],
      },
      before: undefined,
      after,
      manager: { manager: "own", operation: "Update", apiVersion: "v1", subresource: "" },
      now: "2026-01-01T00:00:00Z",
    } as const;
    const added = vi.spyOn(Map.prototype, "set");
    trackUpdate(write);
    // Copies of maps are counted, too.
    const { length } = added.mock.calls;
    added.mockRestore();
    const [ancient, ...others] = after.metadata.managedFields ?? [];
    expect(ancient).toMatchObject({ manager: "ancient-changes", operation: "Update", apiVersion: "v1" });
    expect(Object.keys((ancient?.fieldsV1 as Fields | undefined)?.["f:data"] ?? {})).toHaveLength(
      COUNT - others.length,
    );
    expect(others).toHaveLength(9);
    expect(length).toBeLessThan(50 * COUNT);
  });
});
