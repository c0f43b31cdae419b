import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from "@kubescaffold/k8s/admissionregistration/v1";

import type { ServerContext } from "../../pipeline/server-context.ts";

const GROUP = "admissionregistration.k8s.io";
const MUTATING = { group: GROUP, resource: "mutatingwebhookconfigurations" } as const;
const VALIDATING = { group: GROUP, resource: "validatingwebhookconfigurations" } as const;

/** A webhook of either kind, with its configuration's defaults filled in where they matter here. */
export type ConfiguredWebhook = MutatingWebhook & ValidatingWebhook;

/** Lists the mutating webhooks in the order in which they run: by the name of their configuration, then as listed. */
export function mutatingWebhooks(context: ServerContext): readonly ConfiguredWebhook[] {
  const configurations = context.objects.list(MUTATING) as unknown as readonly MutatingWebhookConfiguration[];
  return configurations.flatMap((configuration) => (configuration.webhooks ?? []) as readonly ConfiguredWebhook[]);
}

/** Lists the validating webhooks. */
export function validatingWebhooks(context: ServerContext): readonly ConfiguredWebhook[] {
  const configurations = context.objects.list(VALIDATING) as unknown as readonly ValidatingWebhookConfiguration[];
  return configurations.flatMap((configuration) => (configuration.webhooks ?? []) as readonly ConfiguredWebhook[]);
}
