import type { JSX } from "preact";
import { useMemo } from "preact/hooks";

import { formatCount, formatDuration, formatRate } from "../parts/format.ts";
import { Symbol } from "../parts/symbols.tsx";
import { Nothing } from "../parts/text.tsx";
import { linkTo } from "../route/route.ts";
import { useSelect } from "../state/hooks.ts";
import type { ControllerSeries } from "../state/model.ts";

const OUTCOMES = [
  ["success", "Succeeded"],
  ["requeue", "Requeued"],
  ["requeueAfter", "Requeued after"],
] as const;

/** The current state of each controller. A click filters the view. */
export function ControllerTable({
  controllers,
  selected,
  onSelect,
  nothing = "No controller has started yet.",
}: {
  readonly controllers: ReadonlyMap<string, ControllerSeries>;
  readonly selected: string;
  /** What to say without controllers. */
  readonly nothing?: string;
  readonly onSelect: (controller: string) => void;
}): JSX.Element {
  const names = useMemo(() => [...controllers.keys()].toSorted(), [controllers]);
  const hasOutcomes = [...controllers.values()].some(({ latest }) => latest.outcomes !== undefined);
  if (names.length === 0) return <Nothing>{nothing}</Nothing>;
  return (
    <table class="table controllers">
      <thead>
        <tr>
          <th scope="col">Controller</th>
          <th scope="col" class="number">
            Reconciles
          </th>
          <th scope="col" class="number">
            Errors
          </th>
          {hasOutcomes
            ? OUTCOMES.map(([key, title]) => (
                <th key={key} scope="col" class="number">
                  {title}
                </th>
              ))
            : null}
          <th scope="col" class="number">
            Rate
          </th>
          <th scope="col" class="number">
            Queue
          </th>
          <th scope="col" class="number">
            Workers
          </th>
          <th scope="col" class="number">
            p50
          </th>
          <th scope="col" class="number">
            p90
          </th>
          <th scope="col" class="number">
            p99
          </th>
        </tr>
      </thead>
      <tbody>
        {names.map((name, index) => (
          <ControllerRow
            key={name}
            series={controllers.get(name)}
            name={name}
            color={(index % 6) + 1}
            isSelected={name === selected}
            onSelect={onSelect}
          />
        ))}
      </tbody>
    </table>
  );
}

function ControllerRow({
  series,
  name,
  color,
  isSelected,
  onSelect,
}: {
  readonly series: ControllerSeries | undefined;
  readonly name: string;
  /** Its color in the charts. */
  readonly color: number;
  readonly isSelected: boolean;
  readonly onSelect: (controller: string) => void;
}): JSX.Element | null {
  if (series === undefined) return null;
  const { latest } = series;
  const isSaturated = latest.activeWorkers >= latest.maxWorkers && latest.queueDepth > 0;
  return (
    <tr class={isSelected ? "is-selected" : ""}>
      <th scope="row" class="nowrap">
        <span class={`swatch series-${String(color)}`} />{" "}
        <button type="button" class="link" aria-pressed={isSelected} onClick={() => onSelect(isSelected ? "" : name)}>
          {name}
        </button>
      </th>
      <td class="number">{formatCount(latest.reconciles)}</td>
      <td class="number">
        {latest.errors === 0 ? (
          "0"
        ) : latest.outcomes !== undefined ? (
          <span class="tone-text-bad">
            <Symbol tone="bad" /> {formatCount(latest.errors)}
          </span>
        ) : (
          <a class="tone-text-bad" href={linkTo("controllers", { controller: name, outcome: "error" })}>
            <Symbol tone="bad" /> {formatCount(latest.errors)}
          </a>
        )}
      </td>
      {latest.outcomes === undefined
        ? null
        : OUTCOMES.map(([key]) => (
            <td key={key} class="number">
              {formatCount(latest.outcomes?.[key] ?? 0)}
            </td>
          ))}
      <td class="number">{formatRate(latest.rate)}/s</td>
      <td class="number">{formatCount(latest.queueDepth)}</td>
      <td class="number" title={isSaturated ? "All workers are busy, and the queue grows" : undefined}>
        {isSaturated ? <Symbol tone="busy" title="Saturated" /> : null} {latest.activeWorkers}/{latest.maxWorkers}
      </td>
      {[latest.p50Ms, latest.p90Ms, latest.p99Ms].map((value, index) => (
        <td key={index} class="number">
          {value === undefined ? "–" : formatDuration(value)}
        </td>
      ))}
    </tr>
  );
}

/** The number of objects in the manager's cache. */
export function CacheTable(): JSX.Element {
  const caches = useSelect((state) => state.caches);
  const rows = [...caches.values()].toSorted((left, right) => right.objects - left.objects);
  return (
    <section class="chart caches">
      <h3>Cache</h3>
      {rows.length === 0 ? (
        <Nothing>Nothing is cached.</Nothing>
      ) : (
        <ul class="plain" tabIndex={0} aria-label="Cached objects by kind">
          {rows.map(({ apiVersion, kind, objects, isSynced }) => (
            <li key={`${apiVersion}/${kind}`} title={apiVersion}>
              <a href={linkTo("objects", { kind })}>{kind}</a>
              <span>
                {isSynced ? null : <Symbol tone="busy" title="Not synced" />} {formatCount(objects)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
