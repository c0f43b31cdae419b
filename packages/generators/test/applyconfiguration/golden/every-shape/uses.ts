// What the types take and refuse; the test type-checks this file together with the one that is generated.
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { deploymentApply } from "@kubescaffold/k8s/apply/apps/v1";
import type { Client } from "@kubescaffold/runtime";

import type { Guestbook } from "./input/api/v1/guestbook_types.ts";
import { extractGuestbook, guestbookApply, type GuestbookApply } from "./input/api/v1/zz_generated.apply.ts";

export const none: GuestbookApply = guestbookApply("a", "b");
export const some: GuestbookApply = guestbookApply("a", "b", {
  metadata: { labels: { a: "b" }, finalizers: ["x/y"] },
  spec: {
    common: "inherited",
    template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "web", ports: [{ containerPort: 80 }] }] } },
    ports: [{ name: "http" }, { name: "dns", protocol: "UDP", inner: { b: {} } }],
    allPorts: [{ name: "all", number: 1 }],
    env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
    bases: { a: {} },
    source: { type: "http", base: {} },
    maybe: null,
    hidden: { base: { common: "x" } },
    "odd-name": { common: "x" },
  },
  status: { conditions: [{ type: "Ready", status: "True" }] },
});
export const literal: GuestbookApply = {
  apiVersion: "webapp.example.com/v1",
  kind: "Guestbook",
  metadata: { name: "a", namespace: "b" },
  spec: { size: 1 },
};

export async function uses(client: Client, read: Guestbook): Promise<void> {
  const stored: Guestbook = await client.apply(some, { fieldOwner: "me", forceOwnership: true });
  const status: Guestbook = await client.status().apply(literal, { fieldOwner: "me" });
  const again: Guestbook = await client.apply(extractGuestbook(read, "me"), { fieldOwner: "me" });
  const owned: Deployment = await client.apply(deploymentApply("a", "b", { spec: { replicas: 1 } }), { fieldOwner: "me" });
  // @ts-expect-error the answer is a Guestbook
  const other: Deployment = await client.apply(some, { fieldOwner: "me" });
  await client.apply<Guestbook>({ ...literal, spec: { size: 2 } }, { fieldOwner: "me" });
  // @ts-expect-error a size is a number
  await client.apply<Guestbook>({ ...literal, spec: { size: "2" } }, { fieldOwner: "me" });
  void [stored, status, again, owned, other];
}

// @ts-expect-error a Guestbook lives in a namespace
guestbookApply("a");
// @ts-expect-error an element of a list map has its keys
guestbookApply("a", "b", { spec: { ports: [{ number: 1 }] } });
// @ts-expect-error what is atomic is stated as a whole
guestbookApply("a", "b", { spec: { allPorts: [{ name: "a" }] } });
// @ts-expect-error lists of the Kubernetes API have their keys, too
guestbookApply("a", "b", { spec: { template: { spec: { containers: [{ image: "x" }] } } } });
// @ts-expect-error there is no such field
guestbookApply("a", "b", { spec: { sise: 1 } });
// @ts-expect-error there is no such source
guestbookApply("a", "b", { spec: { source: { type: "svn" } } });
// @ts-expect-error the other member of the union has this field
guestbookApply("a", "b", { spec: { source: { type: "git", address: "x" } } });
// @ts-expect-error the server writes this
guestbookApply("a", "b", { metadata: { creationTimestamp: "2024-01-01T00:00:00Z" } });
// @ts-expect-error another kind
export const wrong: GuestbookApply = { apiVersion: "v1", kind: "Pod", metadata: { name: "a", namespace: "b" } };
