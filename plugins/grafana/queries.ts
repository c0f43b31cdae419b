import { type Query, SELECTED } from "./dashboard-model.ts";

/** Returns how fast a counter grows, summed by labels. */
export function rateBy(metric: string, ...labels: readonly string[]): Query {
  return {
    expr: `sum by (${labels.join(", ")}) (rate(${metric}{${SELECTED}}[$__rate_interval]))`,
    legend: legendOf(labels),
  };
}

/** Returns the values of a gauge, summed by labels. */
export function sumBy(metric: string, ...labels: readonly string[]): Query {
  return { expr: `sum by (${labels.join(", ")}) (${metric}{${SELECTED}})`, legend: legendOf(labels) };
}

/** Returns the highest values of a gauge by labels. */
export function maxBy(metric: string, ...labels: readonly string[]): Query {
  return { expr: `max by (${labels.join(", ")}) (${metric}{${SELECTED}})`, legend: legendOf(labels) };
}

/** Returns the time until the earliest of the times that a gauge has, by labels. */
export function secondsUntil(metric: string, ...labels: readonly string[]): Query {
  return { expr: `min by (${labels.join(", ")}) (${metric}{${SELECTED}}) - time()`, legend: legendOf(labels) };
}

/** Returns the medians of a histogram and the values that one of ten and one of a hundred exceed, by labels. */
export function quantilesBy(metric: string, ...labels: readonly string[]): readonly Query[] {
  return [0.5, 0.9, 0.99].map((quantile) => ({
    expr: `histogram_quantile(${quantile}, sum by (${[...labels, "le"].join(", ")}) (rate(${metric}_bucket{${SELECTED}}[$__rate_interval])))`,
    legend: `p${quantile * 100} ${legendOf(labels)}`,
  }));
}

function legendOf(labels: readonly string[]): string {
  return labels.map((label) => `{{${label}}}`).join(" ");
}
