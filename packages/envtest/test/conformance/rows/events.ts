import { objectOf, type Row } from "../row.ts";

export const EVENT_ROWS: readonly Row[] = [
  {
    row: 431,
    title: "controllers combine similar events about an object from the tenth on",
    needs: ["controllers"],
    run: async ({ namespace, quietly, eventually, note }) => {
      const labels = { app: "many" };
      const containers = [{ name: "main", image: "main:1" }];
      const template = { metadata: { labels }, spec: { schedulerName: "none", containers } };
      const spec = { replicas: 12, selector: { matchLabels: labels }, template };
      const path = `/apis/apps/v1/namespaces/${namespace}/replicasets`;
      await quietly({ method: "POST", path, body: { metadata: { name: "many" }, spec } });
      const fields = encodeURIComponent("involvedObject.kind=ReplicaSet,involvedObject.name=many");
      const answer = await eventually(
        { path: `/api/v1/namespaces/${namespace}/events?fieldSelector=${fields}` },
        (each) => (objectOf(each).items ?? []).some(({ count }) => count === 3),
      );
      const shown = (objectOf(answer).items ?? []).map(({ metadata, message, ...event }) => {
        const { type, reason, count, source, reportingComponent, reportingInstance, eventTime } = event;
        const text = String(message).replace(/many-\w+$/u, "<pod>");
        const fieldNames = Object.keys(event).toSorted();
        const facts = { type, reason, count, source, reportingComponent, reportingInstance, eventTime };
        return JSON.stringify({ ...facts, fieldNames, message: text, isNamed: metadata.name.startsWith("many.") });
      });
      note(
        "the events",
        shown.toSorted().map((text) => JSON.parse(text) as unknown),
      );
    },
  },
];
