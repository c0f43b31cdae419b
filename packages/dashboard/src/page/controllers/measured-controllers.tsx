import type { JSX } from "preact";

import { useRoute } from "../route/use-route.ts";
import { useNow, useSelect } from "../state/hooks.ts";
import { Charts, spanOf, SpanChoice, SPANS } from "./controller-charts.tsx";
import { ControllerTable } from "./controller-tables.tsx";
import { ReplicaTable } from "./replica-table.tsx";

/** The controllers of a manager in a cluster, as its metrics describe them: replicas, totals, and charts. */
export function MeasuredControllers(): JSX.Element {
  const { route, set } = useRoute();
  const controllers = useSelect((state) => state.controllers);
  const now = useNow(1000);
  const span = spanOf(route.params["span"]);
  const selected = route.params["controller"] ?? "";
  const names = selected === "" ? [...controllers.keys()].toSorted() : [selected];
  return (
    <div class="view scrolls">
      <div class="toolbar">
        <h2>Replicas</h2>
      </div>
      <ReplicaTable />
      <div class="toolbar">
        <h2>Controllers</h2>
        <SpanChoice span={span} />
      </div>
      <ControllerTable
        controllers={controllers}
        selected={selected}
        onSelect={(controller) => set({ controller })}
        nothing="No metrics of controllers have been read yet."
      />
      {controllers.size > 0 ? (
        <Charts controllers={controllers} names={names} window={{ from: now - SPANS[span], to: now }} />
      ) : null}
      <p class="status-line">
        From the metrics of all replicas, every few seconds. Metrics do not contain single reconciles; the log does.
      </p>
    </div>
  );
}
