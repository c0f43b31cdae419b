import type { AdmissionPlugin } from "../../pipeline/admission-plugin.ts";
import { throwNotBuilt } from "../../request/unsupported.ts";
import type { ApiObject } from "../../storage/api-object.ts";

const GROUP = "admissionregistration.k8s.io";
const WEBHOOKS: ReadonlySet<string> = new Set(["mutatingwebhookconfigurations", "validatingwebhookconfigurations"]);
// A policy takes effect by its bindings.
const BINDINGS: ReadonlySet<string> = new Set(["mutatingadmissionpolicybindings", "validatingadmissionpolicybindings"]);

/** Refuses what would be stored and silently not obeyed: match conditions of webhooks, and bindings of admission policies. */
export const refuseUnsupportedAdmission: AdmissionPlugin = {
  name: "UnsupportedAdmission",
  validate: ({ resource, object }) => {
    if (resource.group !== GROUP || object === undefined) return;
    if (BINDINGS.has(resource.resource)) throwNotBuilt("admission-policies");
    if (WEBHOOKS.has(resource.resource) && hasMatchConditions(object)) throwNotBuilt("match-conditions");
  },
};

function hasMatchConditions(configuration: ApiObject): boolean {
  const webhooks = (configuration["webhooks"] ?? []) as readonly { readonly matchConditions?: readonly unknown[] }[];
  return webhooks.some(({ matchConditions }) => (matchConditions ?? []).length > 0);
}
