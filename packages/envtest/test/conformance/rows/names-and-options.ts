import { configMap, deployment, gadget, pathOf, widget } from "../kinds.ts";
import { objectOf, type Row } from "../row.ts";

const MERGE = "application/merge-patch+json";
const JSON_PATCH = "application/json-patch+json";

export const NAME_AND_OPTION_ROWS: readonly Row[] = [
  {
    row: 46,
    title: "generateName gets five characters and is cut to leave room for them",
    run: async ({ namespace, quietly, send, note }) => {
      const create = async (metadata: Record<string, unknown>): Promise<string> =>
        objectOf(
          await quietly({
            method: "POST",
            path: pathOf("configmaps", namespace),
            body: { apiVersion: "v1", kind: "ConfigMap", metadata },
          }),
        ).metadata.name;
      note("suffix", /^short-[bcdfghjklmnpqrstvwxz2456789]{5}$/u.test(await create({ generateName: "short-" })));
      const long = await create({ generateName: "x".repeat(100) });
      note("a long base is cut", [long.length, /^x{58}[bcdfghjklmnpqrstvwxz2456789]{5}$/u.test(long)]);
      note("a name wins", await create({ name: "own", generateName: "other-" }));
      await send("a custom resource", {
        method: "POST",
        path: pathOf("widgets", namespace),
        body: widget("", { size: 1 }, { generateName: "gen-" }),
      });
      const invalid = await quietly({
        method: "POST",
        path: pathOf("widgets", namespace),
        body: { ...widget("w"), metadata: { generateName: "Not Valid-" } },
      });
      note(
        "an invalid base",
        JSON.parse(JSON.stringify(invalid.body).replaceAll(/Not Valid-[a-z0-9]{5}/gu, "Not Valid-<5>")),
      );
      await send("neither name nor base", {
        method: "POST",
        path: pathOf("configmaps", namespace),
        body: { ...configMap("c"), metadata: {} },
      });
      await send("neither name nor base of a custom resource", {
        method: "POST",
        path: pathOf("widgets", namespace),
        body: { ...widget("w"), metadata: {} },
      });
    },
  },
  {
    row: 47,
    title: "an invalid name is 422 with the rule of its kind",
    run: async ({ namespace, send }) => {
      await send("a widget", { method: "POST", path: pathOf("widgets", namespace), body: widget("Bad_Name") });
      await send("a configmap", { method: "POST", path: pathOf("configmaps", namespace), body: configMap("Bad_Name") });
      await send("too long", {
        method: "POST",
        path: pathOf("configmaps", namespace),
        body: configMap("x".repeat(254)),
      });
      await send("a namespace with a dot", {
        method: "POST",
        path: "/api/v1/namespaces",
        body: { apiVersion: "v1", kind: "Namespace", metadata: { name: "a.b" } },
      });
      await send("a service", {
        method: "POST",
        path: pathOf("services", namespace),
        body: {
          apiVersion: "v1",
          kind: "Service",
          metadata: { name: "1st" },
          spec: { clusterIP: "None", ports: [{ port: 80 }] },
        },
      });
      await send("a role", {
        method: "POST",
        path: pathOf("roles", namespace),
        body: { apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", metadata: { name: "a/b" }, rules: [] },
      });
      await send("labels, annotations and finalizers", {
        method: "POST",
        path: pathOf("configmaps", namespace),
        body: configMap(
          "c",
          {},
          { labels: { "bad key": "x" }, annotations: { "bad key": "x" }, finalizers: ["nodomain"] },
        ),
      });
      await send("a label's value", {
        method: "POST",
        path: pathOf("configmaps", namespace),
        body: configMap("c", {}, { labels: { ok: "bad value!" } }),
      });
      await send("labels of a custom resource", {
        method: "POST",
        path: pathOf("widgets", namespace),
        body: widget("w", {}, { labels: { "bad key": "x" } }),
      });
      await send("a finalizer without a domain warns", {
        method: "POST",
        path: pathOf("widgets", namespace),
        body: widget("fin", {}, { finalizers: ["nodomain"] }),
      });
      await send("owner references", {
        method: "POST",
        path: pathOf("configmaps", namespace),
        body: configMap("o", {}, { ownerReferences: [{ apiVersion: "", kind: "", name: "", uid: "" }] }),
      });
    },
  },
  {
    row: 48,
    title: "a create with a resourceVersion is 500",
    run: async ({ namespace, send }) => {
      await send("a widget", {
        method: "POST",
        path: pathOf("widgets", namespace),
        body: widget("w", {}, { resourceVersion: "5" }),
      });
      await send("a configmap", {
        method: "POST",
        path: pathOf("configmaps", namespace),
        body: configMap("c", {}, { resourceVersion: "5" }),
      });
    },
  },
  {
    row: 49,
    title: "dryRun answers as if it were done and keeps nothing",
    run: async ({ namespace, quietly, send, note, watch }) => {
      for (const [plural, body] of [
        ["widgets", widget("w", { size: 1 }, { labels: { l: "1" } })],
        ["configmaps", configMap("w", { a: "1" }, { labels: { l: "1" } })],
      ] as const) {
        const path = pathOf(plural, namespace, "w");
        await send(`create ${plural}`, { method: "POST", path: `${pathOf(plural, namespace)}?dryRun=All`, body });
        await send(`get ${plural}`, { path });
        const created = objectOf(await quietly({ method: "POST", path: pathOf(plural, namespace), body }));
        const stream = await watch(
          `${pathOf(plural, namespace)}?watch=1&labelSelector=l&resourceVersion=${created.metadata.resourceVersion}`,
        );
        const updated = objectOf(
          await send(`update ${plural}`, {
            method: "PUT",
            path: `${path}?dryRun=All`,
            body: { ...created, metadata: { ...created.metadata, labels: { l: "2" } } },
          }),
        );
        note(
          `${plural}: the resourceVersion is the live one`,
          updated.metadata.resourceVersion === created.metadata.resourceVersion,
        );
        await send(`patch ${plural}`, {
          method: "PATCH",
          path: `${path}?dryRun=All`,
          body: { metadata: { labels: { l: "3" } } },
          contentType: MERGE,
        });
        await send(`delete ${plural}`, { method: "DELETE", path: `${path}?dryRun=All` });
        const after = objectOf(await send(`get ${plural} after it`, { path }));
        note(`${plural}: nothing was written`, after.metadata.resourceVersion === created.metadata.resourceVersion);
        await quietly({ method: "DELETE", path });
        note(`${plural}: events`, await stream.take(1));
      }
      await send("an invalid object", {
        method: "POST",
        path: `${pathOf("widgets", namespace)}?dryRun=All`,
        body: widget("w", { size: 99 }),
      });
      await send("another value", {
        method: "POST",
        path: `${pathOf("widgets", namespace)}?dryRun=Some`,
        body: widget("w"),
      });
      await send("another value for a delete", {
        method: "DELETE",
        path: `${pathOf("configmaps", namespace, "w")}?dryRun=Some`,
      });
    },
  },
  {
    row: 50,
    title: "fieldValidation=Strict refuses unknown and duplicate fields",
    run: async ({ namespace, quietly, send }) => {
      const strict = async (step: string, plural: string, text: string): Promise<unknown> =>
        send(step, { method: "POST", path: `${pathOf(plural, namespace)}?fieldValidation=Strict`, text });
      await strict(
        "unknown fields of a widget",
        "widgets",
        text(widget("w", { size: 1, bogus: 1, also: { x: 1 } }, { strange: "x" })),
      );
      await strict(
        "a duplicate field of a widget",
        "widgets",
        text(widget("w")).replace('"size":1', '"size":1,"size":2'),
      );
      await strict(
        "both",
        "widgets",
        text(widget("w", { bogus: 1, size: 1 })).replace('"size":1', '"size":1,"size":2'),
      );
      await strict(
        "deeper",
        "gadgets",
        text(
          gadget("g", {
            items: [{ name: "a", extra: 1 }],
            nested: { more: 1 },
            free: { anything: 1, known: { b: 1 } },
          }),
        ),
      );
      await strict(
        "unknown fields of a configmap",
        "configmaps",
        text({ ...configMap("c"), bogus: 1, metadata: { name: "c", strange: 1 } }),
      );
      await strict(
        "a duplicate field of a configmap",
        "configmaps",
        text(configMap("c")).replace('"a":"1"', '"a":"1","a":"2"'),
      );
      await strict("unknown fields of a deployment", "deployments", text(withBogusContainer("d")));
      await quietly({ method: "POST", path: pathOf("widgets", namespace), body: widget("p") });
      await quietly({ method: "POST", path: pathOf("configmaps", namespace), body: configMap("p") });
      const patch = async (step: string, plural: string, body: unknown, contentType: string): Promise<unknown> =>
        send(step, {
          method: "PATCH",
          path: `${pathOf(plural, namespace, "p")}?fieldValidation=Strict`,
          body,
          contentType,
        });
      await patch("merge patch of a widget", "widgets", { spec: { bogus: 1 } }, MERGE);
      await patch("merge patch of a configmap", "configmaps", { bogus: 1 }, MERGE);
      await patch("JSON patch of a widget", "widgets", [{ op: "add", path: "/spec/bogus", value: 1 }], JSON_PATCH);
      await send("update of a widget", {
        method: "PUT",
        path: `${pathOf("widgets", namespace, "p")}?fieldValidation=Strict`,
        body: widget("p", { bogus: 1 }),
      });
      await send("another value", {
        method: "POST",
        path: `${pathOf("widgets", namespace)}?fieldValidation=Maybe`,
        body: widget("w"),
      });
    },
  },
  {
    row: 51,
    title: "without fieldValidation unknown fields are pruned with a warning each",
    run: async ({ namespace, send }) => {
      const create = async (step: string, plural: string, text: string): Promise<unknown> =>
        send(step, { method: "POST", path: pathOf(plural, namespace), text });
      await create("a widget", "widgets", text(widget("w", { size: 1, bogus: 1 }, { strange: "x" })));
      await create("a duplicate", "widgets", text(widget("dup")).replace('"size":1', '"size":1,"size":2'));
      await create("a configmap", "configmaps", text({ ...configMap("c"), bogus: 1 }));
      await create("a deployment", "deployments", text({ ...withBogusContainer("d"), metadata: { name: "d" } }));
      await send("a merge patch", {
        method: "PATCH",
        path: pathOf("widgets", namespace, "w"),
        body: { spec: { more: 1 } },
        contentType: MERGE,
      });
    },
  },
  {
    row: 52,
    title: "fieldValidation=Ignore is silent",
    run: async ({ namespace, send }) => {
      await send("a widget", {
        method: "POST",
        path: `${pathOf("widgets", namespace)}?fieldValidation=Ignore`,
        body: widget("w", { size: 1, bogus: 1 }),
      });
      await send("a configmap", {
        method: "POST",
        path: `${pathOf("configmaps", namespace)}?fieldValidation=Ignore`,
        body: { ...configMap("c"), bogus: 1 },
      });
      await send("a merge patch", {
        method: "PATCH",
        path: `${pathOf("widgets", namespace, "w")}?fieldValidation=Ignore`,
        body: { spec: { more: 1 } },
        contentType: MERGE,
      });
    },
  },
];

function withBogusContainer(name: string): Record<string, unknown> {
  const made = deployment(name) as {
    spec: { paused?: boolean; replicas: number; template: { spec: { containers: unknown[] } } };
  } & Record<string, unknown>;
  made.spec.replicas = 0;
  made.spec.template.spec.containers = [{ name: "web", image: "nginx:1.27", bogus: true }];
  return made;
}

function text(value: unknown): string {
  return JSON.stringify(value);
}
