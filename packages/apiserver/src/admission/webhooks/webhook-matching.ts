import type { GroupResource } from "@kubescaffold/k8s";
import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from "@kubescaffold/k8s/admissionregistration/v1";

import type { AdmissionAttributes } from "../../pipeline/extension-points.ts";
import type { ServerContext } from "../../pipeline/server-context.ts";
import { isAccessReview } from "../../resources/access-reviews.ts";
import { matchesNamespace, matchesObjects, matchRules, type RuleMatch } from "../rule-matching.ts";

/** Reports whether and in which version a webhook is to see a write; nothing when it is not. */
export function matchWebhook(
  context: ServerContext,
  webhook: ConfiguredWebhook,
  attributes: AdmissionAttributes,
): RuleMatch | undefined {
  if (isExempt(context, attributes.resource)) return undefined;
  if (!matchesNamespace(context, webhook.namespaceSelector, attributes)) return undefined;
  if (!matchesObjects(webhook.objectSelector, attributes)) return undefined;
  return matchRules(context, webhook, attributes);
}

const GROUP = "admissionregistration.k8s.io";

// Webhook configurations themselves are never sent, since a broken webhook could lock everyone out; nor are reviews of access, with their feature.
function isExempt({ release }: ServerContext, resource: GroupResource): boolean {
  if (resource.group === GROUP) return true;
  return isAccessReview(resource) && release.isEnabled("ExcludeAdmissionWebhookVirtualResources");
}

const MUTATING = { group: GROUP, resource: "mutatingwebhookconfigurations" } as const;
const VALIDATING = { group: GROUP, resource: "validatingwebhookconfigurations" } as const;

/** A webhook of either kind, with its configuration's defaults filled in where they matter here. */
export type ConfiguredWebhook = MutatingWebhook & ValidatingWebhook;

/** A webhook, with the name of its configuration. */
export interface NamedWebhook {
  readonly configuration: string;
  readonly webhook: ConfiguredWebhook;
}

/** Lists the mutating webhooks in the order in which they run: by the name of their configuration, then as listed. */
export function mutatingWebhooks(context: ServerContext): readonly NamedWebhook[] {
  const configurations = context.objects.list(MUTATING) as unknown as readonly MutatingWebhookConfiguration[];
  return configurations.flatMap(({ metadata, webhooks = [] }) =>
    webhooks.map((webhook) => ({ configuration: metadata.name ?? "", webhook: webhook as ConfiguredWebhook })),
  );
}

/** Lists the validating webhooks. */
export function validatingWebhooks(context: ServerContext): readonly ConfiguredWebhook[] {
  const configurations = context.objects.list(VALIDATING) as unknown as readonly ValidatingWebhookConfiguration[];
  return configurations.flatMap((configuration) => (configuration.webhooks ?? []) as readonly ConfiguredWebhook[]);
}
