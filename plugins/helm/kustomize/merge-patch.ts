import { isMap, type Json, type JsonMap } from "../manifest.ts";

// Lists that merge by a key of their items; all others are replaced. Ports are those of containers or of Services.
const MERGE_KEYS: Readonly<Record<string, readonly string[]>> = {
  containers: ["name"],
  env: ["name"],
  ephemeralContainers: ["name"],
  hostAliases: ["ip"],
  imagePullSecrets: ["name"],
  initContainers: ["name"],
  ports: ["containerPort", "port"],
  topologySpreadConstraints: ["topologyKey"],
  volumeDevices: ["devicePath"],
  volumeMounts: ["mountPath"],
  volumes: ["name"],
  webhooks: ["name"],
};

/** Merges a patch into an object strategically: null deletes, objects merge, lists of Kubernetes merge by their keys. */
export function mergePatch(value: JsonMap, patch: JsonMap): JsonMap {
  if (patch["$patch"] === "replace") return without(patch, "$patch");
  const merged: JsonMap = { ...value };
  for (const [key, change] of Object.entries(patch)) {
    if (key === "$patch") continue;
    if (change === null || isDeletion(change)) delete merged[key];
    else merged[key] = mergeField(key, merged[key], change);
  }
  return merged;
}

function mergeField(key: string, value: Json | undefined, change: Json): Json {
  if (isMap(change)) return mergePatch(isMap(value) ? value : {}, change);
  if (Array.isArray(change) && Array.isArray(value)) return mergeList(key, value, change);
  return structuredClone(change);
}

function mergeList(name: string, value: readonly Json[], change: readonly Json[]): Json[] {
  const key = MERGE_KEYS[name]?.find((each) => change.every((item) => isMap(item) && item[each] !== undefined));
  if (key === undefined) return structuredClone([...change]);
  const changes = change as readonly JsonMap[];
  const keyOf = (item: Json): Json | undefined => (isMap(item) ? item[key] : undefined);
  const named = new Set(changes.map((each) => each[key]));
  // What a patch names stands first, in its order, as kustomize puts it.
  const patched = changes.flatMap((each) => {
    const own = value.find((item) => keyOf(item) === each[key]);
    if (isDeletion(each)) return [];
    return [isMap(own) ? mergePatch(own, each) : structuredClone(each)];
  });
  return [...patched, ...value.filter((item) => !named.has(keyOf(item)))];
}

function isDeletion(change: Json): boolean {
  return isMap(change) && change["$patch"] === "delete";
}

function without(map: JsonMap, key: string): JsonMap {
  const { [key]: _left, ...kept } = map;
  return structuredClone(kept);
}
