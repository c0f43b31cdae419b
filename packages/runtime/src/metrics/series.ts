import { goFloat } from "@kubescaffold/k8s";

import type { Histogram, MetricsRegistry } from "./registry.ts";

type Labels<L extends string> = Readonly<Record<L, string>>;

interface Described<L extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly L[];
}

/** A number with labels; hot paths change it directly, and a scrape reads it. */
export class Series {
  value = 0;

  /** Starts at zero again. */
  reset(): void {
    this.value = 0;
  }
}

/** The distribution of a value with labels. */
export class DurationSeries {
  readonly counts: number[];
  sum = 0;
  count = 0;
  readonly #bounds: readonly number[];

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.counts = Array.from(bounds, () => 0);
  }

  /** Starts at zero again. */
  reset(): void {
    this.counts.fill(0);
    this.sum = 0;
    this.count = 0;
  }

  /** Counts a value in the first bucket that contains it. */
  observe(value: number): void {
    this.sum += value;
    this.count += 1;
    const bounds = this.#bounds;
    for (let index = 0; index < bounds.length; index += 1) {
      if (value <= (bounds[index] ?? 0)) {
        this.counts[index] = (this.counts[index] ?? 0) + 1;
        return;
      }
    }
  }
}

interface Sample {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/**
 * A metric whose series are plain objects, since prom-client checks and hashes the labels at each increment.
 *
 * The registry calls `get` at each scrape, as for its own metrics.
 */
abstract class Family<L extends string, S extends { reset(): void }> {
  readonly name: string;
  readonly help: string;
  readonly aggregator = "sum";
  abstract readonly type: "counter" | "gauge" | "histogram";
  readonly #series = new Map<string, { readonly labels: Labels<L>; readonly series: S }>();
  /** The names of the labels, as in metrics of prom-client. */
  readonly labelNames: readonly L[];
  readonly #create: () => S;

  constructor(described: Described<L>, registry: MetricsRegistry, create: () => S) {
    this.name = described.name;
    this.help = described.help;
    this.labelNames = described.labelNames;
    this.#create = create;
    // The registry calls only the members that this class has, but its type names the classes of prom-client.
    registry.registerMetric(this as unknown as Histogram);
  }

  /** Returns the series with the labels, which starts at zero. */
  with(labels: Labels<L>): S {
    const key = this.labelNames.map((name) => labels[name]).join("\u0000");
    const known = this.#series.get(key);
    if (known !== undefined) {
      return known.series;
    }
    const series = this.#create();
    this.#series.set(key, { labels: { ...labels }, series });
    return series;
  }

  /** Resets all series in place, since queues and controllers hold them. */
  reset(): void {
    for (const { series } of this.#series.values()) {
      series.reset();
    }
  }

  /** Returns the samples of a scrape, in the shape of prom-client. */
  async get(): Promise<unknown> {
    this.collect();
    const values = [...this.#series.values()].flatMap(({ labels, series }) => this.samplesOf(labels, series));
    return { name: this.name, help: this.help, type: this.type, aggregator: this.aggregator, values };
  }

  protected collect(): void {
    // Most series are up to date.
  }

  protected abstract samplesOf(labels: Labels<L>, series: S): readonly Sample[];
}

/** A counter, or a gauge, whose series are plain numbers. */
export class NumberFamily<L extends string> extends Family<L, Series> {
  readonly type: "counter" | "gauge";
  readonly #refresh: (() => void) | undefined;

  constructor(
    described: Described<L> & { readonly type: "counter" | "gauge"; readonly refresh?: () => void },
    registry: MetricsRegistry,
  ) {
    super(described, registry, () => new Series());
    this.type = described.type;
    this.#refresh = described.refresh;
  }

  /** Adds to the series with the labels. */
  inc(labels: Labels<L>, amount: number = 1): void {
    this.with(labels).value += amount;
  }

  /** Sets the series with the labels. */
  set(labels: Labels<L>, value: number): void {
    this.with(labels).value = value;
  }

  protected override collect(): void {
    this.#refresh?.();
  }

  protected samplesOf(labels: Labels<L>, series: Series): readonly Sample[] {
    return [{ labels, value: series.value }];
  }
}

/** A histogram whose series are plain numbers. */
export class DurationFamily<L extends string> extends Family<L, DurationSeries> {
  readonly type = "histogram";
  readonly #bounds: readonly number[];

  constructor(described: Described<L> & { readonly buckets: readonly number[] }, registry: MetricsRegistry) {
    super(described, registry, () => new DurationSeries(described.buckets));
    this.#bounds = described.buckets;
  }

  protected samplesOf(labels: Labels<L>, series: DurationSeries): readonly Sample[] {
    const bucket = `${this.name}_bucket`;
    let total = 0;
    const buckets = this.#bounds.map((bound, index): Sample => {
      total += series.counts[index] ?? 0;
      return { metricName: bucket, labels: { le: goFloat(bound), ...labels }, value: total };
    });
    return [
      ...buckets,
      { metricName: bucket, labels: { le: "+Inf", ...labels }, value: series.count },
      { metricName: `${this.name}_sum`, labels, value: series.sum },
      { metricName: `${this.name}_count`, labels, value: series.count },
    ];
  }
}
