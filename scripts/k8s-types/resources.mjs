const ALL = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];
const CHANGE = ["get", "patch", "update"];
const PROXY = ["create", "delete", "get", "patch", "update"];

// What the documents do not say when their paths come without operations.
const VERBS = {
  bindings: ["create"],
  componentstatuses: ["get", "list"],
  namespaces: ALL.filter((verb) => verb !== "deletecollection"),
  "namespaces/finalize": ["update"],
  "nodes/proxy": PROXY,
  "pods/attach": ["create", "get"],
  "pods/binding": ["create"],
  "pods/eviction": ["create"],
  "pods/exec": ["create", "get"],
  "pods/log": ["get"],
  "pods/portforward": ["create", "get"],
  "pods/proxy": PROXY,
  "serviceaccounts/token": ["create"],
  "services/proxy": PROXY,
};
const CREATE_ONLY_GROUPS = new Set(["authentication.k8s.io", "authorization.k8s.io"]);

const SUBRESOURCE_KINDS = {
  scale: { group: "autoscaling", version: "v1", kind: "Scale" },
  "pods/attach": { group: "", version: "v1", kind: "PodAttachOptions" },
  "pods/binding": { group: "", version: "v1", kind: "Binding" },
  "pods/eviction": { group: "policy", version: "v1", kind: "Eviction" },
  "pods/exec": { group: "", version: "v1", kind: "PodExecOptions" },
  "pods/portforward": { group: "", version: "v1", kind: "PodPortForwardOptions" },
  "pods/proxy": { group: "", version: "v1", kind: "PodProxyOptions" },
  "nodes/proxy": { group: "", version: "v1", kind: "NodeProxyOptions" },
  "services/proxy": { group: "", version: "v1", kind: "ServiceProxyOptions" },
  "serviceaccounts/token": { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" },
};

// Short names and categories stand in no OpenAPI document.
const SHORT_NAMES = {
  componentstatuses: ["cs"],
  configmaps: ["cm"],
  cronjobs: ["cj"],
  certificatesigningrequests: ["csr"],
  customresourcedefinitions: ["crd", "crds"],
  daemonsets: ["ds"],
  deployments: ["deploy"],
  endpoints: ["ep"],
  events: ["ev"],
  horizontalpodautoscalers: ["hpa"],
  ingresses: ["ing"],
  ipaddresses: ["ip"],
  limitranges: ["limits"],
  namespaces: ["ns"],
  networkpolicies: ["netpol"],
  nodes: ["no"],
  persistentvolumeclaims: ["pvc"],
  persistentvolumes: ["pv"],
  poddisruptionbudgets: ["pdb"],
  pods: ["po"],
  priorityclasses: ["pc"],
  replicasets: ["rs"],
  replicationcontrollers: ["rc"],
  resourcequotas: ["quota"],
  serviceaccounts: ["sa"],
  services: ["svc"],
  statefulsets: ["sts"],
  storageclasses: ["sc"],
  volumeattributesclasses: ["vac"],
};
const IN_ALL = new Set([
  "cronjobs",
  "daemonsets",
  "deployments",
  "horizontalpodautoscalers",
  "jobs",
  "pods",
  "replicasets",
  "replicationcontrollers",
  "services",
  "statefulsets",
]);
const API_EXTENSIONS = new Set([
  "apiservices",
  "customresourcedefinitions",
  "mutatingadmissionpolicies",
  "mutatingadmissionpolicybindings",
  "mutatingwebhookconfigurations",
  "validatingadmissionpolicies",
  "validatingadmissionpolicybindings",
  "validatingwebhookconfigurations",
]);

/** Lists the resources that the documents serve, with their subresources, in the order of their names. */
export function resourcesOf(document) {
  const found = new Map();
  for (const path of document.paths) {
    const parsed = parsePath(document, path);
    if (parsed === undefined) continue;
    const entry = found.get(parsed.plural) ?? { namespaced: false, subresources: new Set() };
    entry.namespaced ||= parsed.namespaced;
    if (parsed.subresource !== undefined) entry.subresources.add(parsed.subresource);
    found.set(parsed.plural, entry);
  }
  return [...found]
    .map(([plural, entry]) => resource(document, plural, entry))
    .toSorted((a, b) => (a.plural < b.plural ? -1 : 1));
}

function parsePath({ group, version }, path) {
  const root = group === "" ? `/api/${version}/` : `/apis/${group}/${version}/`;
  const rest = path.slice(root.length).split("/").filter(Boolean);
  if (!path.startsWith(root) || rest.length === 0 || rest[0] === "watch") return undefined;
  const isInside = rest[0] === "namespaces" && rest[1] === "{namespace}";
  const [plural, name, ...subresource] = isInside ? rest.slice(2) : rest;
  if (name !== undefined && name !== "{name}") return undefined;
  return {
    plural,
    namespaced: isInside,
    subresource: subresource.filter((part) => part !== "{path}").join("/") || undefined,
  };
}

function resource(document, plural, { namespaced, subresources }) {
  const { group, version } = document;
  const kind = kindOf(document, plural);
  return {
    group,
    version,
    kind,
    plural,
    singular: kind.toLowerCase(),
    namespaced,
    verbs: verbsOf(document, plural, undefined),
    shortNames: SHORT_NAMES[plural] ?? [],
    categories: IN_ALL.has(plural) ? ["all"] : API_EXTENSIONS.has(plural) ? ["api-extensions"] : [],
    subresources: [...subresources].toSorted(compareNames).map((name) => ({
      name,
      ...(SUBRESOURCE_KINDS[`${plural}/${name}`] ?? SUBRESOURCE_KINDS[name] ?? { group, version, kind }),
      verbs: verbsOf(document, plural, name),
    })),
  };
}

function kindOf({ group, version, schemas }, plural) {
  const kinds = Object.values(schemas)
    .flatMap((schema) => schema["x-kubernetes-group-version-kind"] ?? [])
    .filter((gvk) => gvk.group === group && gvk.version === version)
    .map(({ kind }) => kind);
  const kind = kinds.find((candidate) => pluralForms(candidate.toLowerCase()).includes(plural));
  if (kind === undefined) throw new TypeError(`no kind for ${plural} of ${group}/${version}`);
  return kind;
}

function pluralForms(word) {
  if (word.endsWith("y")) return [`${word.slice(0, -1)}ies`, `${word}s`];
  return word.endsWith("s") ? [`${word}es`, word] : [`${word}s`, `${word}es`];
}

function verbsOf(document, plural, subresource) {
  if (document.operations !== undefined) return servedVerbs(document, plural, subresource);
  const known = VERBS[subresource === undefined ? plural : `${plural}/${subresource}`];
  if (known !== undefined) return known;
  if (subresource !== undefined) return CHANGE;
  return CREATE_ONLY_GROUPS.has(document.group) ? ["create"] : ALL;
}

const ACTIONS = { post: "create", put: "update", deletecollection: "deletecollection" };
const CONNECT = { get: "get", post: "create", put: "update", delete: "delete", patch: "patch" };

function servedVerbs(document, plural, subresource) {
  const verbs = new Set();
  for (const [path, methods] of Object.entries(document.operations)) {
    const parsed = parsePath(document, path);
    if (parsed?.plural !== plural || parsed.subresource !== subresource) continue;
    for (const [method, operation] of Object.entries(methods)) {
      const action = operation?.["x-kubernetes-action"];
      const verb = action === "connect" ? CONNECT[method] : (ACTIONS[action] ?? action);
      if (verb !== undefined) verbs.add(verb);
    }
  }
  if (verbs.has("list") && verbs.has("get") && plural !== "componentstatuses") verbs.add("watch");
  return [...verbs].toSorted(compareNames);
}

function compareNames(a, b) {
  return a < b ? -1 : Number(a > b);
}
