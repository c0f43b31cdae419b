import { isMap, type Json, type JsonMap, listAt, nameOf, namespaceOf, textAt } from "./manifest.ts";
import { isNamespaced, type Resource, visit } from "./resource.ts";

/** Places where objects name an object of a kind. */
export interface NameReference {
  readonly kind: string;
  readonly places: readonly Place[];
}

interface Place {
  /** The kind of the object that names; empty for every kind. */
  readonly kind: string;
  readonly path: readonly string[];
}

/** Reads the places of a configuration file that a kustomization names. */
export function readNameReferences(configuration: Json): readonly NameReference[] {
  return listAt(configuration, "nameReference").map((entry) => ({
    kind: textAt(entry, "kind"),
    places: listAt(entry, "fieldSpecs").map((spec) => ({
      kind: textAt(spec, "kind"),
      path: textAt(spec, "path").replaceAll("[]", "").split("/"),
    })),
  }));
}

/** Lets objects that name others name them as they are called now. */
export function fixNameReferences(resources: readonly Resource[], configured: readonly NameReference[]): void {
  for (const { kind, places } of [...REFERENCES, ...configured]) {
    const candidates = resources.filter(({ manifest }) => manifest.kind === kind);
    if (candidates.length === 0) continue;
    for (const referrer of resources)
      for (const place of places)
        if (place.kind === "" || place.kind === referrer.manifest.kind)
          visit(referrer.manifest, place.path, (holder, key) => fix(referrer, holder, key, candidates));
  }
}

// A place holds a name, names, or an object with a name and perhaps a namespace.
function fix(referrer: Resource, holder: JsonMap, key: string, candidates: readonly Resource[]): void {
  const value = holder[key];
  const renamed = (name: string): string => {
    const found = candidateFor(referrer, { kind: "", name, namespace: "" }, candidates);
    return found === undefined ? name : nameOf(found.manifest);
  };
  if (typeof value === "string") holder[key] = renamed(value);
  if (Array.isArray(value)) holder[key] = value.map((each) => (typeof each === "string" ? renamed(each) : each));
  for (const each of Array.isArray(value) ? value : [value]) {
    if (!isMap(each)) continue;
    const named = { kind: textAt(each, "kind"), name: textAt(each, "name"), namespace: textAt(each, "namespace") };
    const found = candidateFor(referrer, named, candidates);
    if (found === undefined) continue;
    each["name"] = nameOf(found.manifest);
    if (each["namespace"] !== undefined && namespaceOf(found.manifest) !== "")
      each["namespace"] = namespaceOf(found.manifest);
  }
}

// A name means an object of the same namespace first, at whatever stage both had it.
function candidateFor(
  referrer: Resource,
  named: { readonly kind: string; readonly name: string; readonly namespace: string },
  candidates: readonly Resource[],
): Resource | undefined {
  const all = candidates.filter(
    ({ manifest, names }) => (named.kind === "" || named.kind === manifest.kind) && names.includes(named.name),
  );
  const inNamespace = (namespaces: readonly string[]): Resource | undefined =>
    all.find((each) => each.namespaces.some((one) => namespaces.includes(one)));
  if (named.namespace !== "") return inNamespace([named.namespace]);
  return (isNamespaced(referrer.manifest) ? inNamespace(referrer.namespaces) : undefined) ?? all[0];
}

const POD_SPECS: readonly Place[] = [
  { kind: "Pod", path: ["spec"] },
  ...["DaemonSet", "Deployment", "Job", "ReplicaSet", "ReplicationController", "StatefulSet"].map((kind) => ({
    kind,
    path: ["spec", "template", "spec"],
  })),
  { kind: "CronJob", path: ["spec", "jobTemplate", "spec", "template", "spec"] },
];
const CONTAINERS = ["containers", "initContainers"];

function inPods(...paths: readonly string[]): readonly Place[] {
  return POD_SPECS.flatMap(({ kind, path }) => paths.map((below) => ({ kind, path: [...path, ...below.split("/")] })));
}

function inContainers(...paths: readonly string[]): readonly string[] {
  return CONTAINERS.flatMap((each) => paths.map((path) => `${each}/${path}`));
}

function at(kind: string, path: string): Place {
  return { kind, path: path.split("/") };
}

const REFERENCES: readonly NameReference[] = [
  {
    kind: "ServiceAccount",
    places: [
      at("RoleBinding", "subjects"),
      at("ClusterRoleBinding", "subjects"),
      ...inPods("serviceAccountName", "serviceAccount"),
    ],
  },
  { kind: "Role", places: [at("RoleBinding", "roleRef")] },
  { kind: "ClusterRole", places: [at("RoleBinding", "roleRef"), at("ClusterRoleBinding", "roleRef")] },
  {
    kind: "Service",
    places: [
      at("MutatingWebhookConfiguration", "webhooks/clientConfig/service"),
      at("ValidatingWebhookConfiguration", "webhooks/clientConfig/service"),
      at("APIService", "spec/service"),
      at("StatefulSet", "spec/serviceName"),
      at("Ingress", "spec/rules/http/paths/backend/service"),
      at("Ingress", "spec/defaultBackend/service"),
    ],
  },
  {
    kind: "ConfigMap",
    places: [
      ...inPods(
        "volumes/configMap",
        "volumes/projected/sources/configMap",
        ...inContainers("env/valueFrom/configMapKeyRef", "envFrom/configMapRef"),
      ),
      at("Role", "rules/resourceNames"),
      at("ClusterRole", "rules/resourceNames"),
    ],
  },
  {
    kind: "Secret",
    places: [
      ...inPods(
        "volumes/secret/secretName",
        "volumes/projected/sources/secret",
        "imagePullSecrets",
        ...inContainers("env/valueFrom/secretKeyRef", "envFrom/secretRef"),
      ),
      at("ServiceAccount", "imagePullSecrets"),
      at("ServiceAccount", "secrets"),
      at("Ingress", "spec/tls/secretName"),
      at("Role", "rules/resourceNames"),
      at("ClusterRole", "rules/resourceNames"),
    ],
  },
  { kind: "PersistentVolumeClaim", places: inPods("volumes/persistentVolumeClaim/claimName") },
  { kind: "PersistentVolume", places: [at("ClusterRole", "rules/resourceNames")] },
  { kind: "PriorityClass", places: inPods("priorityClassName") },
  ...["Deployment", "StatefulSet"].map((kind) => ({
    kind,
    places: [at("HorizontalPodAutoscaler", "spec/scaleTargetRef")],
  })),
];
