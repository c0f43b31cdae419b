import type { AdmissionPlugin } from "../../pipeline/admission-plugin.ts";
import type { ApiObject } from "../../storage/api-object.ts";
import { throwNotBuilt } from "../../unsupported.ts";

const GROUP = "admissionregistration.k8s.io";
const CONFIGURATIONS: ReadonlySet<string> = new Set([
  "mutatingwebhookconfigurations",
  "validatingwebhookconfigurations",
]);

/** Refuses configurations of webhooks that ask for what is not built, so that they are not silently called too often. */
export const refuseMatchConditions: AdmissionPlugin = {
  name: "UnsupportedWebhookConfiguration",
  validate: ({ resource, object }) => {
    if (resource.group !== GROUP || !CONFIGURATIONS.has(resource.resource) || object === undefined) return;
    if (hasMatchConditions(object)) throwNotBuilt("match-conditions");
  },
};

function hasMatchConditions(configuration: ApiObject): boolean {
  const webhooks = (configuration["webhooks"] ?? []) as readonly { readonly matchConditions?: readonly unknown[] }[];
  return webhooks.some(({ matchConditions }) => (matchConditions ?? []).length > 0);
}
