import { type Family, gauge, startTime } from "./families.ts";
import type { ServedMetrics } from "./server-metrics.ts";
import { printFamilies, TEXT_FORMAT } from "./text-format.ts";

/** How often each check of a health endpoint has run, by the endpoint; all of them succeed. */
export type HealthCounts = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Returns the metrics of health checks in the text format of Prometheus; checks that have not run are absent. */
export function healthMetricsText(counts: HealthCounts): ServedMetrics {
  const runs = [...counts].flatMap(([type, checks]) => [...checks].map(([name, count]) => ({ name, type, count })));
  const sorted = runs.toSorted((left, right) =>
    left.name < right.name ? -1 : left.name > right.name ? 1 : left.type < right.type ? -1 : 1,
  );
  const total = "kubernetes_healthchecks_total";
  const families: readonly Family[] = [
    gauge(
      "kubernetes_healthcheck",
      sorted.map(({ name, type }) => [{ name, type }, 1]),
    ),
    {
      name: total,
      type: "counter",
      samples: sorted.map(({ name, type, count }) => ({
        name: total,
        labels: { name, status: "success", type },
        value: count,
      })),
    },
    startTime(),
  ];
  return { contentType: TEXT_FORMAT, body: printFamilies(families) };
}
