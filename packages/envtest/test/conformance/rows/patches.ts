import { configMap, deployment, pathOf, widget } from "../kinds.ts";
import { objectOf, type Answer, type Json, type Row } from "../row.ts";

const MERGE = "application/merge-patch+json";
const JSON_PATCH = "application/json-patch+json";
const STRATEGIC = "application/strategic-merge-patch+json";

export const PATCH_ROWS: readonly Row[] = [
  {
    row: 20,
    title: "a merge patch adds and changes fields and removes those that are null",
    run: async ({ namespace, quietly, send }) => {
      await quietly({
        method: "POST",
        path: pathOf("widgets", namespace),
        body: widget("w", { size: 1, mode: "Fast", colors: ["red", "blue"] }, { labels: { a: "1", b: "2" } }),
      });
      const path = pathOf("widgets", namespace, "w");
      await send("add, change, remove", {
        method: "PATCH",
        path,
        body: {
          metadata: { labels: { a: null, c: "3" } },
          spec: { size: 2, mode: null, image: "x", colors: ["green"] },
        },
        contentType: MERGE,
      });
      await send("null of what is not there", {
        method: "PATCH",
        path,
        body: { spec: { mode: null, none: null } },
        contentType: MERGE,
      });
      await send("an array is no merge patch", { method: "PATCH", path, text: "[]", contentType: MERGE });
      await send("no JSON", { method: "PATCH", path, text: "{", contentType: MERGE });
      await send("an invalid result", { method: "PATCH", path, body: { spec: { size: 11 } }, contentType: MERGE });
      await quietly({
        method: "POST",
        path: pathOf("configmaps", namespace),
        body: configMap("c", { a: "1", b: "2" }),
      });
      await send("a configmap", {
        method: "PATCH",
        path: pathOf("configmaps", namespace, "c"),
        body: { data: { a: null, c: "3" } },
        contentType: MERGE,
      });
      await send("a wrong type in a configmap", {
        method: "PATCH",
        path: pathOf("configmaps", namespace, "c"),
        body: { data: { a: 1 } },
        contentType: MERGE,
      });
    },
  },
  {
    row: 21,
    title: "a JSON patch adds, removes, replaces, moves, copies and tests",
    run: async ({ namespace, quietly, send }) => {
      await quietly({
        method: "POST",
        path: pathOf("widgets", namespace),
        body: widget("w", { size: 1, colors: ["red", "blue"] }, { labels: { "example.com/a": "1" } }),
      });
      const path = pathOf("widgets", namespace, "w");
      const patch = async (step: string, body: unknown): Promise<unknown> =>
        send(step, { method: "PATCH", path, body, contentType: JSON_PATCH });
      await patch("add and test", [
        { op: "test", path: "/spec/size", value: 1 },
        { op: "add", path: "/spec/mode", value: "Slow" },
        { op: "add", path: "/spec/colors/1", value: "green" },
        { op: "add", path: "/spec/colors/-", value: "last" },
      ]);
      await patch("replace, remove, copy, move", [
        { op: "replace", path: "/spec/size", value: 3 },
        { op: "remove", path: "/spec/colors/0" },
        { op: "copy", from: "/spec/colors/0", path: "/spec/image" },
        { op: "move", from: "/spec/mode", path: "/metadata/labels/mode" },
      ]);
      await patch("an escaped key", [{ op: "remove", path: "/metadata/labels/example.com~1a" }]);
      await patch("nothing", []);
    },
  },
  {
    row: 22,
    title: "a JSON patch that cannot be applied is 422 without detail",
    run: async ({ namespace, quietly, send }) => {
      await quietly({ method: "POST", path: pathOf("widgets", namespace), body: widget("w") });
      const path = pathOf("widgets", namespace, "w");
      const patch = async (step: string, text: string): Promise<unknown> =>
        send(step, { method: "PATCH", path, text, contentType: JSON_PATCH });
      await patch(
        "a failed test",
        '[{"op":"test","path":"/spec/size","value":2},{"op":"replace","path":"/spec/size","value":3}]',
      );
      await patch("remove what is not there", '[{"op":"remove","path":"/spec/none"}]');
      await patch("an index out of range", '[{"op":"add","path":"/spec/colors/5","value":"x"}]');
      await patch("an unknown operation", '[{"op":"frobnicate","path":"/spec/size"}]');
      await send("nothing was written", { path });
    },
  },
  {
    row: 23,
    title: "a strategic merge patch merges containers by name and obeys its directives",
    run: async ({ namespace, quietly, note }) => {
      await quietly({
        method: "POST",
        path: pathOf("deployments", namespace),
        body: { ...deployment("d"), spec: { ...(deployment("d")["spec"] as object), paused: true } },
      });
      const path = pathOf("deployments", namespace, "d");
      const patch = async (step: string, body: Json): Promise<void> =>
        note(step, withoutStatus(await quietly({ method: "PATCH", path, body, contentType: STRATEGIC })));
      const containers = async (step: string, items: readonly unknown[], more: Json = {}): Promise<void> =>
        patch(step, { spec: { template: { spec: { containers: items, ...more } } } });
      await containers("change one container", [{ name: "side", image: "busybox:2" }]);
      await containers("add one", [{ name: "new", image: "new:1" }]);
      await containers("merge a variable and a port", [
        { name: "web", env: [{ name: "B", value: "2" }], ports: [{ containerPort: 81, protocol: "TCP" }] },
      ]);
      await containers("delete one", [{ name: "side", $patch: "delete" }]);
      await containers("order", [{ name: "new" }, { name: "web" }], {
        "$setElementOrder/containers": [{ name: "new" }, { name: "web" }],
      });
      await containers("remove a field", [{ name: "web", env: null }]);
      await patch("replace a map", { metadata: { labels: { $patch: "replace", only: "this" } } });
      await patch("keep only some keys", { spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } });
      await patch("finalizers merge", { metadata: { finalizers: ["example.com/a"] } });
      await patch("more finalizers", { metadata: { finalizers: ["example.com/b"] } });
      await patch("delete a primitive", { metadata: { "$deleteFromPrimitiveList/finalizers": ["example.com/a"] } });
      await patch("an unknown directive", { metadata: { labels: { $patch: "frobnicate" } } });
      await quietly({ method: "PATCH", path, body: { metadata: { finalizers: null } }, contentType: MERGE });
    },
  },
  {
    row: 24,
    title: "a strategic merge patch of a custom resource is 415 with the list of types",
    run: async ({ namespace, quietly, send }) => {
      await quietly({ method: "POST", path: pathOf("widgets", namespace), body: widget("w") });
      const path = pathOf("widgets", namespace, "w");
      await send("strategic", { method: "PATCH", path, body: {}, contentType: STRATEGIC });
      await send("plain JSON", { method: "PATCH", path, body: {}, contentType: "application/json" });
      await send("plain JSON to a configmap", {
        method: "PATCH",
        path: pathOf("configmaps", namespace, "c"),
        body: {},
        contentType: "application/json",
      });
      await send("XML to a collection", {
        method: "POST",
        path: pathOf("configmaps", namespace),
        text: "<a/>",
        contentType: "application/xml",
      });
    },
  },
];

// The deployment controller writes the status meanwhile.
function withoutStatus(answer: Answer): unknown {
  const { status, metadata, ...object } = objectOf(answer);
  if (answer.status !== 200) return { code: answer.status, body: answer.body };
  const { resourceVersion: _resourceVersion, ...others } = metadata;
  return { code: answer.status, hasStatus: status !== undefined, metadata: others, ...object };
}
