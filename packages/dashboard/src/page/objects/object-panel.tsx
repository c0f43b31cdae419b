import type { JSX } from "preact";
import { useState } from "preact/hooks";

import type { ObjectSummary } from "../feed/protocol.ts";
import { deleteObject, getHistory, getObject } from "../feed/requests.ts";
import { Tabs } from "../parts/controls.tsx";
import { Confirmation } from "../parts/dialog.tsx";
import { formatName } from "../parts/format.ts";
import { Panel } from "../parts/panel.tsx";
import { ReadinessSymbol } from "../parts/symbols.tsx";
import { Nothing, YamlText } from "../parts/text.tsx";
import { linkTo } from "../route/route.ts";
import { useRoute } from "../route/use-route.ts";
import { useCapability, useRequest } from "../state/hooks.ts";
import type { ObjectEntry } from "../state/model.ts";
import { objectKey } from "../state/object-entry.ts";
import { FieldOwners } from "./field-owners.tsx";
import { ObjectHistoryView } from "./object-history.tsx";
import { ObjectOverview } from "./object-overview.tsx";

const TABS = ["overview", "yaml", "history", "owners"] as const;
type Tab = (typeof TABS)[number];

interface PanelProps {
  readonly entry: ObjectEntry | undefined;
  readonly name: string;
  readonly objects: ReadonlyMap<string, ObjectEntry>;
  readonly onClose: () => void;
}

/** The details of an object. */
export function ObjectPanel({ entry, name, objects, onClose }: PanelProps): JSX.Element {
  if (entry === undefined)
    return (
      <Panel label="Object" title="Not found" onClose={onClose}>
        <Nothing>{`There is no object ${name}.`}</Nothing>
      </Panel>
    );
  const { summary } = entry;
  return (
    <Panel
      label={`${summary.kind} ${summary.name}`}
      title={
        <>
          <ReadinessSymbol readiness={entry.readiness} /> {summary.name}
        </>
      }
      subtitle={`${summary.kind} · ${summary.apiVersion}${summary.namespace === "" ? "" : ` · ${summary.namespace}`}`}
      actions={entry.isDeleted ? null : <Actions summary={summary} />}
      onClose={onClose}
    >
      <PanelTabs entry={entry} objects={objects} />
    </Panel>
  );
}

function PanelTabs({ entry, objects }: Pick<PanelProps, "objects"> & { readonly entry: ObjectEntry }): JSX.Element {
  const { route, set } = useRoute();
  const hasHistory = useCapability("history");
  const tab = TABS.find((each) => each === route.params["tab"]) ?? "overview";
  const tabs: readonly { readonly value: Tab; readonly title: string }[] = [
    { value: "overview", title: "Overview" },
    { value: "yaml", title: "YAML" },
    ...(hasHistory ? [{ value: "history", title: "History" } as const] : []),
    { value: "owners", title: "Field owners" },
  ];
  return (
    <Tabs label="Details" value={tab} tabs={tabs} onChange={(value) => set({ tab: value === "overview" ? "" : value })}>
      {tab === "overview" ? <ObjectOverview entry={entry} objects={objects} /> : null}
      {tab === "yaml" || tab === "owners" ? <Detail entry={entry} tab={tab} /> : null}
      {tab === "history" ? <History entry={entry} /> : null}
    </Tabs>
  );
}

function Detail({ entry, tab }: { readonly entry: ObjectEntry; readonly tab: "yaml" | "owners" }): JSX.Element {
  const { summary } = entry;
  const { apiVersion, resource, namespace, name } = summary;
  const hasHistory = useCapability("history");
  const detail = useRequest(summary.uid, `${summary.resourceVersion} ${String(entry.isDeleted)}`, (signal) =>
    getObject({ apiVersion, resource, namespace, name }, signal),
  );
  if (detail.kind === "loading") return <Nothing>Loading…</Nothing>;
  if (detail.kind === "failed") return <Nothing>{`Cannot read the object: ${detail.message}`}</Nothing>;
  if (detail.value === undefined)
    return (
      <Nothing>{`The object does not exist any more.${hasHistory ? " Its versions are in the history." : ""}`}</Nothing>
    );
  if (tab === "yaml") return <YamlText text={detail.value.yaml} label={`YAML of ${name}`} />;
  return <FieldOwners owners={detail.value.fieldOwners} />;
}

function History({ entry }: { readonly entry: ObjectEntry }): JSX.Element {
  const { uid, resourceVersion } = entry.summary;
  const history = useRequest(uid, `${resourceVersion} ${String(entry.isDeleted)}`, (signal) => getHistory(uid, signal));
  if (history.kind === "loading") return <Nothing>Loading…</Nothing>;
  if (history.kind === "failed") return <Nothing>{`Cannot read the history: ${history.message}`}</Nothing>;
  return <ObjectHistoryView history={history.value} />;
}

function Actions({ summary }: { readonly summary: ObjectSummary }): JSX.Element | null {
  const canWrite = useCapability("write");
  const [isDeleting, setDeleting] = useState(false);
  const [failure, setFailure] = useState("");
  if (!canWrite) return null;
  const { apiVersion, resource, namespace, name, kind } = summary;
  const remove = async (): Promise<void> => {
    const result = await deleteObject({ apiVersion, resource, namespace, name });
    if (result.kind === "refused") setFailure(result.message);
    else setDeleting(false);
  };
  return (
    <>
      <a class="button" href={linkTo("editor", { kind: `${apiVersion}/${kind}`, sel: objectKey(summary) })}>
        Edit
      </a>
      <button type="button" class="button danger" onClick={() => setDeleting(true)}>
        Delete
      </button>
      {isDeleting ? (
        <Confirmation
          title={`Delete ${kind} ${name}?`}
          action="Delete"
          onConfirm={() => void remove().catch((error: unknown) => setFailure(String(error)))}
          onClose={() => setDeleting(false)}
        >
          <p>
            Deletes <code>{formatName(namespace, name)}</code> and the objects that it owns. Finalizers of controllers
            run first.
          </p>
          {failure === "" ? null : (
            <p class="problem" role="alert">
              {failure}
            </p>
          )}
        </Confirmation>
      ) : null}
    </>
  );
}
