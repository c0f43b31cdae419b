import "uplot/dist/uPlot.min.css";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import UPlot from "uplot";

import { useTheme } from "../theme/theme.ts";
import type { ChartData } from "./series.ts";

const HEIGHT = 118;

/** A line chart over time. The numbers are in the table above as well, so that screen readers get a summary instead of the picture. */
export function Chart({
  title,
  summary,
  legend = [],
  names,
  colors,
  data,
  format,
}: {
  readonly title: string;
  readonly summary: string;
  /** The names of the lines, where the table above does not have their colors. */
  readonly legend?: readonly string[];
  readonly names: readonly string[];
  /** The numbers of the colors of the lines, from 1. */
  readonly colors: readonly number[];
  readonly data: ChartData;
  readonly format: (value: number) => string;
}): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(undefined);
  const { resolved } = useTheme();
  const key = `${resolved} ${names.join(" ")} ${colors.join(" ")}`;
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const created = new UPlot(optionsOf(element, { names, colors, format }), data as UPlot.AlignedData, element);
    plot.current = created;
    const observer = new ResizeObserver(() => created.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      created.destroy();
    };
  }, [key]);
  useEffect(() => plot.current?.setData(data as UPlot.AlignedData), [data]);
  return (
    <div class="chart" role="group" aria-label={`${title}: ${summary}`}>
      <p class="chart-title">
        {title} <span class="muted">{summary}</span>
        {legend.map((name, index) => (
          <span key={name} class="muted">
            {" "}
            <span class={`swatch series-${String(colors[index] ?? 1)}`} /> {name}
          </span>
        ))}
      </p>
      <div ref={host} aria-hidden="true" />
    </div>
  );
}

interface LineStyle {
  readonly names: readonly string[];
  readonly colors: readonly number[];
  readonly format: (value: number) => string;
}

function optionsOf(element: HTMLElement, { names, colors, format }: LineStyle): UPlot.Options {
  const style = getComputedStyle(element);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  const grid = { stroke: color("--line-faint"), width: 1 };
  const axis = { stroke: color("--text-faint"), grid, ticks: { show: false }, font: "11px system-ui", gap: 4 };
  return {
    width: Math.max(100, element.clientWidth),
    height: HEIGHT,
    padding: [8, 22, 0, 0],
    cursor: { y: false, points: { size: 5 }, drag: { x: false, y: false } },
    legend: { show: false },
    scales: { y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.15 : 1] } },
    axes: [
      { ...axis, size: 20, space: 70, values: (_plot, ticks) => ticks.map(clockTime) },
      { ...axis, size: 52, space: 28, values: (_plot, ticks) => ticks.map(format) },
    ],
    series: [
      {},
      ...names.map((name, index) => ({
        label: name,
        stroke: color(`--series-${String(colors[index] ?? 1)}`),
        width: 1.5,
        points: { show: false },
        ...(UPlot.paths.stepped === undefined ? {} : { paths: UPlot.paths.stepped({ align: 1 }) }),
      })),
    ],
  };
}

function clockTime(seconds: number): string {
  return new Date(seconds * 1000).toTimeString().slice(0, 8);
}
