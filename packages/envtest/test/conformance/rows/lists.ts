import { configMap, pathOf, widget } from "../kinds.ts";
import { objectOf, type KubeObject, type Row } from "../row.ts";

export const LIST_ROWS: readonly Row[] = [
  {
    row: 87,
    title: "a field selector that is not supported is 400",
    run: async ({ namespace, quietly, send }) => {
      await quietly({ method: "POST", path: pathOf("widgets", namespace), body: widget("w") });
      await send("a custom resource", { path: `${pathOf("widgets", namespace)}?fieldSelector=spec.size%3D1` });
      await send("a configmap", { path: `${pathOf("configmaps", namespace)}?fieldSelector=data.a%3D1` });
      await send("a pod", { path: `${pathOf("pods", namespace)}?fieldSelector=spec.bogus%3D1` });
      await send("no selector", { path: `${pathOf("widgets", namespace)}?fieldSelector=nonsense` });
      await send("a watch", { path: `${pathOf("widgets", namespace)}?watch=1&fieldSelector=spec.size%3D1` });
      await send("a label selector that cannot be parsed", {
        path: `${pathOf("widgets", namespace)}?labelSelector=a%20in`,
      });
      await send("a label selector with a bad key", {
        path: `${pathOf("configmaps", namespace)}?labelSelector=bad%20key%3Dx`,
      });
      await send("by name", { path: `${pathOf("widgets", namespace)}?fieldSelector=metadata.name%3Dw` });
      await send("not by name", { path: `${pathOf("widgets", namespace)}?fieldSelector=metadata.name!%3Dw` });
    },
  },
  {
    row: 88,
    title: "label selectors select by sets, and != selects what has no such key",
    run: async ({ namespace, quietly, note }) => {
      const labels: Readonly<Record<string, Record<string, string>>> = {
        a: { tier: "web", size: "1" },
        b: { tier: "db", size: "10" },
        c: { other: "x" },
        d: {},
      };
      for (const [name, values] of Object.entries(labels)) {
        await quietly({
          method: "POST",
          path: pathOf("widgets", namespace),
          body: widget(name, { size: 1 }, { labels: values }),
        });
        await quietly({
          method: "POST",
          path: pathOf("configmaps", namespace),
          body: configMap(name, {}, { labels: { ...values, ours: "yes" } }),
        });
      }
      const selectors = [
        "tier=web",
        "tier==web",
        "tier!=web",
        "tier in (web,db)",
        "tier notin (web)",
        "tier",
        "!tier",
        "size>5",
        "size<5",
        "tier=web,size=1",
        "tier in (web),other",
        "",
        "tier=",
        "tier in ()",
      ];
      for (const selector of selectors) {
        const answer = await quietly({
          path: `${pathOf("widgets", namespace)}?labelSelector=${encodeURIComponent(selector)}`,
        });
        note(`widgets ${selector}`, names(objectOf(answer)));
        const maps = await quietly({
          path: `${pathOf("configmaps", namespace)}?labelSelector=${encodeURIComponent(["ours", selector].filter(Boolean).join(","))}`,
        });
        note(`configmaps ${selector}`, names(objectOf(maps)));
      }
    },
  },
  {
    row: 90,
    title: "pages show one moment, whatever is written between them",
    run: async ({ namespace, quietly, send, note }) => {
      const path = pathOf("widgets", namespace);
      for (const name of ["a", "c", "e", "g", "i"]) await quietly({ method: "POST", path, body: widget(name) });
      const first = objectOf(await send("first page", { path: `${path}?limit=2` }));
      await quietly({ method: "POST", path, body: widget("d") });
      await quietly({ method: "DELETE", path: `${path}/g` });
      const second = objectOf(
        await send("second page", {
          path: `${path}?limit=2&continue=${encodeURIComponent(String(first.metadata["continue"]))}`,
        }),
      );
      note("the moment is the same", first.metadata.resourceVersion === second.metadata.resourceVersion);
      const last = objectOf(
        await send("last page", {
          path: `${path}?limit=2&continue=${encodeURIComponent(String(second.metadata["continue"]))}`,
        }),
      );
      note("no more pages", last.metadata["continue"] ?? "");
      await send("all at once", { path: `${path}?limit=100` });
      const foreign = Buffer.from(JSON.stringify({ v: "example.com/v1", rv: 1, start: "a" })).toString("base64url");
      await send("a token of another server", { path: `${path}?limit=2&continue=${foreign}` });
      await send("a token and a resourceVersion", {
        path: `${path}?limit=2&resourceVersion=5&continue=${encodeURIComponent(String(first.metadata["continue"]))}`,
      });
      await quietly({
        method: "PATCH",
        path: `${path}/i`,
        body: { metadata: { labels: { l: "1" } } },
        contentType: "application/merge-patch+json",
      });
      await quietly({
        method: "PATCH",
        path: `${path}/a`,
        body: { metadata: { labels: { l: "1" } } },
        contentType: "application/merge-patch+json",
      });
      await send("a selector fills its page", { path: `${path}?limit=2&labelSelector=l` });
    },
  },
];

function names(list: KubeObject): unknown {
  return list.items?.map(({ metadata }) => metadata.name) ?? { message: list["message"], code: list["code"] };
}
