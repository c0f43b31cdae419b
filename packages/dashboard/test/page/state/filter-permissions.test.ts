import { expect, it } from "vitest";

import type { PermissionUse, WebhookCall } from "../../../src/page/feed/protocol.ts";
import {
  countPermissions,
  filterPermissions,
  permissionFilterOf,
  resourceOf,
} from "../../../src/page/state/filter-permissions.ts";
import { callFilterOf, filterCalls, patchOperations } from "../../../src/page/webhooks/filter-calls.ts";

const use = (verb: string, state: PermissionUse["state"]): PermissionUse => ({
  type: "permission",
  verb,
  group: "apps",
  resource: "deployments/status",
  namespace: "",
  state,
  allowed: 0,
  denied: 0,
});

it("permissions are listed by what needs attention", () => {
  const all = [
    use("get", "used"),
    use("delete", "unused"),
    use("list", "denied"),
    use("create", "denied"),
    use("patch", "missing"),
  ];
  const verbsOf = (params: Readonly<Record<string, string>>): readonly string[] =>
    filterPermissions(all, permissionFilterOf(params)).map(({ verb }) => verb);
  expect(verbsOf({})).toEqual(["create", "list", "patch", "delete", "get"]);
  expect(verbsOf({ state: "unused" })).toEqual(["delete"]);
  expect(verbsOf({ q: "deployments.apps lis" })).toEqual(["list"]);
  expect(countPermissions(all)).toEqual({ used: 1, unused: 1, denied: 2, granted: 0, missing: 1 });
  expect(resourceOf(use("get", "used"))).toBe("deployments.apps/status");
});

it("calls of webhooks are filtered by purpose, result, and text", () => {
  const call = (id: string, more: Partial<WebhookCall>): WebhookCall => ({
    type: "webhook",
    id,
    at: 1,
    durationMs: 1,
    path: "/validate",
    purpose: "validate",
    operation: "CREATE",
    kind: "Guestbook",
    namespace: "ns",
    name: id,
    user: "ada",
    isDryRun: false,
    isAllowed: true,
    ...more,
  });
  const calls = [
    call("a", {}),
    call("b", { purpose: "mutate" }),
    call("c", { isAllowed: false, message: "too large" }),
  ];
  const idsOf = (params: Readonly<Record<string, string>>): readonly string[] =>
    filterCalls(calls, callFilterOf(params)).map(({ id }) => id);
  expect(idsOf({})).toEqual(["c", "b", "a"]);
  expect(idsOf({ purpose: "mutate" })).toEqual(["b"]);
  expect(idsOf({ denied: "1" })).toEqual(["c"]);
  expect(idsOf({ q: "LARGE guestbook" })).toEqual(["c"]);
});

it("operations of patches are read, and nothing else is", () => {
  expect(patchOperations([{ op: "move", path: "/a", from: "/b" }, "nonsense", null, { op: 1 }])).toEqual([
    { op: "move", path: "/a", value: "/b" },
  ]);
});
