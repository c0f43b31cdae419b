import type { ComparedNode } from "./compare-bounds.ts";
import type { SchemaDifference } from "./difference.ts";

/** Finds lists and objects whose parts are told apart or merged in another way. */
export function compareTopology(node: ComparedNode): readonly SchemaDifference[] {
  const { former, current, path, name } = node;
  if (current.own.type === "array") return compareList(node);
  const before = former.own["x-kubernetes-map-type"] ?? "granular";
  const now = current.own["x-kubernetes-map-type"] ?? "granular";
  if (current.own.type !== "object" || before === now) return [];
  const at = { path: `${path}.x-kubernetes-map-type`, markers: ["mapType", "structType"] };
  return [{ code: "COMPAT_MERGE_CHANGED", message: `${name} is ${now} now, and was ${before}`, hint: HINT, ...at }];
}

const HINT = "server-side apply then owns other parts of the object; keep the type unless that is wanted";
const MARKERS = ["listType", "listMapKey"];

function compareList({ former, current, path, name }: ComparedNode): readonly SchemaDifference[] {
  const before = former.own["x-kubernetes-list-type"] ?? "atomic";
  const now = current.own["x-kubernetes-list-type"] ?? "atomic";
  const at = { path: `${path}.x-kubernetes-list-type`, markers: MARKERS };
  if (before !== now) {
    const message = `${name} is a list of type ${now} now, and was ${before}`;
    if (now === "atomic") return [{ code: "COMPAT_MERGE_CHANGED", message, hint: HINT, ...at }];
    const hint = "stored lists may repeat items or keys, which is refused then; keep the type, or serve a new version";
    return [{ code: "COMPAT_LIST_TYPE_CHANGED", message, hint, ...at }];
  }
  const oldKeys = former.own["x-kubernetes-list-map-keys"] ?? [];
  const keys = current.own["x-kubernetes-list-map-keys"] ?? [];
  if (keys.toSorted().join("\n") === oldKeys.toSorted().join("\n")) return [];
  return [
    {
      code: "COMPAT_LIST_TYPE_CHANGED",
      message: `the items of ${name} are told apart by ${keys.join(" and ")} now, and were by ${oldKeys.join(" and ")}`,
      hint: "stored items may be alike by the new keys, which is refused then; keep the keys, or serve a new version",
      path: `${path}.x-kubernetes-list-map-keys`,
      markers: ["listMapKey"],
    },
  ];
}
