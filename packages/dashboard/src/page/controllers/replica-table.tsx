import type { JSX } from "preact";

import { Symbol } from "../parts/symbols.tsx";
import { Age, Nothing } from "../parts/text.tsx";
import { linkTo } from "../route/route.ts";
import { useSelect } from "../state/hooks.ts";

/** The Pods of a manager in a cluster. */
export function ReplicaTable(): JSX.Element {
  const replicas = useSelect((state) => state.replicas) ?? [];
  if (replicas.length === 0) return <Nothing>There is no Pod of the manager.</Nothing>;
  return (
    <table class="table controllers">
      <thead>
        <tr>
          <th scope="col">Pod</th>
          <th scope="col">Status</th>
          <th scope="col">Leader</th>
          <th scope="col">Metrics</th>
          <th scope="col" class="number">
            Restarts
          </th>
          <th scope="col">Node</th>
          <th scope="col">Image</th>
          <th scope="col" class="number">
            Age
          </th>
        </tr>
      </thead>
      <tbody>
        {replicas.map(({ pod, status, isReady, isLeader, hasMetrics, restarts, node, image, createdAt }) => (
          <tr key={pod}>
            <th scope="row">
              <a href={linkTo("logs", { pod })} title="The log of this Pod">
                {pod}
              </a>
            </th>
            <td class="nowrap">
              <Symbol tone={isReady ? "good" : "busy"} title={isReady ? "Ready" : "Not ready"} /> {status}
            </td>
            <td>{isLeader === undefined ? "no election" : isLeader ? "leader" : "standby"}</td>
            <td>{hasMetrics ? "read" : "not read"}</td>
            <td class="number">{restarts}</td>
            <td class="nowrap">{node}</td>
            <td class="wrap">{image}</td>
            <td class="number">
              <Age at={createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
