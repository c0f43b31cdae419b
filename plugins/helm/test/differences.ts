import { isMap, type Json, type JsonMap, type Manifest } from "kubescaffold/plugin";

/** The release that a chart is rendered for. */
export interface Release {
  readonly chart: string;
  readonly name: string;
  readonly namespace: string;
}

/** What a row of the table in docs/guides/helm.md makes of the objects that kustomize makes, so that they are what the chart renders. */
export const DIFFERENCES: Readonly<
  Record<string, (objects: readonly Manifest[], release: Release) => readonly Manifest[]>
> = {
  "no-namespace": (objects) => objects.filter(({ kind }) => kind !== "Namespace"),
  "release-labels": (objects, { chart, name }) =>
    objects.map((each) =>
      changeMaps(each, "labels", (labels) =>
        isOurs(labels)
          ? {
              ...labels,
              "app.kubernetes.io/instance": name,
              "app.kubernetes.io/managed-by": "Helm",
              "helm.sh/chart": `${chart}-0.1.0`,
            }
          : labels,
      ),
    ),
  "release-selectors": (objects, { name }) =>
    objects.map((each) => {
      const addInstance = (labels: JsonMap): JsonMap =>
        isOurs(labels) ? { ...labels, "app.kubernetes.io/instance": name } : labels;
      return changeMaps(changeMaps(each, "matchLabels", addInstance), "selector", addInstance);
    }),
  "release-secrets": (objects, { name }) =>
    objects.map((each) =>
      changeTexts(each, (text) =>
        text === "webhook-server-cert" || text === "metrics-server-cert" ? `${name}-${text}` : text,
      ),
    ),
  "metrics-certificate": (objects, { name, namespace }) =>
    objects.map((each) =>
      changeTexts(each, (text) =>
        text.replace(/^SERVICE_NAME\.SERVICE_NAMESPACE\./u, `${name}-controller-manager-metrics-service.${namespace}.`),
      ),
    ),
  "app-version": (objects) =>
    objects.map((each) => changeTexts(each, (text) => (text === "controller:latest" ? "controller:0.1.0" : text))),
  "pull-policy": (objects) =>
    objects.map((each) =>
      changeMaps(each, "containers", (container) => ({ imagePullPolicy: "IfNotPresent", ...container })),
    ),
  "empty-lists": (objects) => objects.map((each) => withoutEmpty(each, ["volumes", "volumeMounts"])),
  "kept-crds": (objects) =>
    objects.map((each) => {
      if (each.kind !== "CustomResourceDefinition") return each;
      const annotations = { ...(each.metadata["annotations"] as JsonMap), "helm.sh/resource-policy": "keep" };
      return { ...each, metadata: { ...each.metadata, annotations } };
    }),
};

/** Returns what the chart renders of objects that kustomize makes, with default values. */
export function asRendered(objects: readonly Manifest[], release: Release): readonly Manifest[] {
  return Object.values(DIFFERENCES).reduce((current, differ) => differ(current, release), objects);
}

/** Reports whether labels are those that projects give their objects. */
export function isOurs(labels: JsonMap): boolean {
  return labels["app.kubernetes.io/name"] !== undefined;
}

/** Changes the mappings below a key, or in the list below it, at every depth. */
export function changeMaps<T extends Json>(value: T, key: string, change: (map: JsonMap) => JsonMap): T {
  if (Array.isArray(value)) return value.map((each) => changeMaps(each, key, change)) as T;
  if (!isMap(value)) return value;
  const entries = Object.entries(value).map(([name, each]): readonly [string, Json] => {
    const below = changeMaps(each, key, change);
    if (name !== key) return [name, below];
    if (Array.isArray(below)) return [name, below.map((item) => (isMap(item) ? change(item) : item))];
    return [name, isMap(below) ? change(below) : below];
  });
  return Object.fromEntries(entries) as T;
}

/** Changes the texts at every depth. */
export function changeTexts<T extends Json>(value: T, change: (text: string) => string): T {
  if (typeof value === "string") return change(value) as T;
  if (Array.isArray(value)) return value.map((each) => changeTexts(each, change)) as T;
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, changeTexts(each, change)])) as T;
}

function withoutEmpty<T extends Json>(value: T, keys: readonly string[]): T {
  if (Array.isArray(value)) return value.map((each) => withoutEmpty(each, keys)) as T;
  if (!isMap(value)) return value;
  const kept = Object.entries(value).filter(
    ([key, each]) => !(keys.includes(key) && Array.isArray(each) && each.length === 0),
  );
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutEmpty(each, keys)])) as T;
}
