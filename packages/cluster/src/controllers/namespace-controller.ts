import {
  API_SERVICES,
  type ApiObject,
  type Controller,
  type ControllerIdentity,
  defineController,
  type InProcessController,
  type InternalClient,
  type KeyedWorker,
  type ServedResource,
  type ServerContext,
  storeController,
  storedResources,
  targetOf,
} from "@kubescaffold/apiserver/cluster-api";
import { compareStrings, groupResourceToString, isNotFound, messageOf, toTime } from "@kubescaffold/k8s";

const NAMESPACES = { group: "", resource: "namespaces" } as const;
const NAMESPACE_ENDPOINT = { group: "", version: "v1", resource: "namespaces" } as const;
// A namespace whose content hangs on finalizers is looked at again when its content changes, and at the latest after this time.
const RECHECK_MS = 5_000;

/** Empties namespaces that are being deleted, says in their conditions what still remains, and lets them go once they are empty. */
export const NAMESPACE_CONTROLLER: Controller = defineController({
  name: "namespace-controller",
  rules: [
    { apiGroups: [""], resources: ["namespaces"], verbs: ["delete", "get", "list", "watch"] },
    { apiGroups: [""], resources: ["namespaces/finalize", "namespaces/status"], verbs: ["update"] },
    { apiGroups: ["*"], resources: ["*"], verbs: ["delete", "deletecollection", "get", "list", "watch"] },
  ],
  create: createController,
});

function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const client = context.clientFor(self.user);
  return storeController({
    name: self.name,
    context,
    keysOf: ({ groupResource, object, kind }) => {
      if (groupResource.group === "" && groupResource.resource === "namespaces") return [object.metadata.name ?? ""];
      if (groupResource.group === API_SERVICES.group && groupResource.resource === API_SERVICES.resource)
        return terminatingNamespaces(context);
      const namespace = object.metadata.namespace;
      return kind === "deleted" && namespace !== undefined && isTerminating(context, namespace) ? [namespace] : [];
    },
    initialKeys: () => context.objects.list(NAMESPACES).map((namespace) => namespace.metadata.name ?? ""),
    work: async (name, worker) => await syncNamespace({ context, client, worker }, name),
  });
}

interface NamespaceWork {
  readonly context: ServerContext;
  readonly client: InternalClient;
  readonly worker: KeyedWorker;
}

async function syncNamespace(work: NamespaceWork, name: string): Promise<void> {
  const namespace = work.context.objects.get(NAMESPACES, { namespace: "", name });
  if (namespace?.metadata.deletionTimestamp === undefined) return;
  const content = await emptyNamespace(work, namespace);
  const current = await updateConditions(work, namespace, content);
  const isEmpty = deletableResources(work.context).every(
    (resource) => work.context.objects.list(resource.storedAs, name).length === 0,
  );
  if (!isEmpty || content.failures.length > 0 || content.undiscovered.length > 0) {
    work.worker.addAfter(name, RECHECK_MS);
    return;
  }
  await finalize(work.client, current);
}

/** The part of a namespace that its deletion found and could not delete. */
interface NamespaceContent extends DeletedContent {
  /** The group versions of other servers that cannot be asked for their resources. */
  readonly undiscovered: readonly string[];
}

interface DeletedContent {
  readonly failures: readonly string[];
  readonly remaining: readonly RemainingContent[];
}

interface RemainingContent {
  readonly resource: ServedResource;
  readonly objects: readonly ApiObject[];
}

const PODS = { group: "", resource: "pods" } as const;

// Everything else stays until the Pods are gone, which may need it to end; meanwhile, the conditions state no content.
async function emptyNamespace(work: NamespaceWork, namespace: ApiObject): Promise<NamespaceContent> {
  const resources = deletableResources(work.context);
  const undiscovered = undiscoveredVersions(work.context);
  const pods = await deleteContent(work, namespace, resources.filter(isPods));
  if (pods.remaining.length > 0) return { undiscovered, failures: pods.failures, remaining: [] };
  const others = await deleteContent(
    work,
    namespace,
    resources.filter((resource) => !isPods(resource)),
  );
  return { undiscovered, failures: [...pods.failures, ...others.failures], remaining: others.remaining };
}

interface ApiServiceContent {
  readonly spec?: { readonly group?: string; readonly version?: string; readonly service?: unknown };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

function undiscoveredVersions({ objects }: ServerContext): readonly string[] {
  return objects.list(API_SERVICES).flatMap((object) => {
    const { spec = {}, status } = object as unknown as ApiServiceContent;
    const isDown = status?.conditions?.some((each) => each.type === "Available" && each.status === "False") === true;
    return spec.service !== undefined && isDown ? [`${spec.group ?? ""}/${spec.version ?? ""}`] : [];
  });
}

// As upstream, objects that cannot be read or deleted are failures, and do not count as remaining.
async function deleteContent(
  { context, client }: NamespaceWork,
  namespace: ApiObject,
  resources: readonly ServedResource[],
): Promise<DeletedContent> {
  const { name = "" } = namespace.metadata;
  const failures: string[] = [];
  const remaining: RemainingContent[] = [];
  for (const resource of resources) {
    const found = context.objects.list(resource.storedAs, name);
    if (found.length === 0) continue;
    const isGraceful = isPods(resource) && hasTimeToEnd(context, namespace, found);
    try {
      await client.deleteCollection({ ...endpointOf(resource), namespace: name, name: "" });
    } catch (error) {
      if (!isNotFound(error)) {
        failures.push(messageOf(error));
        continue;
      }
    }
    const objects = context.objects.list(resource.storedAs, name);
    if (objects.length === 0) continue;
    remaining.push({ resource, objects });
    if (!isGraceful && objects.every(({ metadata }) => (metadata.finalizers ?? []).length === 0))
      failures.push(`unexpected items still remain in namespace: ${name} for gvr: ${gvrText(resource)}`);
  }
  return { failures, remaining };
}

function isPods({ storedAs }: ServedResource): boolean {
  return storedAs.group === PODS.group && storedAs.resource === PODS.resource;
}

interface PodContent {
  readonly spec?: { readonly terminationGracePeriodSeconds?: number };
  readonly status?: { readonly phase?: string };
}

// Reports whether Pods may still use the time that they have to end, which upstream counts from the deletion of the namespace.
function hasTimeToEnd({ clock }: ServerContext, namespace: ApiObject, pods: readonly ApiObject[]): boolean {
  const seconds = pods.map((pod) => {
    const { spec, status } = pod as unknown as PodContent;
    return status?.phase === "Succeeded" || status?.phase === "Failed" ? 0 : (spec?.terminationGracePeriodSeconds ?? 0);
  });
  const longest = seconds.reduce((most, each) => Math.max(most, each), 0);
  return clock.now() < Date.parse(namespace.metadata.deletionTimestamp ?? "") + longest * 1000;
}

function gvrText({ group, version, resource }: ServedResource): string {
  return `${group}/${version}, Resource=${resource}`;
}

function deletableResources(context: ServerContext): readonly ServedResource[] {
  return storedResources(context, ["list", "delete"]).filter((resource) => resource.isNamespaced);
}

interface NamespaceCondition {
  readonly type: string;
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

async function updateConditions(
  { context, client }: NamespaceWork,
  namespace: ApiObject,
  content: NamespaceContent,
): Promise<ApiObject> {
  const now = toTime(context.clock.now());
  const status = (namespace["status"] ?? {}) as { readonly conditions?: readonly StoredCondition[] };
  const before = status.conditions ?? [];
  const found = new Map(namespaceConditions(content).map((each) => [each.type, each]));
  // Conditions of others stay.
  const kept = before.map((former) => {
    const next = found.get(former.type);
    if (next === undefined) return former;
    return { ...next, lastTransitionTime: former.status === next.status ? former.lastTransitionTime : now };
  });
  const known = new Set(before.map(({ type }) => type));
  const added = [...found.values()].filter(({ type }) => !known.has(type));
  const conditions = [...kept, ...added.map((each) => ({ ...each, lastTransitionTime: now }))];
  if (JSON.stringify(conditions.map(withoutTime)) === JSON.stringify(before.map(withoutTime))) return namespace;
  return await client.update(targetOf(NAMESPACE_ENDPOINT, namespace, "status"), {
    ...namespace,
    status: { ...status, conditions },
  } as never);
}

interface StoredCondition extends NamespaceCondition {
  readonly lastTransitionTime: string;
}

function withoutTime(condition: NamespaceCondition): readonly string[] {
  return [condition.type, condition.status, condition.reason, condition.message];
}

function namespaceConditions(content: NamespaceContent): readonly NamespaceCondition[] {
  const failures = content.failures.toSorted(compareStrings);
  const counts = content.remaining
    .map(({ resource, objects }) => `${resourceName(resource)} has ${String(objects.length)} resource instances`)
    .toSorted(compareStrings);
  const finalizers = finalizerCounts(content.remaining);
  return [
    discoveryCondition(content.undiscovered),
    condition(
      "NamespaceDeletionGroupVersionParsingFailure",
      "ParsedGroupVersions",
      "All legacy kube types successfully parsed",
    ),
    failures.length === 0
      ? condition(
          "NamespaceDeletionContentFailure",
          "ContentDeleted",
          "All content successfully deleted, may be waiting on finalization",
        )
      : failing(
          "NamespaceDeletionContentFailure",
          "ContentDeletionFailed",
          `Failed to delete all resource types, ${String(failures.length)} remaining: ${failures.join(", ")}`,
        ),
    counts.length === 0
      ? condition("NamespaceContentRemaining", "ContentRemoved", "All content successfully removed")
      : failing(
          "NamespaceContentRemaining",
          "SomeResourcesRemain",
          `Some resources are remaining: ${counts.join(", ")}`,
        ),
    finalizers.length === 0
      ? condition(
          "NamespaceFinalizersRemaining",
          "ContentHasNoFinalizers",
          "All content-preserving finalizers finished",
        )
      : failing(
          "NamespaceFinalizersRemaining",
          "SomeFinalizersRemain",
          `Some content in the namespace has finalizers remaining: ${finalizers.join(", ")}`,
        ),
  ];
}

function discoveryCondition(undiscovered: readonly string[]): NamespaceCondition {
  const type = "NamespaceDeletionDiscoveryFailure";
  if (undiscovered.length === 0) return condition(type, "ResourcesDiscovered", "All resources successfully discovered");
  const reasons = undiscovered.map((version) => `${version}: stale GroupVersion discovery: ${version}`);
  const list = reasons.toSorted(compareStrings).join(", ");
  return failing(
    type,
    "DiscoveryFailed",
    `Discovery failed for some groups, ${String(reasons.length)} failing: unable to retrieve the complete list of server APIs: ${list}`,
  );
}

function finalizerCounts(remaining: readonly RemainingContent[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const finalizer of remaining.flatMap(({ objects }) =>
    objects.flatMap((object) => object.metadata.finalizers ?? []),
  )) {
    counts.set(finalizer, (counts.get(finalizer) ?? 0) + 1);
  }
  return [...counts]
    .map(([finalizer, count]) => `${finalizer} in ${String(count)} resource instances`)
    .toSorted(compareStrings);
}

function condition(type: string, reason: string, message: string): NamespaceCondition {
  return { type, status: "False", reason, message };
}

function failing(type: string, reason: string, message: string): NamespaceCondition {
  return { type, status: "True", reason, message };
}

// Upstream names the core group's resources with a final dot here.
function resourceName(resource: ServedResource): string {
  return resource.group === "" ? `${resource.resource}.` : groupResourceToString(resource);
}

async function finalize(client: InternalClient, namespace: ApiObject): Promise<void> {
  const spec = (namespace["spec"] ?? {}) as { readonly finalizers?: readonly string[] };
  const finalizers = (spec.finalizers ?? []).filter((finalizer) => finalizer !== "kubernetes");
  try {
    await client.update(targetOf(NAMESPACE_ENDPOINT, namespace, "finalize"), {
      ...namespace,
      spec: { ...spec, finalizers },
    } as never);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function terminatingNamespaces({ objects }: ServerContext): readonly string[] {
  const terminating = objects.list(NAMESPACES).filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  return terminating.map(({ metadata }) => metadata.name ?? "");
}

function isTerminating(context: ServerContext, name: string): boolean {
  return context.objects.get(NAMESPACES, { namespace: "", name })?.metadata.deletionTimestamp !== undefined;
}

function endpointOf(resource: ServedResource): Pick<ServedResource, "group" | "version" | "resource"> {
  return { group: resource.group, version: resource.version, resource: resource.resource };
}
