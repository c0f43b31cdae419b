import type { JSX } from "preact";

import { Choice, SearchField, Segments, Toggle } from "../parts/controls.tsx";
import { formatCount } from "../parts/format.ts";
import type { ObjectFacets, ObjectFilter } from "./filter-objects.ts";

/** The filters of the view of objects. */
export function ObjectFilters({
  filter,
  facets,
  isGraph,
  onChange,
}: {
  readonly filter: ObjectFilter;
  readonly facets: ObjectFacets;
  readonly isGraph: boolean;
  readonly onChange: (params: Readonly<Record<string, string>>) => void;
}): JSX.Element {
  const flag = (isOn: boolean): string => (isOn ? "1" : "");
  return (
    <div class="toolbar" role="search" aria-label="Filter objects">
      <SearchField value={filter.text} placeholder="Search objects" onChange={(q) => onChange({ q })} />
      <Choice
        label="Kind"
        all="All kinds"
        value={filter.kind}
        options={facets.kinds}
        onChange={(kind) => onChange({ kind })}
      />
      <Choice
        label="Namespace"
        all="All namespaces"
        value={filter.namespace}
        options={facets.namespaces}
        onChange={(ns) => onChange({ ns })}
      />
      <Toggle isOn={filter.isNotReadyOnly} onChange={(isOn) => onChange({ notready: flag(isOn) })}>
        Not ready <span class="count">{formatCount(facets.notReady)}</span>
      </Toggle>
      <Toggle
        isOn={filter.hasDeleted}
        title="Show objects that were deleted since the page connected"
        onChange={(isOn) => onChange({ deleted: flag(isOn) })}
      >
        Deleted <span class="count">{formatCount(facets.deleted)}</span>
      </Toggle>
      <Toggle
        isOn={filter.hasSystem}
        title="Show objects that the control plane creates"
        onChange={(isOn) => onChange({ system: flag(isOn) })}
      >
        System <span class="count">{formatCount(facets.system)}</span>
      </Toggle>
      <span class="spacer" />
      <Segments
        label="Show as"
        value={isGraph ? "graph" : "tree"}
        options={[
          { value: "tree", title: "Tree" },
          { value: "graph", title: "Graph" },
        ]}
        onChange={(value) => onChange({ as: value === "graph" ? "graph" : "" })}
      />
    </div>
  );
}
