import type { JSX } from "preact";

import { Segments } from "../parts/controls.tsx";
import { formatDuration, formatRate } from "../parts/format.ts";
import { useRoute } from "../route/use-route.ts";
import { useCapability } from "../state/hooks.ts";
import type { ControllerSeries } from "../state/model.ts";
import { Chart } from "./chart.tsx";
import { CacheTable } from "./controller-tables.tsx";
import { chartData, type ChartLine, type Measure } from "./series.ts";

/** The times that charts show, in milliseconds. */
export const SPANS = { "1m": 60_000, "5m": 300_000, "15m": 900_000 } as const;

/** The name of a time that charts show. */
export type Span = keyof typeof SPANS;

/** Reads the time from the parameter of a URL. */
export function spanOf(text: string | undefined): Span {
  return text === "1m" || text === "15m" ? text : "5m";
}

/** The choice of the time that charts show. */
export function SpanChoice({ span }: { readonly span: Span }): JSX.Element {
  const { set } = useRoute();
  return (
    <Segments<Span>
      label="Time shown"
      value={span}
      options={[
        { value: "1m", title: "1 min" },
        { value: "5m", title: "5 min" },
        { value: "15m", title: "15 min" },
      ]}
      onChange={(value) => set({ span: value === "5m" ? "" : value })}
    />
  );
}

/** Charts of rate, queue depth, and latency, and the cached objects where they are known. */
export function Charts({
  controllers,
  names,
  window,
}: {
  readonly controllers: ReadonlyMap<string, ControllerSeries>;
  readonly names: readonly string[];
  readonly window: { readonly from: number; readonly to: number };
}): JSX.Element {
  const hasCaches = useCapability("reconciles");
  const linesOf = (measures: readonly Measure[]): readonly ChartLine[] =>
    names.flatMap((controller) => measures.map((measure) => ({ controller, measure, title: controller })));
  const latencies: readonly Measure[] = names.length === 1 ? ["p50Ms", "p90Ms", "p99Ms"] : ["p90Ms"];
  const latest = names.flatMap((name) => controllers.get(name)?.latest ?? []);
  const sum = (pick: (sample: (typeof latest)[number]) => number): number =>
    latest.reduce((total, sample) => total + pick(sample), 0);
  const all = [...controllers.keys()].toSorted();
  const colors = names.map((name) => (Math.max(0, all.indexOf(name)) % 6) + 1);
  const largest = Math.max(0, ...latest.map(({ p90Ms = 0 }) => p90Ms));
  return (
    <div class="charts">
      <Chart
        title="Rate"
        summary={`${formatRate(sum(({ rate }) => rate))} reconciles/s`}
        names={names}
        colors={colors}
        data={chartData(controllers, linesOf(["rate"]), window)}
        format={formatRate}
      />
      <Chart
        title="Queue depth"
        summary={`${String(sum(({ queueDepth }) => queueDepth))} waiting`}
        names={names}
        colors={colors}
        data={chartData(controllers, linesOf(["queueDepth"]), window)}
        format={(value) => (Number.isInteger(value) ? String(value) : "")}
      />
      <Chart
        title={names.length === 1 ? "Latency" : "Latency p90"}
        legend={names.length === 1 ? ["p50", "p90", "p99"] : []}
        summary={formatDuration(largest)}
        names={linesOf(latencies).map(({ controller, measure }) => `${controller} ${measure}`)}
        colors={names.length === 1 ? [3, 1, 2] : colors}
        data={chartData(controllers, linesOf(latencies), window)}
        format={formatDuration}
      />
      {hasCaches ? <CacheTable /> : null}
    </div>
  );
}
