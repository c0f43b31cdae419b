import type { JSX } from "preact";
import { useMemo } from "preact/hooks";

import type { Hello, PermissionUse } from "../feed/protocol.ts";
import { CopyButton, SearchField, Segments } from "../parts/controls.tsx";
import { formatCount, plural } from "../parts/format.ts";
import { Grid, type Column } from "../parts/grid.tsx";
import { Symbol, type Tone } from "../parts/symbols.tsx";
import { useRoute } from "../route/use-route.ts";
import {
  countPermissions,
  filterPermissions,
  permissionFilterOf,
  permissionKey,
  resourceOf,
} from "../state/filter-permissions.ts";
import { useSelect } from "../state/hooks.ts";

const STATES: Readonly<Record<PermissionUse["state"], { readonly title: string; readonly tone: Tone }>> = {
  denied: { title: "Denied", tone: "bad" },
  missing: { title: "Missing", tone: "bad" },
  unused: { title: "Unused", tone: "neutral" },
  used: { title: "Used", tone: "good" },
  granted: { title: "Granted", tone: "neutral" },
};

const COLUMNS: readonly Column<PermissionUse>[] = [
  {
    key: "state",
    title: "State",
    width: "96px",
    render: ({ state }) => (
      <span class={`tone-text-${STATES[state].tone}`}>
        <Symbol tone={STATES[state].tone} /> {STATES[state].title}
      </span>
    ),
  },
  { key: "verb", title: "Verb", width: "110px", render: ({ verb }) => verb },
  { key: "resource", title: "Resource", width: "minmax(200px, 1.6fr)", render: (use) => resourceOf(use) },
  {
    key: "namespace",
    title: "Namespace",
    width: "minmax(90px, 0.9fr)",
    render: ({ namespace }) => (namespace === "" ? <span class="muted">all</span> : namespace),
  },
  { key: "allowed", title: "Allowed", width: "72px", isNumber: true, render: ({ allowed }) => formatCount(allowed) },
  { key: "denied", title: "Denied", width: "72px", isNumber: true, render: ({ denied }) => formatCount(denied) },
  { key: "marker", title: "Marker or role", width: "minmax(240px, 2.6fr)", render: (use) => <Origin use={use} /> },
];

const REMARKS: Readonly<Record<Hello["mode"], (user: string) => string>> = {
  dev: () =>
    " · Unused means: not used since the manager started. Missing: it works here, but the manager's roles do not grant it, so it fails on other API servers or once other roles change.",
  connected: (user) =>
    ` · The manager runs as ${user === "" ? "another user" : user}. Missing: the roles do not grant what it used, so a deployed operator would be denied it.`,
  cluster: () =>
    " · By its roles; a cluster does not record which are used. Denied: those that the manager's log names.",
};

/** What the manager's user may do, did, and was denied, with the markers to change. */
export function PermissionsView(): JSX.Element {
  const { route, set } = useRoute();
  const { params } = route;
  const permissions = useSelect((state) => state.permissions);
  const hello = useSelect((state) => state.hello);
  const user = hello?.managerUser ?? "";
  const mode = hello?.mode ?? "dev";
  const filter = permissionFilterOf(params);
  const filterKey = JSON.stringify(filter);
  const rows = useMemo(() => filterPermissions(permissions.values(), filter), [permissions, filterKey]);
  const counts = useMemo(() => countPermissions(permissions.values()), [permissions]);
  return (
    <div class="view">
      <div class="toolbar" role="search" aria-label="Filter permissions">
        <SearchField value={filter.text} placeholder="Search verbs and resources" onChange={(q) => set({ q })} />
        <Segments<PermissionUse["state"] | "all">
          label="State"
          value={filter.state === "" ? "all" : filter.state}
          options={[
            { value: "all", title: "All", count: permissions.size },
            { value: "denied", title: "Denied", count: counts.denied },
            ...(mode === "cluster" ? [] : [{ value: "missing", title: "Missing", count: counts.missing } as const]),
            ...(mode === "cluster"
              ? [{ value: "granted", title: "Granted", count: counts.granted } as const]
              : [
                  { value: "unused", title: "Unused", count: counts.unused } as const,
                  { value: "used", title: "Used", count: counts.used } as const,
                ]),
          ]}
          onChange={(state) => set({ state: state === "all" ? "" : state })}
        />
      </div>
      <div class="split">
        <div class="split-main">
          <Grid
            label="Permissions"
            columns={COLUMNS}
            rows={rows}
            keyOf={permissionKey}
            selected={params["sel"] ?? ""}
            onSelect={(use) => set({ sel: permissionKey(use) })}
            classOf={({ state }) => (state === "denied" || state === "missing" ? "is-failed" : "")}
            empty={
              permissions.size === 0
                ? "The manager has used no permission yet, and its roles grant none."
                : "No permission matches the filters."
            }
          />
          <p class="status-line">
            {plural(rows.length, "permission")}
            {mode === "connected" ? " of the project's roles" : user === "" ? "" : ` of ${user}`}
            {REMARKS[mode](user)}
          </p>
        </div>
      </div>
    </div>
  );
}

// The marker to change, or the role that no marker of the project made.
function Origin({ use }: { readonly use: PermissionUse }): JSX.Element | null {
  const { marker, state, source, note } = use;
  if (marker === undefined || marker === "" || state === "used") {
    const text = [source, note].filter(Boolean).join(" · ");
    return text === "" ? null : (
      <span class="muted" title={text}>
        {text}
      </span>
    );
  }
  return (
    <span class="marker">
      <span class="muted">{state === "unused" ? "Remove" : "Add"}</span>
      <code title={marker}>{marker}</code>
      <CopyButton text={marker} />
    </span>
  );
}
