import { describe, expect, it } from "vitest";

import type { ObjectSummary } from "../../../src/page/feed/protocol.ts";
import { facetsOf, objectFilterOf } from "../../../src/page/objects/filter-objects.ts";
import { layoutGraph } from "../../../src/page/objects/layout-graph.ts";
import { LARGEST_GRAPH, NODE, ownerGraph } from "../../../src/page/objects/object-graph.ts";
import { treeRows, updatedTree } from "../../../src/page/objects/object-tree.ts";
import type { ObjectEntry } from "../../../src/page/state/model.ts";
import { objectEntry, objectKey } from "../../../src/page/state/object-entry.ts";
import { summary } from "../feed/scenario.ts";

function mapOf(...summaries: readonly ObjectSummary[]): ReadonlyMap<string, ObjectEntry> {
  return new Map(summaries.map((each) => [each.uid, objectEntry(each, { isDeleted: false, seenAt: 0 })]));
}

function ownedBy(kind: string, name: string, isController = true): ObjectSummary["owners"] {
  return [{ uid: `uid-${kind}-${name}`, kind, name, isController }];
}

const WORLD = mapOf(
  summary("Pod", "b", { owners: ownedBy("ReplicaSet", "r"), phase: "CrashLoopBackOff" }),
  summary("ReplicaSet", "r", { owners: ownedBy("Deployment", "d") }),
  summary("Pod", "a", { owners: ownedBy("ReplicaSet", "r"), phase: "Running" }),
  summary("Deployment", "d", { owners: ownedBy("Guestbook", "g") }),
  summary("Guestbook", "g", { apiVersion: "webapp.my.domain/v1" }),
  summary("ConfigMap", "kube-root-ca.crt"),
  summary("Namespace", "n", { namespace: "" }),
);

function namesOf(params: Readonly<Record<string, string>>, collapsed: readonly string[] = []): readonly string[] {
  return treeRows(WORLD, { filter: objectFilterOf(params), collapsed: new Set(collapsed) }).map(
    ({ entry, level, isContext }) => `${"  ".repeat(level - 1)}${entry.summary.name}${isContext ? " (context)" : ""}`,
  );
}

describe("the tree of objects", () => {
  it("has custom resources first, then other objects, and the cluster's last", () => {
    expect(namesOf({})).toEqual(["g", "  d", "    r", "      a", "      b", "n"]);
  });

  it("keeps the rows of objects that did not change, so that their elements stay", () => {
    const rowsOf = (objects: typeof WORLD, collapsed: readonly string[] = []): ReturnType<typeof treeRows> =>
      treeRows(objects, { filter: objectFilterOf({}), collapsed: new Set(collapsed) });
    const before = rowsOf(WORLD);
    const changed = new Map([...WORLD, ...mapOf(summary("Namespace", "n", { namespace: "", phase: "Terminating" }))]);
    expect(rowsOf(changed).map((row, index) => row === before[index])).toEqual([true, true, true, true, true, false]);
    expect(rowsOf(WORLD, ["uid-ReplicaSet-r"]).map((row) => before.includes(row))).toEqual([true, true, false, true]);
  });

  it.each([
    ["a status", summary("Pod", "a", { owners: ownedBy("ReplicaSet", "r"), phase: "Pending" })],
    ["an owner", summary("Pod", "a", { owners: ownedBy("Deployment", "d"), phase: "Running" })],
    ["a new object", summary("Pod", "c", { owners: ownedBy("ReplicaSet", "r") })],
    ["a phase that the filter hides", summary("Pod", "b", { owners: ownedBy("ReplicaSet", "r"), phase: "Running" })],
  ])("is the same after a change of %s as from scratch", (_title, changed) => {
    for (const q of ["", "crash"]) {
      const options = { filter: objectFilterOf({ q }), collapsed: new Set<string>() };
      const objects = new Map([...WORLD, ...mapOf(changed)]);
      const last = updatedTree(undefined, WORLD, options);
      expect(updatedTree(last, objects, options).rows).toEqual(treeRows(objects, options));
    }
  });

  it("leaves out what is collapsed", () => {
    expect(namesOf({}, ["uid-ReplicaSet-r"])).toEqual(["g", "  d", "    r", "n"]);
  });

  it("shows the owners of matches for context, collapsed or not", () => {
    expect(namesOf({ q: "crash" }, ["uid-Guestbook-g"])).toEqual([
      "g (context)",
      "  d (context)",
      "    r (context)",
      "      b",
    ]);
  });

  it("filters by kind, namespace, and health", () => {
    expect(namesOf({ kind: "Namespace" })).toEqual(["n"]);
    expect(namesOf({ ns: "default", kind: "Guestbook" })).toEqual(["g"]);
    expect(namesOf({ notready: "1" }).at(-1)).toBe("      b");
  });

  it("hides what the control plane creates, unless it is wanted", () => {
    expect(namesOf({ system: "1" })).toContain("kube-root-ca.crt");
  });

  it("shows objects that own one another", () => {
    const cycle = mapOf(
      summary("A", "a", { owners: ownedBy("B", "b") }),
      summary("B", "b", { owners: ownedBy("A", "a") }),
      summary("C", "c", { owners: ownedBy("C", "c") }),
    );
    const rows = treeRows(cycle, { filter: objectFilterOf({}), collapsed: new Set() });
    expect(rows.map(({ entry }) => entry.summary.name)).toEqual(["a", "b", "c"]);
  });

  it("puts an object below its controller, though it has other owners", () => {
    const world = mapOf(
      summary("A", "first"),
      summary("B", "second"),
      summary("C", "owned", { owners: [...(ownedBy("A", "first", false) ?? []), ...(ownedBy("B", "second") ?? [])] }),
    );
    const rows = treeRows(world, { filter: objectFilterOf({}), collapsed: new Set() });
    expect(rows.map(({ entry, level }) => `${entry.summary.name} ${String(level)}`)).toEqual([
      "first 1",
      "second 1",
      "owned 2",
    ]);
  });
});

it("facets count objects by kind and namespace, and system objects apart", () => {
  expect(facetsOf(WORLD.values())).toEqual({
    kinds: [
      ["Deployment", 1],
      ["Guestbook", 1],
      ["Namespace", 1],
      ["Pod", 2],
      ["ReplicaSet", 1],
    ],
    namespaces: [["default", 5]],
    total: 6,
    notReady: 1,
    system: 1,
    deleted: 0,
  });
});

it("the key of an object names it without its UID", () => {
  expect(objectKey(summary("Deployment", "d", { apiVersion: "apps/v1" }))).toBe("apps/v1/deployments/default/d");
});

describe("the graph of owners", () => {
  it("has the owners of matches, and an edge for each reference", () => {
    const graph = ownerGraph(WORLD, ({ summary: { name } }) => name === "b");
    expect(graph.nodes.map(({ summary: { name } }) => name).toSorted()).toEqual(["b", "d", "g", "r"]);
    expect(graph.edges).toHaveLength(3);
    expect(graph.omitted).toBe(0);
  });

  it("draws whole families, as many as fit, and counts the rest", () => {
    const singles = Array.from({ length: 400 }, (_unused, index) => summary("ConfigMap", `c${String(index)}`));
    const world = new Map([...mapOf(...singles), ...WORLD]);
    const graph = ownerGraph(world, () => true);
    expect(graph.nodes).toHaveLength(LARGEST_GRAPH);
    expect(graph.nodes.slice(0, 5).map(({ summary: { kind } }) => kind)).toContain("Guestbook");
    expect(graph.omitted).toBe(407 - LARGEST_GRAPH);
  });

  it("is laid out from left to right, without nodes that overlap", () => {
    const { nodes, edges } = ownerGraph(WORLD, () => true);
    const layout = layoutGraph({ nodes: nodes.map(({ summary: { uid } }) => uid), edges });
    const positions = Object.entries(layout.positions);
    expect(positions).toHaveLength(nodes.length);
    for (const { from, to } of edges)
      expect(layout.positions[from]?.x ?? 0).toBeLessThan((layout.positions[to]?.x ?? 0) - NODE.width / 2);
    const overlaps = positions.flatMap(([uid, { x, y }]) =>
      positions.filter(
        ([other, at]) => uid !== other && Math.abs(x - at.x) < NODE.width && Math.abs(y - at.y) < NODE.height,
      ),
    );
    expect(overlaps).toEqual([]);
  });
});
