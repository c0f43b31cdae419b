import type { JSX } from "preact";
import { useCallback, useMemo, useRef, useState } from "preact/hooks";

import { plural } from "../parts/format.ts";
import { useRoute } from "../route/use-route.ts";
import { useSlowSelect } from "../state/hooks.ts";
import type { ObjectEntry } from "../state/model.ts";
import { objectKey } from "../state/object-entry.ts";
import { facetsOf, isNarrowing, objectFilterOf } from "./filter-objects.ts";
import { ObjectFilters } from "./object-filters.tsx";
import { OwnerGraphView } from "./object-graph-view.tsx";
import { ObjectPanel } from "./object-panel.tsx";
import { ObjectTable } from "./object-table.tsx";
import { type ObjectTree, updatedTree } from "./object-tree.ts";
import { useOwnerGraph } from "./use-owner-graph.ts";

/** With many objects, the tree follows changes only a few times per second. */
const intervalOf = (objects: ReadonlyMap<string, ObjectEntry>): number => (objects.size > 2000 ? 400 : 0);

/** The objects of the cluster as a tree or graph of owners, with the details of one. */
export function ObjectsView(): JSX.Element {
  const { route, set } = useRoute();
  const { params } = route;
  const objects = useSlowSelect((state) => state.objects, intervalOf);
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  const filterKey = JSON.stringify(objectFilterOf(params));
  const filter = useMemo(() => objectFilterOf(params), [filterKey]);
  const facets = useMemo(() => facetsOf(objects.values()), [objects]);
  const isGraph = params["as"] === "graph";
  const tree = useRef<ObjectTree | undefined>(undefined);
  const rows = useMemo(() => {
    if (isGraph) return [];
    tree.current = updatedTree(tree.current, objects, { filter, collapsed });
    return tree.current.rows;
  }, [objects, filter, collapsed, isGraph]);
  const graph = useOwnerGraph(objects, filter, isGraph);
  const selectedKey = params["sel"] ?? "";
  const selected = useMemo(() => findByKey(objects, selectedKey, params["uid"] ?? ""), [objects, selectedKey, params]);
  const select = (entry: ObjectEntry, isOpened = false): void =>
    set({ sel: objectKey(entry.summary), uid: entry.isDeleted ? entry.summary.uid : "", version: "" }, isOpened);
  const toggle = useCallback((uid: string, isExpanded: boolean): void => {
    setCollapsed((last) => {
      const next = new Set(last);
      if (isExpanded) next.delete(uid);
      else next.add(uid);
      return next;
    });
  }, []);
  const shown = isGraph ? (graph?.nodes.length ?? 0) : rows.filter(({ isContext }) => !isContext).length;
  return (
    <div class="view">
      <ObjectFilters filter={filter} facets={facets} isGraph={isGraph} onChange={set} />
      <div class={selectedKey === "" ? "split" : "split has-panel"}>
        <div class="split-main">
          {isGraph ? (
            <OwnerGraphView
              graph={graph}
              selected={selected?.summary.uid ?? ""}
              onSelect={(entry) => select(entry, true)}
            />
          ) : (
            <ObjectTable
              rows={rows}
              selected={selected?.summary.uid ?? ""}
              onSelect={select}
              onToggle={toggle}
              isFiltered={isNarrowing(filter)}
              isCompact={selectedKey !== ""}
            />
          )}
          <p class="status-line" aria-live="off">
            {plural(shown, "object")}
            {isNarrowing(filter) ? ` of ${plural(facets.total, "object")}` : ""}
            {filter.hasSystem || facets.system === 0 ? "" : ` · ${plural(facets.system, "system object")} hidden`}
          </p>
        </div>
        {selectedKey === "" ? null : (
          <ObjectPanel
            key={selected?.summary.uid ?? selectedKey}
            entry={selected}
            name={selectedKey}
            objects={objects}
            onClose={() => set({ sel: "", uid: "", tab: "", version: "" })}
          />
        )}
      </div>
    </div>
  );
}

// A name may have been used several times; the object that exists wins, unless the link names another one.
function findByKey(objects: ReadonlyMap<string, ObjectEntry>, key: string, uid: string): ObjectEntry | undefined {
  if (key === "") return undefined;
  const byUid = objects.get(uid);
  if (byUid !== undefined) return byUid;
  let found: ObjectEntry | undefined;
  for (const entry of objects.values()) {
    if (!key.endsWith(entry.summary.name) || objectKey(entry.summary) !== key) continue;
    if (found === undefined || found.isDeleted) found = entry;
  }
  return found;
}
