import { Lease } from "@kubescaffold/k8s/coordination/v1";
import { expect, it } from "vitest";

import { createClient } from "../../src/client/create-client.ts";
import { createLeaseLock } from "../../src/leader-election/leader-election-lock.ts";
import { createFakeApi } from "../client/fake-api.ts";

it("a lease without an acquireTime is renewed without one, since a server refuses an empty time", async () => {
  const metadata = { namespace: "default", name: "lock", resourceVersion: "1" };
  const api = createFakeApi({
    answer: ({ body }) => body ?? Lease.create({ metadata, spec: { holderIdentity: "me", leaseDurationSeconds: -5 } }),
  });
  api.resources.push({
    group: "coordination.k8s.io",
    version: "v1",
    resource: "leases",
    kind: "Lease",
    namespaced: true,
  });
  const client = createClient(api.config);
  const lock = createLeaseLock({ client, namespace: "default", name: "lock", identity: "me" });
  const { signal } = new AbortController();
  const record = await lock.get(signal);
  expect(record).toEqual({
    holderIdentity: "me",
    leaseDurationSeconds: -5,
    acquireTime: "",
    renewTime: "",
    leaderTransitions: 0,
  });
  if (record === undefined) throw new TypeError("there is no lease");
  await lock.update({ ...record, leaseDurationSeconds: 15, renewTime: "2026-01-01T00:00:00.000000Z" }, signal);
  expect(api.requests.at(-1)?.body).toMatchObject({
    spec: { holderIdentity: "me", leaseDurationSeconds: 15, renewTime: "2026-01-01T00:00:00.000000Z" },
  });
  expect(api.requests.at(-1)?.body).not.toHaveProperty("spec.acquireTime");
});
