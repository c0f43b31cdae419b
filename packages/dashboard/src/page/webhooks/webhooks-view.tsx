import type { JSX } from "preact";
import { useMemo } from "preact/hooks";

import type { WebhookCall } from "../feed/protocol.ts";
import { SearchField, Segments, Toggle } from "../parts/controls.tsx";
import { formatDuration, formatName, formatTime, plural } from "../parts/format.ts";
import { Grid, type Column } from "../parts/grid.tsx";
import { Symbol } from "../parts/symbols.tsx";
import { useRoute } from "../route/use-route.ts";
import { useCapability, useSelect } from "../state/hooks.ts";
import { callFilterOf, filterCalls, type CallFilter } from "./filter-calls.ts";
import { WebhookPanel } from "./webhook-panel.tsx";
import { WebhookTotalsTable } from "./webhook-totals.tsx";

const COLUMNS: readonly Column<WebhookCall>[] = [
  { key: "at", title: "Time", width: "104px", render: ({ at }) => <span class="mono">{formatTime(at)}</span> },
  { key: "purpose", title: "Purpose", width: "84px", render: ({ purpose }) => purpose },
  { key: "result", title: "Result", width: "minmax(112px, 0.7fr)", render: (call) => <Result call={call} /> },
  {
    key: "operation",
    title: "Operation",
    width: "minmax(116px, 0.6fr)",
    render: ({ operation, isDryRun }) => (
      <>
        {operation} {isDryRun ? <span class="tag">dry run</span> : null}
      </>
    ),
  },
  {
    key: "object",
    title: "Object",
    width: "minmax(110px, 1.5fr)",
    render: ({ kind, namespace, name }) => (
      <>
        <span class="kind">{kind}</span> {formatName(namespace, name)}
      </>
    ),
  },
  {
    key: "user",
    title: "User",
    width: "minmax(90px, 1fr)",
    isSecondary: true,
    render: ({ user }) => <span title={user}>{user}</span>,
  },
  {
    key: "patch",
    title: "Patch",
    isSecondary: true,
    width: "64px",
    isNumber: true,
    render: ({ patch = [] }) => (patch.length === 0 ? <span class="muted">–</span> : patch.length),
  },
  {
    key: "duration",
    title: "Duration",
    isSecondary: true,
    width: "84px",
    isNumber: true,
    render: ({ durationMs }) => formatDuration(durationMs),
  },
  {
    key: "message",
    title: "Message",
    width: "minmax(120px, 2fr)",
    isSecondary: true,
    render: ({ message }) => message ?? "",
  },
];

/** The calls of the manager's webhooks. */
export function WebhooksView(): JSX.Element {
  return useCapability("webhooks") ? <WebhookCalls /> : <WebhookTotalsTable />;
}

function WebhookCalls(): JSX.Element {
  const { route, set } = useRoute();
  const { params } = route;
  const calls = useSelect((state) => state.webhooks);
  const filter = callFilterOf(params);
  const filterKey = JSON.stringify(filter);
  const rows = useMemo(() => filterCalls(calls.values(), filter), [calls, filterKey]);
  const selectedId = params["sel"] ?? "";
  return (
    <div class="view">
      <CallFilters filter={filter} onChange={set} />
      <div class={selectedId === "" ? "split" : "split has-panel"}>
        <div class="split-main">
          <Grid
            label="Webhook calls"
            columns={COLUMNS}
            isCompact={selectedId !== ""}
            rows={rows}
            keyOf={({ id }) => id}
            selected={selectedId}
            onSelect={(call, isOpened) => set({ sel: call.id }, isOpened)}
            classOf={({ isAllowed }) => (isAllowed ? "" : "is-failed")}
            empty={calls.size === 0 ? "No webhook has been called yet." : "No call matches the filters."}
          />
          <p class="status-line">{plural(rows.length, "call")}</p>
        </div>
        {selectedId === "" ? null : (
          <WebhookPanel key={selectedId} call={calls.get(selectedId)} onClose={() => set({ sel: "" })} />
        )}
      </div>
    </div>
  );
}

function CallFilters({
  filter,
  onChange,
}: {
  readonly filter: CallFilter;
  readonly onChange: (params: Readonly<Record<string, string>>) => void;
}): JSX.Element {
  return (
    <div class="toolbar" role="search" aria-label="Filter webhook calls">
      <SearchField value={filter.text} placeholder="Search calls" onChange={(q) => onChange({ q })} />
      <Segments<WebhookCall["purpose"] | "all">
        label="Purpose"
        value={filter.purpose === "" ? "all" : filter.purpose}
        options={[
          { value: "all", title: "All" },
          { value: "mutate", title: "Mutate" },
          { value: "validate", title: "Validate" },
          { value: "convert", title: "Convert" },
        ]}
        onChange={(purpose) => onChange({ purpose: purpose === "all" ? "" : purpose })}
      />
      <Toggle isOn={filter.isDeniedOnly} onChange={(isOn) => onChange({ denied: isOn ? "1" : "" })}>
        Denied
      </Toggle>
    </div>
  );
}

function Result({ call }: { readonly call: WebhookCall }): JSX.Element {
  const { isAllowed, purpose, warnings = [] } = call;
  const title = purpose === "convert" ? (isAllowed ? "Converted" : "Failed") : isAllowed ? "Allowed" : "Denied";
  return (
    <span class={isAllowed ? "" : "tone-text-bad"}>
      <Symbol tone={isAllowed ? "good" : "bad"} /> {title}
      {warnings.length === 0 ? null : (
        <span class="count" title={warnings.join("\n")}>
          {" · "}
          {plural(warnings.length, "warning")}
        </span>
      )}
    </span>
  );
}
