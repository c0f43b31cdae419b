import type { JSX } from "preact";

import { Facts } from "../parts/panel.tsx";
import { ReadinessSymbol, Symbol } from "../parts/symbols.tsx";
import { Age } from "../parts/text.tsx";
import { linkTo } from "../route/route.ts";
import { useCapability, useSelect } from "../state/hooks.ts";
import type { ObjectEntry } from "../state/model.ts";
import { objectKey } from "../state/object-entry.ts";
import { conditionTone } from "../state/readiness.ts";
import { parentOf } from "./object-tree.ts";

/** The facts, conditions, relatives, and events of an object. */
export function ObjectOverview({
  entry,
  objects,
}: {
  readonly entry: ObjectEntry;
  readonly objects: ReadonlyMap<string, ObjectEntry>;
}): JSX.Element {
  const { summary } = entry;
  const hasHistory = useCapability("history");
  const hasReconciles = useCapability("reconciles");
  const owned = [...objects.values()].filter(
    (each) => !each.isDeleted && parentOf(objects, each) === summary.uid && each !== entry,
  );
  return (
    <>
      <Facts
        items={[
          summary.phase === undefined ? undefined : ["Status", summary.phase],
          ["Age", <Age key="age" at={summary.createdAt} />],
          ["Version", <code key="version">{summary.resourceVersion}</code>],
          summary.generation === undefined ? undefined : ["Generation", String(summary.generation)],
          summary.finalizers === undefined || summary.finalizers.length === 0
            ? undefined
            : ["Finalizers", summary.finalizers.join(", ")],
          summary.deletedAt === undefined ? undefined : ["Deleted", <Age key="deleted" at={summary.deletedAt} />],
        ]}
      />
      <ConditionTable entry={entry} />
      <Relatives title="Owners" entries={(summary.owners ?? []).flatMap(({ uid }) => objects.get(uid) ?? [])} />
      <Relatives title="Owned objects" entries={owned} />
      <ObjectEvents uid={summary.uid} />
      <p class="links">
        <a href={linkTo("logs", { object: objectName(entry) })}>Events and logs of this object</a>
        {hasReconciles ? <a href={linkTo("controllers", { object: objectName(entry) })}>Its reconciles</a> : null}
      </p>
      {hasHistory ? null : <p class="muted">A cluster keeps no earlier versions of objects, so there is no history.</p>}
    </>
  );
}

function objectName({ summary }: ObjectEntry): string {
  return summary.namespace === "" ? summary.name : `${summary.namespace}/${summary.name}`;
}

function ConditionTable({ entry }: { readonly entry: ObjectEntry }): JSX.Element | null {
  const { conditions = [] } = entry.summary;
  if (conditions.length === 0) return null;
  return (
    <section>
      <h3>Conditions</h3>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Type</th>
            <th scope="col">Status</th>
            <th scope="col">Reason</th>
            <th scope="col">Message</th>
          </tr>
        </thead>
        <tbody>
          {conditions.map((condition) => (
            <tr key={condition.type}>
              <td class="nowrap">
                <Symbol tone={conditionTone(condition)} /> {condition.type}
              </td>
              <td>{condition.status}</td>
              <td>{condition.reason}</td>
              <td class="wrap">{condition.message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Relatives({
  title,
  entries,
}: {
  readonly title: string;
  readonly entries: readonly ObjectEntry[];
}): JSX.Element | null {
  if (entries.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul class="plain">
        {entries.slice(0, 50).map((entry) => (
          <li key={entry.summary.uid}>
            <ReadinessSymbol readiness={entry.readiness} /> <span class="kind">{entry.summary.kind}</span>{" "}
            <a href={linkTo("objects", { sel: objectKey(entry.summary) })}>{entry.summary.name}</a>{" "}
            <span class="muted">{entry.summary.phase}</span>
          </li>
        ))}
        {entries.length > 50 ? <li class="muted">{`and ${String(entries.length - 50)} more`}</li> : null}
      </ul>
    </section>
  );
}

function ObjectEvents({ uid }: { readonly uid: string }): JSX.Element | null {
  const events = useSelect((state) => state.events);
  const own = [...events.values()].filter((event) => event.objectUid === uid).toReversed();
  if (own.length === 0) return null;
  return (
    <section>
      <h3>Events</h3>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Reason</th>
            <th scope="col">Message</th>
            <th scope="col">Source</th>
            <th scope="col" class="number">
              Age
            </th>
          </tr>
        </thead>
        <tbody>
          {own.slice(0, 50).map((event) => (
            <tr key={event.uid}>
              <td class="nowrap">
                {event.severity === "Warning" ? <Symbol tone="bad" title="Warning" /> : null} {event.reason}
                {event.count > 1 ? <span class="count">×{event.count}</span> : null}
              </td>
              <td class="wrap">{event.message}</td>
              <td>{event.source}</td>
              <td class="number">
                <Age at={event.at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
