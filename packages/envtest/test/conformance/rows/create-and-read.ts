import { configMap, pathOf, widget } from "../kinds.ts";
import { objectOf, type Row } from "../row.ts";

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u;

export const CREATE_AND_READ_ROWS: readonly Row[] = [
  {
    row: 1,
    title: "creating a namespaced custom resource gives it a uid, a time, a resourceVersion and generation 1",
    run: async ({ namespace, send, note }) => {
      const created = objectOf(
        await send("create", {
          method: "POST",
          path: pathOf("widgets", namespace),
          body: widget("one", { size: 2, mode: "Fast" }),
        }),
      );
      note("uid is a version 4 UUID", UUID_V4.test(created.metadata.uid));
      note("resourceVersion is a number above 1", Number(created.metadata.resourceVersion) > 1);
      await send("system fields of the request are ignored", {
        method: "POST",
        path: pathOf("configmaps", namespace),
        body: configMap(
          "own",
          { a: "1" },
          {
            uid: "11111111-1111-4111-8111-111111111111",
            creationTimestamp: "2001-01-01T00:00:00Z",
            generation: 7,
            selfLink: "/x",
            deletionTimestamp: "2001-01-01T00:00:00Z",
            labels: { a: "b" },
          },
        ),
      });
    },
  },
  {
    row: 2,
    title: "a get after a create equals the create's answer",
    run: async ({ namespace, send, note }) => {
      for (const [plural, body] of [
        ["widgets", widget("same")],
        ["configmaps", configMap("same")],
      ] as const) {
        const created = await send(`create ${plural}`, { method: "POST", path: pathOf(plural, namespace), body });
        const got = await send(`get ${plural}`, { path: pathOf(plural, namespace, "same") });
        note(`${plural} are equal`, JSON.stringify(created.body) === JSON.stringify(got.body));
      }
    },
  },
  {
    row: 3,
    title: "what does not exist is 404 with its name and resource, whatever the verb",
    run: async ({ namespace, send }) => {
      for (const plural of ["widgets", "configmaps", "deployments"]) {
        const path = pathOf(plural, namespace, "none");
        await send(`get ${plural}`, { path });
        await send(`delete ${plural}`, { method: "DELETE", path });
        await send(`patch ${plural}`, { method: "PATCH", path, body: {}, contentType: "application/merge-patch+json" });
      }
      await send("get status", { path: `${pathOf("widgets", namespace, "none")}/status` });
    },
  },
  {
    row: 4,
    title: "creating what exists is 409 AlreadyExists",
    run: async ({ namespace, quietly, send }) => {
      for (const [plural, body] of [
        ["widgets", widget("twice")],
        ["configmaps", configMap("twice")],
      ] as const) {
        await quietly({ method: "POST", path: pathOf(plural, namespace), body });
        await send(`create ${plural} again`, { method: "POST", path: pathOf(plural, namespace), body });
      }
      await send("create the namespace again", {
        method: "POST",
        path: "/api/v1/namespaces",
        body: { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
      });
    },
  },
  {
    row: 8,
    title: "an update of the main resource drops status where there is a status subresource",
    run: async ({ namespace, quietly, send }) => {
      const path = pathOf("widgets", namespace, "w");
      const created = objectOf(
        await quietly({ method: "POST", path: pathOf("widgets", namespace), body: widget("w") }),
      );
      await send("update", {
        method: "PUT",
        path,
        body: { ...created, spec: { size: 2 }, status: { phase: "Ready" } },
      });
      await send("merge patch", {
        method: "PATCH",
        path,
        body: { status: { phase: "Ready" } },
        contentType: "application/merge-patch+json",
      });
      await send("get", { path });
    },
  },
  {
    row: 9,
    title: "a create drops status where there is a status subresource",
    run: async ({ namespace, send }) => {
      await send("create", {
        method: "POST",
        path: pathOf("widgets", namespace),
        body: { ...widget("w"), status: { phase: "Ready" } },
      });
      await send("get", { path: pathOf("widgets", namespace, "w") });
    },
  },
  {
    row: 13,
    title: "a list's resourceVersion is at least that of every item",
    run: async ({ namespace, quietly, send, note }) => {
      for (const plural of ["widgets", "configmaps"]) {
        await send(`empty list of ${plural}`, { path: `${pathOf(plural, namespace)}?labelSelector=none%3Dsuch` });
        for (const name of ["b", "a", "c"]) {
          await quietly({
            method: "POST",
            path: pathOf(plural, namespace),
            body:
              plural === "widgets"
                ? widget(name, { size: 1 }, { labels: { l: "1" } })
                : configMap(name, {}, { labels: { l: "1" } }),
          });
        }
        const list = objectOf(await send(`list ${plural}`, { path: `${pathOf(plural, namespace)}?labelSelector=l` }));
        note(
          `${plural}: every item is covered`,
          (list.items ?? []).every(
            (item) => Number(item.metadata.resourceVersion) <= Number(list.metadata.resourceVersion),
          ),
        );
      }
    },
  },
  {
    row: 19,
    title: "creating in a namespace that does not exist is 404 of the namespace",
    run: async ({ send }) => {
      await send("create a widget", {
        method: "POST",
        path: pathOf("widgets", "no-such-namespace"),
        body: widget("w"),
      });
      await send("create a configmap", {
        method: "POST",
        path: pathOf("configmaps", "no-such-namespace"),
        body: configMap("c"),
      });
      await send("list a namespace that is not there", { path: pathOf("configmaps", "no-such-namespace") });
    },
  },
];
