import type { FlagRow } from "../flag-row.ts";
import { deployment, GROUP, pathOf, SHARED_CRDS, widget } from "../kinds.ts";
import { type Call, type Json, type KubeObject, objectOf, type RowContext } from "../row.ts";
import { type Sample, parseSamples } from "../samples.ts";

const FAMILIES = [
  "apiserver_admission_webhook_admission_duration_seconds",
  "apiserver_current_inflight_requests",
  "apiserver_longrunning_requests",
  "apiserver_request_duration_seconds",
  "apiserver_request_total",
  "apiserver_resource_objects",
  "apiserver_storage_objects",
  "apiserver_watch_events_total",
  "kubernetes_build_info",
  "kubernetes_feature_enabled",
  "process_cpu_seconds_total",
  "process_max_fds",
  "process_open_fds",
  "process_resident_memory_bytes",
  "process_start_time_seconds",
  "process_virtual_memory_bytes",
];

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** Rows about the metrics of servers. */
export const METRIC_ROWS: readonly FlagRow[] = [
  {
    row: 485,
    title: "metrics count the requests, their watches, and the stored objects",
    flags: async () => await Promise.resolve(["--etcd-count-metric-poll-period=1s"]),
    run: async (tools) => {
      const { namespace, note, quietly, eventually } = tools;
      await createDefinitions(tools);
      const before = await samples(tools);
      for (const call of Object.values(callsOf(namespace))) await quietly(call);
      await createWatches(tools);
      const after = await samples(tools);
      note("requests", changes(before, after, "apiserver_request_total"));
      note("durations", changes(before, after, "apiserver_request_duration_seconds_count"));
      note("watch events", changes(before, after, "apiserver_watch_events_total"));
      note("bounds", boundsOf(after));
      note("long-running requests", await longRunning(tools));
      const isCounted = ({ body }: { readonly body: unknown }): boolean => objects(body).length > 2;
      note("objects", objects((await eventually({ path: "/metrics" }, isCounted)).body));
      note("features", featuresOf(after));
      note("families", familiesOf((await quietly({ path: "/metrics" })).body as string));
      const { headers, status } = await quietly({ path: "/metrics", headers: { accept: "*/*" } });
      note("answer", { status, type: headers.get("content-type") });
      const nobody = { "impersonate-user": "nobody" };
      await tools.send("metrics without rights", { path: "/metrics", headers: nobody });
      const posted = await quietly({ method: "POST", path: "/metrics", body: {} });
      note("metrics with another method", posted.status);
      const monitor = { "impersonate-user": "x", "impersonate-group": "system:monitoring" };
      note("metrics for monitors", (await quietly({ path: "/metrics", headers: monitor })).status);
    },
  },
  {
    row: 520,
    title: "metrics count the runs of health checks",
    flags: async () => await Promise.resolve([]),
    run: async (tools) => {
      const { note, quietly, eventually } = tools;
      // Before it creates this Service, kube-apiserver itself asks whether it is ready.
      await eventually({ path: "/api/v1/namespaces/default/services/kubernetes" }, ({ status }) => status === 200);
      const before = await healthSamples(tools);
      for (const path of [
        "/livez",
        "/livez?verbose",
        "/livez?exclude=etcd&exclude=none",
        "/livez/ping",
        "/livez/none",
        "/healthz",
        "/readyz?verbose=false",
      ])
        await quietly({ path });
      await quietly({ path: "/livez", headers: { "impersonate-user": "nobody" } });
      note("a check with another method", (await quietly({ method: "POST", path: "/livez", body: {} })).status);
      note("one check with another method", (await quietly({ method: "PUT", path: "/livez/ping", body: {} })).status);
      const after = await healthSamples(tools);
      note(
        "runs",
        changes(before, after, "kubernetes_healthchecks_total").filter((each) => /"(?:ping|etcd)"/u.test(each)),
      );
      note("results", resultsOf(after));
      const { headers, status, body } = await quietly({ path: "/metrics/slis" });
      note("answer", { status, type: headers.get("content-type"), types: [...parseSamples(body as string).types] });
      note("another method", (await quietly({ method: "POST", path: "/metrics/slis", body: {} })).status);
      note("a longer path", (await quietly({ path: "/metrics/slis/x" })).status);
      note("a slash", (await quietly({ path: "/metrics/slis/" })).status);
      note("a slash after all metrics", (await quietly({ path: "/metrics/" })).status);
      const nobody = { "impersonate-user": "nobody" };
      await tools.send("without rights", { path: "/metrics/slis", headers: nobody });
      const monitor = { "impersonate-user": "x", "impersonate-group": "system:monitoring" };
      note("monitors", (await quietly({ path: "/metrics/slis", headers: monitor })).status);
    },
  },
];

async function createDefinitions({ quietly, eventually }: RowContext): Promise<void> {
  for (const body of SHARED_CRDS) {
    await quietly({ method: "POST", path: DEFINITIONS, body });
    const { metadata } = body as unknown as KubeObject;
    const [plural = ""] = metadata.name.split(".");
    await eventually({ path: pathOf(plural, "default") }, ({ status }) => status === 200);
  }
  const create = { method: "POST", path: `${pathOf("widgets", "default")}?dryRun=All`, body: widget("probe") } as const;
  await eventually(create, ({ status }) => status === 201);
}

function callsOf(namespace: string): Readonly<Record<string, Call>> {
  const templates = pathOf("podtemplates", namespace);
  const deployments = pathOf("deployments", namespace);
  const widgets = pathOf("widgets", namespace);
  const merge = {
    method: "PATCH",
    contentType: "application/merge-patch+json",
    body: { metadata: { labels: { a: "b" } } },
  } as const;
  const template = podTemplate;
  const nobody = { "impersonate-user": "nobody" };
  return {
    create: { method: "POST", path: templates, body: template("a") },
    createDry: { method: "POST", path: `${templates}?dryRun=All`, body: template("b") },
    createWrongDry: { method: "POST", path: `${templates}?dryRun=x`, body: template("b") },
    createInvalid: { method: "POST", path: templates, body: template("A!") },
    createAgain: { method: "POST", path: templates, body: template("a") },
    get: { path: `${templates}/a` },
    getMissing: { path: `${templates}/none` },
    list: { path: templates },
    listAll: { path: "/api/v1/podtemplates" },
    listNamed: { path: `${templates}?fieldSelector=metadata.name%3Da` },
    update: { method: "PUT", path: `${templates}/a`, body: template("a") },
    patch: { ...merge, path: `${templates}/a` },
    apply: {
      method: "PATCH",
      contentType: "application/apply-patch+yaml",
      path: `${templates}/c?fieldManager=x`,
      body: template("c"),
    },
    patchUnknown: { method: "PATCH", contentType: "text/plain", path: `${templates}/a`, text: "x" },
    createUnknown: { method: "POST", contentType: "text/plain", path: templates, text: "x" },
    acceptUnknown: { path: templates, headers: { accept: "text/plain" } },
    forbidden: { path: templates, headers: nobody },
    remove: { method: "DELETE", path: `${templates}/c` },
    removeAll: { method: "DELETE", path: templates },
    postNamed: { method: "POST", path: `${templates}/a`, body: template("a") },
    deployment: { method: "POST", path: deployments, body: deployment("web") },
    deploymentStatus: { path: `${deployments}/web/status` },
    deploymentScale: { path: `${deployments}/web/scale` },
    patchScale: { ...merge, path: `${deployments}/web/scale` },
    widget: { method: "POST", path: widgets, body: widget("w") },
    widgetInvalid: { method: "POST", path: widgets, body: widget("v", { size: 99 }) },
    widgetGet: { path: `${widgets}/w` },
    widgetStatus: { path: `${widgets}/w/status` },
    widgetPatchStatus: { ...merge, path: `${widgets}/w/status` },
    widgetList: { path: widgets },
    widgetListAll: { path: `/apis/${GROUP}/v1/widgets` },
    widgetMissing: { path: `${widgets}/none` },
    widgetUnknown: { path: widgets, headers: { accept: "text/plain" } },
    widgetScope: { method: "POST", path: `/apis/${GROUP}/v1/widgets`, body: widget("s") },
    review: {
      method: "POST",
      path: "/apis/authorization.k8s.io/v1/localsubjectaccessreviews",
      body: { apiVersion: "authorization.k8s.io/v1", kind: "LocalSubjectAccessReview", spec: {} },
    },
    namespacedReview: {
      method: "POST",
      path: `/apis/authorization.k8s.io/v1/namespaces/${namespace}/localsubjectaccessreviews`,
      body: {
        apiVersion: "authorization.k8s.io/v1",
        kind: "LocalSubjectAccessReview",
        metadata: { namespace },
        spec: { user: "a", resourceAttributes: { namespace, verb: "get", resource: "pods" } },
      },
    },
    token: {
      method: "POST",
      path: `${pathOf("serviceaccounts", namespace)}/none/token`,
      body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} },
    },
    log: { path: `${pathOf("pods", namespace)}/none/log` },
    unknownResource: { path: `/api/v1/namespaces/${namespace}/nones` },
    unknownGroup: { path: "/apis/none.example.com/v1/nones" },
    version: { path: "/version" },
    api: { path: "/api" },
    apis: { path: "/apis" },
    group: { path: "/apis/policy" },
    groupVersion: { path: "/apis/policy/v1" },
    customGroupVersion: { path: `/apis/${GROUP}/v1` },
    healthy: { path: "/healthz" },
    ping: { path: "/healthz/ping" },
    unknownPath: { path: "/none" },
    forbiddenPath: { path: "/metrics", headers: nobody },
  };
}

// A watch sends the events of three changes, and ends by itself.
async function createWatches({ namespace, quietly, watch }: RowContext): Promise<void> {
  const templates = pathOf("podtemplates", namespace);
  for (const path of [templates, pathOf("widgets", namespace)]) {
    const { metadata } = objectOf(await quietly({ path }));
    const stream = await watch(`${path}?watch=1&timeoutSeconds=2&resourceVersion=${metadata.resourceVersion}`);
    const body = path === templates ? podTemplate("watched") : widget("watched");
    await quietly({ method: "POST", path, body });
    const name = objectOf({ body } as never).metadata.name;
    await quietly({ method: "DELETE", path: `${path}/${name}` });
    await stream.drain();
  }
}

async function longRunning(tools: RowContext): Promise<unknown> {
  const { namespace } = tools;
  const watched = { podtemplates: pathOf("podtemplates", namespace), widgets: pathOf("widgets", namespace) };
  const streams = await Promise.all(
    Object.values(watched).map(async (path) => await tools.watch(`${path}?watch=1&timeoutSeconds=30`)),
  );
  const all = await samples(tools);
  for (const stream of streams) await stream.close();
  return all
    .filter(({ name, labels }) => name === "apiserver_longrunning_requests" && labels["scope"] === "namespace")
    .filter(({ labels }) => Object.keys(watched).includes(labels["resource"] ?? ""))
    .map(({ labels, value }) => ({ ...labels, value }));
}

function podTemplate(name: string): Json {
  const template = { spec: { containers: [{ name: "c", image: "i" }] } };
  return { apiVersion: "v1", kind: "PodTemplate", metadata: { name }, template };
}

async function samples({ quietly }: RowContext): Promise<readonly Sample[]> {
  const { body } = await quietly({ path: "/metrics" });
  return parseSamples(body as string).samples;
}

async function healthSamples({ quietly }: RowContext): Promise<readonly Sample[]> {
  const { body } = await quietly({ path: "/metrics/slis" });
  return parseSamples(body as string).samples;
}

// Whoever waits for a new server has asked whether it is ready.
function resultsOf(all: readonly Sample[]): readonly string[] {
  return all
    .filter(({ name, labels }) => name === "kubernetes_healthcheck" && labels["type"] !== "readyz")
    .map(({ labels, value }) => `${labels["type"] ?? ""} ${labels["name"] ?? ""} ${String(value)}`);
}

// What no component of the server itself asks for.
const RESOURCES: ReadonlySet<string> = new Set([
  "",
  "podtemplates",
  "deployments",
  "widgets",
  "localsubjectaccessreviews",
  "serviceaccounts",
  "pods",
]);
const OWN: ReadonlySet<string> = new Set(["/readyz", "/livez", "/openapi/v2", "/openapi/v3"]);

function changes(before: readonly Sample[], after: readonly Sample[], family: string): readonly string[] {
  const known = new Map(before.map((sample) => [keyOf(sample), sample.value]));
  return after
    .filter(({ name, labels }) => name === family && isOfRow(labels))
    .map((sample) => ({ ...sample.labels, change: sample.value - (known.get(keyOf(sample)) ?? 0) }))
    .filter(({ change }) => change !== 0)
    .map((each) => JSON.stringify(each))
    .toSorted();
}

function isOfRow({ resource = "", subresource = "", scope = "" }: Sample["labels"]): boolean {
  const isCluster = resource !== "" && scope === "cluster" && resource !== "podtemplates" && resource !== "widgets";
  return RESOURCES.has(resource) && !OWN.has(subresource) && !isCluster;
}

const keyOf = ({ name, labels }: Sample): string =>
  JSON.stringify([name, Object.entries(labels).sort(([left], [right]) => (left < right ? -1 : 1))]);

function boundsOf(all: readonly Sample[]): readonly string[] {
  const bounds = all
    .filter(
      ({ name, labels }) =>
        name === "apiserver_request_duration_seconds_bucket" && labels["resource"] === "podtemplates",
    )
    .map(({ labels }) => labels["le"] ?? "");
  return [...new Set(bounds)];
}

function objects(body: unknown): readonly string[] {
  return parseSamples(body as string)
    .samples.filter(({ name }) => name === "apiserver_resource_objects" || name === "apiserver_storage_objects")
    .filter(
      ({ labels }) =>
        RESOURCES.has((labels["resource"] ?? "").split(".")[0] ?? "") &&
        labels["resource"] !== "pods" &&
        labels["resource"] !== "serviceaccounts",
    )
    .map(({ name, labels, value }) => JSON.stringify({ name, ...labels, value }))
    .toSorted();
}

function featuresOf(all: readonly Sample[]): readonly string[] {
  return all
    .filter(({ name }) => name === "kubernetes_feature_enabled")
    .map(({ labels, value }) => `${labels["name"] ?? ""} ${labels["stage"] ?? ""} ${String(value)}`)
    .toSorted();
}

function familiesOf(text: string): unknown {
  const { types, samples: all } = parseSamples(text);
  return FAMILIES.flatMap((family) => {
    const own = all.filter(({ name }) => name === family || name.startsWith(`${family}_`));
    const labels = [...new Set(own.flatMap((sample) => Object.keys(sample.labels)))].toSorted();
    return own.length === 0 ? [] : [{ family, type: types.get(family), labels }];
  });
}
