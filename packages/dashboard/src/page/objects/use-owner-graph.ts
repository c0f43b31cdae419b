import { useEffect, useState } from "preact/hooks";

import type { ObjectEntry } from "../state/model.ts";
import { inOwnTask } from "../state/own-task.ts";
import { objectMatcher, type ObjectFilter } from "./filter-objects.ts";
import { type OwnerGraph, ownerGraph } from "./object-graph.ts";

/** Returns the graph of the matching objects, computed in a separate task; the one before it until then, and undefined while it is not shown. */
export function useOwnerGraph(
  objects: ReadonlyMap<string, ObjectEntry>,
  filter: ObjectFilter,
  isShown: boolean,
): OwnerGraph | undefined {
  const [graph, setGraph] = useState<OwnerGraph>();
  useEffect(() => {
    if (!isShown) {
      setGraph(undefined);
      return undefined;
    }
    let isCurrent = true;
    inOwnTask(() => {
      if (isCurrent) setGraph(ownerGraph(objects, objectMatcher(filter)));
    });
    return () => {
      isCurrent = false;
    };
  }, [objects, filter, isShown]);
  return isShown ? graph : undefined;
}
