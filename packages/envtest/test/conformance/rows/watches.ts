import { configMap, pathOf, widget } from "../kinds.ts";
import { objectOf, type KubeObject, type Row, type RowContext } from "../row.ts";
import type { WatchEvent } from "../watch-stream.ts";

const MERGE = "application/merge-patch+json";

export const WATCH_ROWS: readonly Row[] = [
  {
    row: 10,
    title: "a watch from a list's resourceVersion sees ADDED, MODIFIED and DELETED in order",
    run: async ({ namespace, quietly, note, watch }) => {
      for (const plural of ["widgets", "configmaps"]) {
        const path = pathOf(plural, namespace);
        const list = objectOf(await quietly({ path }));
        const stream = await watch(
          `${path}?watch=true&labelSelector=l&resourceVersion=${list.metadata.resourceVersion}`,
        );
        await quietly({
          method: "POST",
          path,
          body:
            plural === "widgets"
              ? widget("w", { size: 1 }, { labels: { l: "1" } })
              : configMap("w", {}, { labels: { l: "1" } }),
        });
        await quietly({
          method: "PATCH",
          path: `${path}/w`,
          body: { metadata: { annotations: { x: "y" } } },
          contentType: MERGE,
        });
        await quietly({ method: "DELETE", path: `${path}/w` });
        const events = await stream.take(3);
        note(`events of ${plural}`, events);
        note(`resourceVersions of ${plural} grow`, isGrowing(events));
      }
    },
  },
  {
    row: 11,
    title: "a watch without resourceVersion begins with ADDED for all that is there",
    run: async ({ namespace, quietly, note, watch }) =>
      note("events", await initialEvents({ namespace, quietly, watch }, "")),
  },
  {
    row: 12,
    title: "a watch from resourceVersion 0 begins with ADDED for all that is there",
    run: async ({ namespace, quietly, note, watch }) =>
      note("events", await initialEvents({ namespace, quietly, watch }, "&resourceVersion=0")),
  },
  {
    row: 15,
    title: "removing the last finalizer of an object being deleted deletes it with one DELETED event",
    run: async ({ namespace, quietly, send, note, watch }) => {
      const path = pathOf("widgets", namespace, "w");
      await quietly({
        method: "POST",
        path: pathOf("widgets", namespace),
        body: widget("w", { size: 1 }, { finalizers: ["example.com/a", "example.com/b"] }),
      });
      const marked = objectOf(await quietly({ method: "DELETE", path }));
      const stream = await watch(
        `${pathOf("widgets", namespace)}?watch=1&resourceVersion=${marked.metadata.resourceVersion}`,
      );
      await send("remove the first", {
        method: "PATCH",
        path,
        body: { metadata: { finalizers: ["example.com/b"] } },
        contentType: MERGE,
      });
      await send("remove the last", {
        method: "PATCH",
        path,
        body: { metadata: { finalizers: null } },
        contentType: MERGE,
      });
      await send("get", { path });
      await quietly({ method: "POST", path: pathOf("widgets", namespace), body: widget("next") });
      const events = await stream.take(3);
      note(
        "event types and names",
        events.map(({ type, object }) => [type, (object as KubeObject).metadata.name]),
      );
    },
  },
  {
    row: 16,
    title: "the DELETED event still lists the finalizer and has the resourceVersion of the deletion",
    run: async ({ namespace, quietly, note, watch }) => {
      const path = pathOf("configmaps", namespace, "c");
      await quietly({
        method: "POST",
        path: pathOf("configmaps", namespace),
        body: configMap("c", {}, { finalizers: ["example.com/a"] }),
      });
      const marked = objectOf(await quietly({ method: "DELETE", path }));
      const stream = await watch(
        `${pathOf("configmaps", namespace)}?watch=1&resourceVersion=${marked.metadata.resourceVersion}`,
      );
      await quietly({ method: "PUT", path, body: { ...marked, metadata: { ...marked.metadata, finalizers: [] } } });
      const [event] = await stream.take(1);
      note("event", event);
      note("its resourceVersion is later", versionOf(event) > Number(marked.metadata.resourceVersion));
    },
  },
  {
    row: 94,
    title: "a watch from a resourceVersion long gone is 200 with one ERROR 410 and an end",
    run: async ({ namespace, note, watch }) => {
      const stream = await watch(`${pathOf("widgets", namespace)}?watch=1&resourceVersion=1`);
      note("status", stream.status);
      note("events", await stream.drain());
    },
  },
  {
    row: 95,
    title: "a watch that allows bookmarks gets one before its time is over",
    run: async (context) => {
      const facts = await Promise.all(["widgets", "configmaps"].map(async (plural) => bookmarkFacts(context, plural)));
      for (const [step, fact] of facts.flat()) context.note(step, fact);
    },
  },
  {
    row: 97,
    title: "timeoutSeconds ends a watch without an error",
    run: async ({ namespace, quietly, note, watch }) => {
      await quietly({ method: "POST", path: pathOf("widgets", namespace), body: widget("w") });
      const stream = await watch(`${pathOf("widgets", namespace)}?watch=1&timeoutSeconds=1`);
      note("status and stream", { status: stream.status, ...(await stream.drain()) });
    },
  },
];

async function bookmarkFacts(
  { namespace, quietly, watch }: RowContext,
  plural: string,
): Promise<readonly (readonly [string, unknown])[]> {
  const path = pathOf(plural, namespace);
  const { metadata } = objectOf(await quietly({ path }));
  const query = "watch=1&allowWatchBookmarks=true&timeoutSeconds=3&labelSelector=none%3Dsuch";
  const stream = await watch(`${path}?${query}&resourceVersion=${metadata.resourceVersion}`);
  // The reference sends a bookmark only when its version is later than the one the watch began with.
  await quietly({ method: "POST", path, body: plural === "widgets" ? widget("later") : configMap("later") });
  const { events, isClosed } = await stream.drain();
  const bookmark = events.at(-1);
  return [
    [`${plural}: closed by the server`, isClosed],
    [`${plural}: types`, [...new Set(events.map(({ type }) => type))]],
    [`${plural}: bookmark`, withoutVersion(bookmark)],
    [
      `${plural}: its resourceVersion is not before the list's`,
      versionOf(bookmark) >= Number(metadata.resourceVersion),
    ],
  ];
}

async function initialEvents(
  { namespace, quietly, watch }: Pick<Parameters<Row["run"]>[0], "namespace" | "quietly" | "watch">,
  query: string,
): Promise<readonly WatchEvent[]> {
  for (const name of ["b", "a"])
    await quietly({ method: "POST", path: pathOf("widgets", namespace), body: widget(name) });
  const stream = await watch(`${pathOf("widgets", namespace)}?watch=1${query}`);
  const first = await stream.take(2);
  await quietly({ method: "DELETE", path: pathOf("widgets", namespace, "a") });
  return [...first, ...(await stream.take(1))].sort(
    (a, b) => a.type.localeCompare(b.type) || nameOf(a).localeCompare(nameOf(b)),
  );
}

function nameOf({ object }: WatchEvent): string {
  return (object as KubeObject).metadata.name;
}

function isGrowing(events: readonly WatchEvent[]): boolean {
  const versions = events.map(versionOf);
  return versions.every((version, index) => index === 0 || version > (versions[index - 1] ?? 0));
}

function withoutVersion(event: WatchEvent | undefined): unknown {
  const object = event?.object as KubeObject;
  return { type: event?.type, object: { ...object, metadata: { ...object.metadata, resourceVersion: "<list-rv>" } } };
}

function versionOf(event: WatchEvent | undefined): number {
  return Number((event?.object as KubeObject | undefined)?.metadata.resourceVersion);
}
