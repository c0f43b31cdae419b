import type { JSX } from "preact";
import { useMemo } from "preact/hooks";

import type { ReconcileRecord, ReconcileWrite } from "../feed/protocol.ts";
import { LogLines } from "../logs/log-lines.tsx";
import { formatDuration, formatName, formatTime, plural } from "../parts/format.ts";
import { Facts, Panel } from "../parts/panel.tsx";
import { Symbol } from "../parts/symbols.tsx";
import { Nothing } from "../parts/text.tsx";
import { linkTo } from "../route/route.ts";
import { useSelect } from "../state/hooks.ts";
import type { ObjectEntry } from "../state/model.ts";
import { objectKey } from "../state/object-entry.ts";
import { objectOf, triggerOf } from "./filter-reconciles.ts";
import { Outcome } from "./outcomes.tsx";

/** A reconcile with its writes and log lines. */
export function ReconcilePanel({
  record,
  onClose,
}: {
  readonly record: ReconcileRecord | undefined;
  readonly onClose: () => void;
}): JSX.Element {
  if (record === undefined)
    return (
      <Panel label="Reconcile" title="Not found" onClose={onClose}>
        <Nothing>The reconcile is not recorded any more.</Nothing>
      </Panel>
    );
  const { id, controller, startedAt, durationMs, error, errorCode } = record;
  return (
    <Panel
      label={`Reconcile of ${objectOf(record)}`}
      title={objectOf(record)}
      subtitle={`Reconcile by ${controller}`}
      onClose={onClose}
    >
      <Facts
        items={[
          ["Outcome", <Outcome key="outcome" record={record} />],
          record.trigger === undefined ? undefined : ["Triggered by", triggerOf(record)],
          ["Started", formatTime(startedAt)],
          durationMs === undefined ? undefined : ["Duration", formatDuration(durationMs)],
          ["ID", <code key="id">{id}</code>],
        ]}
      />
      {error === undefined ? null : (
        <section>
          <h3>Error{errorCode === undefined ? "" : ` ${errorCode}`}</h3>
          <pre class="code error" tabIndex={0} role="region" aria-label="Error">
            {error}
          </pre>
        </section>
      )}
      <Writes record={record} />
      <ReconcileLog record={record} />
      <p class="links">
        <a href={linkTo("controllers", { controller, object: objectOf(record) })}>All reconciles of this object</a>
        <a href={linkTo("logs", { reconcile: id })}>Log lines of this reconcile</a>
      </p>
    </Panel>
  );
}

function Writes({ record }: { readonly record: ReconcileRecord }): JSX.Element {
  const objects = useSelect((state) => state.objects);
  const { writes, startedAt } = record;
  return (
    <section>
      <h3>{writes.length === 0 ? "Writes" : plural(writes.length, "write")}</h3>
      {writes.length === 0 ? (
        <Nothing>{record.outcome === "running" ? "It has written nothing yet." : "It wrote nothing."}</Nothing>
      ) : (
        <table class="table">
          <thead>
            <tr>
              <th scope="col" class="number">
                After
              </th>
              <th scope="col">Verb</th>
              <th scope="col">Object</th>
              <th scope="col" class="number">
                Status
              </th>
              <th scope="col" class="number">
                Duration
              </th>
              <th scope="col">Version</th>
            </tr>
          </thead>
          <tbody>
            {writes.map((write, index) => (
              <tr key={index}>
                <td class="number">{formatDuration(Math.max(0, write.at - startedAt))}</td>
                <td>
                  {write.verb}
                  {write.isUnchanged === true ? " (unchanged)" : ""}
                </td>
                <td class="wrap">
                  <span class="kind">{write.resource}</span> {formatName(write.namespace, write.name)}
                </td>
                <td class="number nowrap">
                  {write.status === 0 || write.status >= 400 ? <Symbol tone="bad" title="Failed" /> : null}{" "}
                  {write.status === 0 ? "no response" : write.status}
                </td>
                <td class="number">{formatDuration(write.durationMs)}</td>
                <td>
                  <VersionLink write={write} objects={objects} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function VersionLink({
  write,
  objects,
}: {
  readonly write: ReconcileWrite;
  readonly objects: ReadonlyMap<string, ObjectEntry>;
}): JSX.Element {
  const entry = useMemo(() => findWritten(objects, write), [objects, write]);
  const { resourceVersion = "" } = write;
  if (entry === undefined) return <span class="muted">{resourceVersion === "" ? "–" : resourceVersion}</span>;
  const uid = entry.isDeleted ? entry.summary.uid : "";
  const target = { sel: objectKey(entry.summary), uid, ...(entry.isDeleted ? { deleted: "1" } : {}) };
  return (
    <a href={linkTo("objects", { ...target, tab: "history", version: resourceVersion })}>
      {resourceVersion === "" ? "history" : resourceVersion}
    </a>
  );
}

function findWritten(objects: ReadonlyMap<string, ObjectEntry>, write: ReconcileWrite): ObjectEntry | undefined {
  const [resource, group] = splitResource(write.resource);
  let found: ObjectEntry | undefined;
  for (const entry of objects.values()) {
    const { summary } = entry;
    if (summary.name !== write.name || summary.namespace !== write.namespace || summary.resource !== resource) continue;
    const ownGroup = summary.apiVersion.includes("/") ? summary.apiVersion.split("/")[0] : "";
    if (ownGroup === group && (found === undefined || found.isDeleted)) found = entry;
  }
  return found;
}

// `deployments.apps/status`
function splitResource(text: string): readonly [resource: string, group: string] {
  const name = text.split("/")[0] ?? "";
  const dot = name.indexOf(".");
  return dot === -1 ? [name, ""] : [name.slice(0, dot), name.slice(dot + 1)];
}

function ReconcileLog({ record }: { readonly record: ReconcileRecord }): JSX.Element {
  const logs = useSelect((state) => state.logs);
  const lines = useMemo(() => logs.filter(({ line }) => line.reconcileId === record.id), [logs, record.id]);
  return (
    <section>
      <h3>Log</h3>
      {lines.length === 0 ? (
        <Nothing>No log line of it is on this page.</Nothing>
      ) : (
        <LogLines lines={lines.map(({ line }) => line)} />
      )}
    </section>
  );
}
