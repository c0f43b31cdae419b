import type {
  ApiObject,
  InProcessController,
  InternalClient,
  ServedResource,
  ServerContext,
} from "@kubescaffold/apiserver/cluster-api";
import { groupResourceToString, isNotFound, messageOf, toTime } from "@kubescaffold/k8s";

import type { KeyedWorker } from "./keyed-worker.ts";
import { controllerUser, type ControllerRule, storedResources, targetOf, storeController } from "./store-controller.ts";

/** The name of the namespace controller's service account. */
export const NAMESPACE_CONTROLLER = "namespace-controller";

/** Permissions of the namespace controller. */
export const NAMESPACE_CONTROLLER_RULES: readonly ControllerRule[] = [
  { apiGroups: [""], resources: ["namespaces"], verbs: ["delete", "get", "list", "watch"] },
  { apiGroups: [""], resources: ["namespaces/finalize", "namespaces/status"], verbs: ["update"] },
  { apiGroups: ["*"], resources: ["*"], verbs: ["delete", "deletecollection", "get", "list"] },
];

const NAMESPACES = { group: "", resource: "namespaces" } as const;
const NAMESPACE_ENDPOINT = { group: "", version: "v1", resource: "namespaces" } as const;
// A namespace whose content hangs on finalizers is looked at again when its content changes, and at the latest after this time.
const RECHECK_MS = 5_000;

/** Empties namespaces that are being deleted, says in their conditions what still remains, and lets them go once they are empty. */
export function namespaceController(context: ServerContext): InProcessController {
  const client = context.clientFor(controllerUser(NAMESPACE_CONTROLLER));
  return storeController({
    name: NAMESPACE_CONTROLLER,
    context,
    keysOf: ({ groupResource, object, kind }) => {
      if (groupResource.group === "" && groupResource.resource === "namespaces") return [object.metadata.name ?? ""];
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
  const failures = await emptyNamespace(work, name);
  const remaining = remainingContent(work.context, name);
  // As upstream, the conditions say nothing of the content while Pods remain.
  const reported = hasPods(work.context, name) ? [] : remaining;
  const current = await updateConditions(work, namespace, { failures, remaining: reported });
  if (remaining.length > 0 || failures.length > 0) {
    work.worker.addAfter(name, RECHECK_MS);
    return;
  }
  await finalize(work.client, current);
}

const PODS = { group: "", resource: "pods" } as const;

// Everything else stays until the Pods are gone, which may need it to end.
async function emptyNamespace({ context, client }: NamespaceWork, namespace: string): Promise<readonly string[]> {
  const failures: string[] = [];
  const resources = deletableResources(context);
  const isPods = (resource: ServedResource): boolean =>
    resource.storedAs.group === PODS.group && resource.storedAs.resource === PODS.resource;
  const pods = resources.filter((resource) => isPods(resource));
  for (const resource of [...pods, ...resources.filter((each) => !isPods(each))]) {
    if (!isPods(resource) && hasPods(context, namespace)) break;
    if (context.objects.list(resource.storedAs, namespace).length === 0) continue;
    try {
      await client.deleteCollection({ ...endpointOf(resource), namespace, name: "" });
    } catch (error) {
      if (!isNotFound(error)) failures.push(messageOf(error));
    }
  }
  return failures;
}

function hasPods(context: ServerContext, namespace: string): boolean {
  return context.objects.list(PODS, namespace).length > 0;
}

interface RemainingContent {
  readonly resource: ServedResource;
  readonly objects: readonly ApiObject[];
}

function remainingContent(context: ServerContext, namespace: string): readonly RemainingContent[] {
  return deletableResources(context)
    .map((resource) => ({ resource, objects: context.objects.list(resource.storedAs, namespace) }))
    .filter(({ objects }) => objects.length > 0);
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
  found: { readonly failures: readonly string[]; readonly remaining: readonly RemainingContent[] },
): Promise<ApiObject> {
  const now = toTime(context.clock.now());
  const status = (namespace["status"] ?? {}) as {
    readonly conditions?: readonly (NamespaceCondition & { readonly lastTransitionTime: string })[];
  };
  const known = new Map((status.conditions ?? []).map((condition) => [condition.type, condition]));
  const conditions = namespaceConditions(found).map((condition) => {
    const former = known.get(condition.type);
    const isSame = former?.status === condition.status && former.message === condition.message;
    return { ...condition, lastTransitionTime: isSame ? former.lastTransitionTime : now };
  });
  if (JSON.stringify(conditions.map(withoutTime)) === JSON.stringify((status.conditions ?? []).map(withoutTime)))
    return namespace;
  return await client.update(targetOf(NAMESPACE_ENDPOINT, namespace, "status"), {
    ...namespace,
    status: { ...status, conditions },
  } as never);
}

function withoutTime(condition: NamespaceCondition): readonly string[] {
  return [condition.type, condition.status, condition.reason, condition.message];
}

function namespaceConditions(found: {
  readonly failures: readonly string[];
  readonly remaining: readonly RemainingContent[];
}): readonly NamespaceCondition[] {
  const counts = found.remaining.map(
    ({ resource, objects }) => `${resourceName(resource)} has ${String(objects.length)} resource instances`,
  );
  const finalizers = finalizerCounts(found.remaining);
  return [
    condition("NamespaceDeletionDiscoveryFailure", "ResourcesDiscovered", "All resources successfully discovered"),
    condition(
      "NamespaceDeletionGroupVersionParsingFailure",
      "ParsedGroupVersions",
      "All legacy kube types successfully parsed",
    ),
    found.failures.length === 0
      ? condition(
          "NamespaceDeletionContentFailure",
          "ContentDeleted",
          "All content successfully deleted, may be waiting on finalization",
        )
      : failing(
          "NamespaceDeletionContentFailure",
          "ContentDeletionFailed",
          `Failed to delete all resource types, ${String(found.failures.length)} remaining: ${found.failures.join(", ")}`,
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

function finalizerCounts(remaining: readonly RemainingContent[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const finalizer of remaining.flatMap(({ objects }) =>
    objects.flatMap((object) => object.metadata.finalizers ?? []),
  )) {
    counts.set(finalizer, (counts.get(finalizer) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([finalizer, count]) => `${finalizer} in ${String(count)} resource instances`);
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

function isTerminating(context: ServerContext, name: string): boolean {
  return context.objects.get(NAMESPACES, { namespace: "", name })?.metadata.deletionTimestamp !== undefined;
}

function endpointOf(resource: ServedResource): Pick<ServedResource, "group" | "version" | "resource"> {
  return { group: resource.group, version: resource.version, resource: resource.resource };
}
