import { configMap, deployment, pathOf, widget } from "../kinds.ts";
import { objectOf, type Row } from "../row.ts";

const MERGE = "application/merge-patch+json";

export const UPDATE_AND_DELETE_ROWS: readonly Row[] = [
  {
    row: 5,
    title: "an update with an outdated resourceVersion is 409 Conflict",
    run: async ({ namespace, quietly, send }) => {
      for (const [plural, body] of [
        ["widgets", widget("old")],
        ["configmaps", configMap("old")],
      ] as const) {
        const path = pathOf(plural, namespace, "old");
        const created = objectOf(await quietly({ method: "POST", path: pathOf(plural, namespace), body }));
        await quietly({
          method: "PUT",
          path,
          body: { ...created, metadata: { ...created.metadata, labels: { a: "1" } } },
        });
        await send(`update ${plural}`, {
          method: "PUT",
          path,
          body: { ...created, metadata: { ...created.metadata, labels: { a: "2" } } },
        });
        await send(`patch ${plural}`, {
          method: "PATCH",
          path,
          body: { metadata: { resourceVersion: created.metadata.resourceVersion, labels: { a: "3" } } },
          contentType: MERGE,
        });
      }
      await send("a resourceVersion that is not a number", {
        method: "PUT",
        path: pathOf("configmaps", namespace, "old"),
        body: configMap("old", {}, { resourceVersion: "abc" }),
      });
    },
  },
  {
    row: 6,
    title: "every update bumps the resourceVersion, only one of the spec the generation",
    run: async ({ namespace, quietly, send, note }) => {
      for (const [plural, body, patch] of [
        ["widgets", widget("w"), { spec: { size: 2 } }],
        ["deployments", deployment("w"), { spec: { replicas: 2 } }],
      ] as const) {
        const path = pathOf(plural, namespace, "w");
        const first = objectOf(await quietly({ method: "POST", path: pathOf(plural, namespace), body }));
        const labelled = objectOf(
          await quietly({ method: "PATCH", path, body: { metadata: { labels: { x: "y" } } }, contentType: MERGE }),
        );
        const changed = objectOf(await quietly({ method: "PATCH", path, body: patch, contentType: MERGE }));
        note(
          `generations of ${plural}`,
          [first, labelled, changed].map((object) => object.metadata["generation"]),
        );
        note(
          `resourceVersions of ${plural} differ`,
          new Set([first, labelled, changed].map((object) => object.metadata.resourceVersion)).size,
        );
      }
      await send("the widget", { path: pathOf("widgets", namespace, "w") });
    },
  },
  {
    row: 7,
    title: "an update of /status keeps the spec, the labels and the generation",
    run: async ({ namespace, quietly, send }) => {
      const path = pathOf("widgets", namespace, "w");
      const created = objectOf(
        await quietly({ method: "POST", path: pathOf("widgets", namespace), body: widget("w") }),
      );
      await send("put status", {
        method: "PUT",
        path: `${path}/status`,
        body: {
          ...created,
          metadata: { ...created.metadata, labels: { no: "no" } },
          spec: { size: 9 },
          status: { phase: "Ready" },
        },
      });
      await send("merge patch status", {
        method: "PATCH",
        path: `${path}/status`,
        body: { spec: { size: 8 }, status: { observed: 1 } },
        contentType: MERGE,
      });
      await send("an invalid status", {
        method: "PATCH",
        path: `${path}/status`,
        body: { status: { observed: "many" } },
        contentType: MERGE,
      });
      await send("a stale status", {
        method: "PUT",
        path: `${path}/status`,
        body: { ...created, status: { phase: "Late" } },
      });
      await send("get status", { path: `${path}/status` });
      await send("post status", { method: "POST", path: `${path}/status`, body: created });
    },
  },
  {
    row: 14,
    title: "deleting an object with a finalizer marks it, bumps its generation and returns it",
    run: async ({ namespace, quietly, send }) => {
      const path = pathOf("widgets", namespace, "w");
      await quietly({
        method: "POST",
        path: pathOf("widgets", namespace),
        body: widget("w", { size: 1 }, { finalizers: ["example.com/hold"] }),
      });
      await send("delete", { method: "DELETE", path });
      await send("delete again", { method: "DELETE", path });
      await send("get", { path });
      await quietly({
        method: "POST",
        path: pathOf("configmaps", namespace),
        body: configMap("c", {}, { finalizers: ["example.com/hold"] }),
      });
      await send("delete a configmap", { method: "DELETE", path: pathOf("configmaps", namespace, "c") });
      await send("create it again while it goes", {
        method: "POST",
        path: pathOf("configmaps", namespace),
        body: configMap("c"),
      });
    },
  },
  {
    row: 17,
    title: "deleting an object without finalizers answers with a Status that has its uid",
    run: async ({ namespace, quietly, send }) => {
      for (const [plural, body] of [
        ["widgets", widget("w")],
        ["configmaps", configMap("w")],
        ["deployments", deployment("w")],
      ] as const) {
        await quietly({ method: "POST", path: pathOf(plural, namespace), body });
        await send(`delete ${plural}`, { method: "DELETE", path: pathOf(plural, namespace, "w") });
        await send(`get ${plural}`, { path: pathOf(plural, namespace, "w") });
      }
      await quietly({
        method: "POST",
        path: pathOf("serviceaccounts", namespace),
        body: { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "w" } },
      });
      await send("service accounts come back themselves", {
        method: "DELETE",
        path: pathOf("serviceaccounts", namespace, "w"),
      });
    },
  },
  {
    row: 18,
    title: "adding a finalizer while an object is being deleted is 422",
    run: async ({ namespace, quietly, send }) => {
      for (const [plural, body] of [
        ["widgets", widget("w", { size: 1 }, { finalizers: ["example.com/hold"] })],
        ["configmaps", configMap("w", {}, { finalizers: ["example.com/hold"] })],
      ] as const) {
        const path = pathOf(plural, namespace, "w");
        await quietly({ method: "POST", path: pathOf(plural, namespace), body });
        await quietly({ method: "DELETE", path });
        await send(`patch ${plural}`, {
          method: "PATCH",
          path,
          body: { metadata: { finalizers: ["example.com/hold", "example.com/more"] } },
          contentType: MERGE,
        });
      }
    },
  },
  {
    row: 39,
    title: "an update that changes nothing keeps the resourceVersion and is no event",
    run: async ({ namespace, quietly, send, note, watch }) => {
      for (const [plural, body] of [
        ["widgets", widget("w")],
        ["configmaps", configMap("w")],
      ] as const) {
        const path = pathOf(plural, namespace, "w");
        const created = objectOf(await quietly({ method: "POST", path: pathOf(plural, namespace), body }));
        const stream = await watch(
          `${pathOf(plural, namespace)}?watch=1&fieldSelector=metadata.name%3Dw&resourceVersion=${created.metadata.resourceVersion}`,
        );
        const same = objectOf(await send(`put ${plural}`, { method: "PUT", path, body: created }));
        await send(`patch ${plural}`, { method: "PATCH", path, body: {}, contentType: MERGE });
        note(
          `${plural}: the resourceVersion is the same`,
          same.metadata.resourceVersion === created.metadata.resourceVersion,
        );
        await quietly({
          method: "PATCH",
          path,
          body: { metadata: { labels: { real: "change" } } },
          contentType: MERGE,
        });
        const [event] = await stream.take(1);
        note(`${plural}: the first event is the real change`, event);
      }
    },
  },
  {
    row: 40,
    title: "a custom resource cannot be updated without a resourceVersion",
    run: async ({ namespace, quietly, send }) => {
      await quietly({ method: "POST", path: pathOf("widgets", namespace), body: widget("w") });
      await send("put", { method: "PUT", path: pathOf("widgets", namespace, "w"), body: widget("w", { size: 2 }) });
      await send("put status", {
        method: "PUT",
        path: `${pathOf("widgets", namespace, "w")}/status`,
        body: widget("w", { size: 2 }),
      });
    },
  },
  {
    row: 41,
    title: "a ConfigMap can be updated without a resourceVersion",
    run: async ({ namespace, quietly, send }) => {
      await quietly({ method: "POST", path: pathOf("configmaps", namespace), body: configMap("c") });
      await send("put", {
        method: "PUT",
        path: pathOf("configmaps", namespace, "c"),
        body: configMap("c", { b: "2" }),
      });
    },
  },
  {
    row: 42,
    title: "an update of a missing custom resource is 404, of a missing Lease creates it",
    run: async ({ namespace, send }) => {
      await send("put a widget", {
        method: "PUT",
        path: pathOf("widgets", namespace, "none"),
        body: widget("none", { size: 1 }, { resourceVersion: "5" }),
      });
      await send("put a widget without resourceVersion", {
        method: "PUT",
        path: pathOf("widgets", namespace, "none"),
        body: widget("none"),
      });
      await send("put a configmap", {
        method: "PUT",
        path: pathOf("configmaps", namespace, "none"),
        body: configMap("none"),
      });
      await send("put a lease", { method: "PUT", path: pathOf("leases", namespace, "new"), body: lease("new") });
      await send("put a lease with a resourceVersion", {
        method: "PUT",
        path: pathOf("leases", namespace, "newer"),
        body: { ...lease("newer"), metadata: { name: "newer", resourceVersion: "5" } },
      });
    },
  },
  {
    row: 43,
    title: "an update with another uid is 409 with the storage's text",
    run: async ({ namespace, quietly, send }) => {
      for (const [plural, body] of [
        ["widgets", widget("w")],
        ["configmaps", configMap("w")],
      ] as const) {
        const created = objectOf(await quietly({ method: "POST", path: pathOf(plural, namespace), body }));
        await send(`put ${plural}`, {
          method: "PUT",
          path: pathOf(plural, namespace, "w"),
          body: { ...created, metadata: { ...created.metadata, uid: "11111111-1111-4111-8111-111111111111" } },
        });
      }
    },
  },
  {
    row: 44,
    title: "a name that is not the URL's is 400",
    run: async ({ namespace, quietly, send }) => {
      for (const [plural, body, other] of [
        ["widgets", widget("w"), widget("other")],
        ["configmaps", configMap("w"), configMap("other")],
      ] as const) {
        await quietly({ method: "POST", path: pathOf(plural, namespace), body });
        const path = pathOf(plural, namespace, "w");
        await send(`put ${plural}`, { method: "PUT", path, body: other });
        await send(`put ${plural} without a name`, { method: "PUT", path, body: { ...body, metadata: {} } });
        await send(`patch ${plural}`, {
          method: "PATCH",
          path,
          body: { metadata: { name: "other" } },
          contentType: MERGE,
        });
      }
    },
  },
  {
    row: 45,
    title: "a namespace that is not the URL's is 400",
    run: async ({ namespace, quietly, send }) => {
      for (const [plural, body] of [
        ["widgets", widget("w", {}, { namespace: "default" })],
        ["configmaps", configMap("w", {}, { namespace: "default" })],
      ] as const) {
        await send(`post ${plural}`, { method: "POST", path: pathOf(plural, namespace), body });
        await quietly({ method: "POST", path: pathOf(plural, namespace), body: { ...body, metadata: { name: "w" } } });
        await send(`put ${plural}`, { method: "PUT", path: pathOf(plural, namespace, "w"), body });
      }
      await send("a namespace on a cluster-scoped object", {
        method: "POST",
        path: "/apis/rbac.authorization.k8s.io/v1/clusterroles?dryRun=All",
        body: {
          apiVersion: "rbac.authorization.k8s.io/v1",
          kind: "ClusterRole",
          metadata: { name: "row-45", namespace: "default" },
          rules: [],
        },
      });
    },
  },
];

function lease(name: string): Record<string, unknown> {
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name },
    spec: { holderIdentity: "a", leaseDurationSeconds: 15 },
  };
}
