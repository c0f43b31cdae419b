import type { JSX } from "preact";

import { formatCount, formatDuration, formatRate } from "../parts/format.ts";
import { Symbol } from "../parts/symbols.tsx";
import { Nothing } from "../parts/text.tsx";
import { useSelect } from "../state/hooks.ts";

/** The webhooks of a manager in a cluster, as its metrics describe them. */
export function WebhookTotalsTable(): JSX.Element {
  const totals = useSelect((state) => state.webhookTotals);
  const rows = [...totals.values()].toSorted((left, right) => (left.path < right.path ? -1 : 1));
  return (
    <div class="view scrolls">
      {rows.length === 0 ? (
        <Nothing>No metrics of webhooks have been read.</Nothing>
      ) : (
        <table class="table controllers">
          <thead>
            <tr>
              <th scope="col">Path</th>
              {["Calls", "Failures", "In flight", "Rate", "p50", "p90", "p99"].map((title) => (
                <th key={title} scope="col" class="number">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ path, requests, failures, inFlight, rate, p50Ms, p90Ms, p99Ms }) => (
              <tr key={path}>
                <th scope="row">{path}</th>
                <td class="number">{formatCount(requests)}</td>
                <td class={failures > 0 ? "number tone-text-bad" : "number"}>
                  {failures > 0 ? <Symbol tone="bad" /> : null} {formatCount(failures)}
                </td>
                <td class="number">{formatCount(inFlight)}</td>
                <td class="number">{formatRate(rate)}/s</td>
                {[p50Ms, p90Ms, p99Ms].map((value, index) => (
                  <td key={index} class="number">
                    {value === undefined ? "–" : formatDuration(value)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p class="status-line">
        From the metrics of all replicas. A failure is a status other than 200: an object that a webhook refuses is
        none. Metrics do not contain single calls.
      </p>
    </div>
  );
}
