import { isNotFound } from "@kubescaffold/k8s";
import type { CustomResourceDefinitionSpec } from "@kubescaffold/k8s/apiextensions/v1";
import { Pod, Service } from "@kubescaffold/k8s/core/v1";

import type { LiveClient } from "../client/client.ts";

/** The Service of a conversion webhook. */
export interface ConversionService {
  /** The name of the Service. */
  readonly name: string;
  /** The namespace of the Service. */
  readonly namespace: string;
}

// What ReplicaSets, StatefulSets, and DaemonSets write on the Pods of one template.
const REVISION_LABELS = ["pod-template-hash", "controller-revision-hash"];
const ENDED = new Set(["Succeeded", "Failed"]);

/** Returns the Service that converts between the versions of a CRD; undefined without a webhook, and for one with a URL. */
export function conversionServiceOf({ conversion }: CustomResourceDefinitionSpec): ConversionService | undefined {
  const service = conversion?.strategy === "Webhook" ? conversion.webhook?.clientConfig?.service : undefined;
  return service === undefined ? undefined : { name: service.name, namespace: service.namespace };
}

/**
 * Returns why older replicas may still convert; undefined if all Pods of the Service are of one revision, including those that are not ready and those that terminate.
 *
 * This does not see a webhook with a URL, a Service without a selector, or an API server that still calls a former Service. It cannot tell whether the one revision is
 * the new one either: a manager migrates to the version of the kinds that it was built with, so an older one waits for a CRD that never comes.
 */
export async function olderReplicas(
  client: LiveClient,
  service: ConversionService | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (service === undefined) return undefined;
  const title = `${service.namespace}/${service.name}`;
  const found = await client.get(Service, service, { signal }).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  if (found === undefined) return `the Service ${title} of the conversion webhook does not exist`;
  const { selector } = found.spec ?? {};
  if (selector === undefined || Object.keys(selector).length === 0) return undefined;
  const { items } = await client.list(Pod, { namespace: service.namespace, labels: selector, signal });
  const running = items.filter(({ status }) => !ENDED.has(status?.phase ?? ""));
  const revisions = new Set(running.map((pod) => revisionOf(pod)));
  if (revisions.size > 1) return `Pods of ${String(revisions.size)} revisions serve conversions behind ${title}`;
  return revisions.size === 0 ? `no Pod serves conversions behind ${title}` : undefined;
}

function revisionOf({ metadata, spec }: Pod): string {
  const label = REVISION_LABELS.map((name) => metadata.labels?.[name]).find((value) => value !== undefined);
  return label ?? JSON.stringify(spec?.containers.map(({ image = "" }) => image));
}
