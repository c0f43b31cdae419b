/** Twenty idioms of everyday reconcilers, which compile without an assertion, whichever settings a project has. The compiler checks them; nothing calls them. */
import { defineKind, type DeepReadonly, ignoreNotFound, objectKey, setCondition } from "@kubescaffold/k8s";
import { deploymentApply } from "@kubescaffold/k8s/apply/apps/v1";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { Job } from "@kubescaffold/k8s/batch/v1";
import { ConfigMap, type EnvVar, Pod, Secret, Service, type Toleration } from "@kubescaffold/k8s/core/v1";
import type { Condition, NamespacedObject, OwnerReference } from "@kubescaffold/k8s/meta/v1";
import {
  type Client,
  controllerutil,
  editable,
  type EventRecorder,
  handler,
  patch,
  predicate,
  type Request,
  type Result,
  retry,
  type Stored,
} from "@kubescaffold/runtime";

interface Site extends NamespacedObject {
  spec: {
    image: string;
    size?: number;
    env?: EnvVar[];
    tolerations?: Toleration[];
    hosts: string[];
    labels?: Record<string, string>;
  };
  status?: { readyReplicas?: number; conditions?: Condition[] };
}
const Site = defineKind<Site>({ group: "demo.example.com", version: "v1" }, "Site");
type CachedSite = DeepReadonly<Stored<Site>>;
const FINALIZER = "demo.example.com/site";

export async function returnWithoutObject(client: Client, request: Request): Promise<Result> {
  const site = await ignoreNotFound(client.get(Site, request));
  if (site?.metadata.deletionTimestamp !== undefined) return {};
  return { requeueAfterMs: site?.spec.hosts.length === 0 ? 1000 : 0 };
}

export async function requeueByAge(client: Client, request: Request, nowMs: number): Promise<Result> {
  const { metadata } = await client.get(Job, request);
  const ageMs = nowMs - Date.parse(metadata.creationTimestamp);
  return ageMs > 3_600_000 ? {} : { requeueAfterMs: 3_600_000 - ageMs };
}

export async function keepNewest(client: Client, namespace: string): Promise<void> {
  const { items } = await client.list(Job, { namespace, labels: { app: "site" } });
  const byAge = items.toSorted((left, right) =>
    left.metadata.creationTimestamp.localeCompare(right.metadata.creationTimestamp),
  );
  await Promise.all(byAge.slice(0, -3).map((job) => client.delete(job, { propagationPolicy: "Background" })));
}

export async function returnOwned(client: Client, site: CachedSite): Promise<string> {
  const { name, namespace } = site.metadata;
  const pod = Pod.create({ metadata: { name, namespace }, spec: { containers: [] } });
  const { result } = await controllerutil.createOrUpdate(client, pod, (current) =>
    controllerutil.setControllerReference(site, {
      ...current,
      spec: {
        restartPolicy: "Never",
        containers: [{ name: "main", image: site.spec.image, imagePullPolicy: "Always" }],
      },
    }),
  );
  return result;
}

export async function changeInPlace(client: Client, site: CachedSite): Promise<void> {
  const service = Service.create({ metadata: { name: site.metadata.name, namespace: site.metadata.namespace } });
  await controllerutil.createOrUpdate(client, service, (current) => {
    current.spec ??= {};
    current.spec.ports = [{ port: 80, targetPort: "http", protocol: "TCP" }];
    current.metadata.labels = { ...current.metadata.labels, ...site.spec.labels };
  });
}

export function createFromCached(site: CachedSite, template: DeepReadonly<Deployment>): Deployment {
  const { containers = [], volumes = [] } = template.spec?.template.spec ?? {};
  return Deployment.create({
    metadata: {
      name: site.metadata.name,
      namespace: site.metadata.namespace,
      finalizers: site.metadata.finalizers ?? [],
    },
    spec: {
      selector: { matchLabels: { app: site.metadata.name } },
      template: {
        metadata: { labels: { app: site.metadata.name } },
        spec: { containers, volumes, tolerations: site.spec.tolerations ?? [] },
      },
    },
  });
}

export function createFromOptional(site: CachedSite): Deployment {
  const { image, size, env, tolerations } = site.spec;
  return Deployment.create({
    metadata: { name: site.metadata.name, labels: site.spec.labels },
    spec: {
      replicas: size,
      selector: {},
      template: { spec: { tolerations, containers: [{ name: "main", image, env }] } },
    },
  });
}

export async function returnCached(client: Client, site: CachedSite, source: DeepReadonly<Deployment>): Promise<void> {
  const copy = Deployment.create({ metadata: { name: "copy", namespace: site.metadata.namespace }, spec: source.spec });
  await controllerutil.createOrPatch(client, copy, (current) => ({ ...current, spec: source.spec }));
  await controllerutil.createOrUpdate(client, copy, (current) =>
    controllerutil.setOwnerReference(site, { ...current, spec: source.spec }),
  );
}

export async function assignCached(client: Client, pod: Pod, site: CachedSite): Promise<void> {
  await controllerutil.createOrUpdate(client, pod, (current) => {
    current.spec ??= { containers: [] };
    current.spec.tolerations = editable(site.spec.tolerations) ?? [];
    current.spec.containers = [{ name: "main", image: site.spec.image, env: editable(site.spec.env ?? []) }];
  });
}

export async function updateStatus(client: Client, site: CachedSite, nowMs: number): Promise<void> {
  const ready = {
    type: "Ready",
    status: "True",
    reason: "Done",
    message: "",
    observedGeneration: site.metadata.generation,
  } as const;
  const { conditions, changed } = setCondition(site.status?.conditions, ready, nowMs);
  if (changed) await client.status().update({ ...site, status: { ...site.status, conditions } });
}

export async function patchStatus(client: Client, site: CachedSite, deployed: DeepReadonly<Deployment>): Promise<void> {
  const { readyReplicas } = deployed.status ?? {};
  const changed = { ...site, status: { ...site.status, readyReplicas } };
  await client.status().patch(changed, patch.mergeFrom(site, { optimisticLock: true }));
}

export async function applyCached(client: Client, site: CachedSite, labels: Record<string, string>): Promise<number> {
  const { name, namespace } = site.metadata;
  const configuration = deploymentApply(name, namespace, {
    spec: {
      replicas: site.spec.size ?? 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          tolerations: site.spec.tolerations ?? [],
          containers: [{ name: "main", image: site.spec.image, env: site.spec.env ?? [] }],
        },
      },
    },
  });
  const { spec } = await client.apply(configuration, { fieldOwner: "site" });
  return spec?.replicas ?? 0;
}

export async function addFinalizer(client: Client, site: CachedSite): Promise<CachedSite> {
  const changed = controllerutil.addFinalizer(site, FINALIZER);
  return changed === site ? site : await client.patch(changed, patch.mergeFrom(site));
}

export async function cleanUp(client: Client, site: CachedSite): Promise<void> {
  const secrets = await client.list(Secret, { namespace: site.metadata.namespace, labels: site.spec.labels ?? {} });
  for (const secret of secrets.items) await ignoreNotFound(client.delete(secret));
  await client.update(controllerutil.removeFinalizer(site, FINALIZER));
}

export async function changeImage(client: Client, request: Request, image: string): Promise<void> {
  await retry.retryOnConflict(retry.defaultRetry, async () => {
    const deployed = editable(await client.get(Deployment, request));
    const container = deployed.spec?.template.spec?.containers.find(({ name }) => name === "main");
    if (container === undefined || container.image === image) return;
    container.image = image;
    await client.update(deployed);
  });
}

export async function groupByNode(client: Client): Promise<ReadonlyMap<string, readonly string[]>> {
  const { items } = await client.list(Pod, { labels: { app: "site" } });
  const groups = new Map<string, string[]>();
  for (const { metadata, spec } of items) {
    const node = spec?.nodeName ?? "";
    groups.set(node, [...(groups.get(node) ?? []), metadata.name]);
  }
  return groups;
}

export function ownerOf(pod: DeepReadonly<Pod>): Request | undefined {
  const owner: OwnerReference | undefined = controllerutil.getControllerOf(pod);
  if (owner?.kind !== Site.kind) return undefined;
  return { name: owner.name, namespace: pod.metadata.namespace ?? "" };
}

export const enqueueSites = handler.enqueueRequestsFromMapFunc<ConfigMap>(({ metadata }) => {
  const name = metadata.labels?.["site"];
  return name === undefined ? [] : [{ name, namespace: metadata.namespace }];
});

export const isResized = predicate.funcs<Site>({
  create: ({ object }) => object.spec.hosts.length > 0,
  update: ({ objectOld, objectNew }) => objectOld.spec.size !== objectNew.spec.size,
});

export async function readSettings(client: Client, recorder: EventRecorder, site: CachedSite): Promise<string> {
  const settings = await ignoreNotFound(client.get(ConfigMap, { ...objectKey(site), name: "settings" }));
  const text = settings?.data?.["hosts"] ?? "";
  const [first = "none", ...others] = text.split(",");
  recorder.event(site, { type: "Normal", reason: "Read", action: "Read", note: first, related: settings });
  return others.join(" ");
}
