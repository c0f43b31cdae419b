import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, setAbsent } from "../../../fields.ts";
import { loadExpressionEngine } from "../../../rule-engine.ts";
import type { BuiltInRules } from "../built-in-rules.ts";

/** Rules of webhook configurations beyond their schema. */
export const webhookConfigurationRules: BuiltInRules = {
  generationFields: ["webhooks"],
  countsEmptyFields: true,
  setDefaults: (configuration) => {
    for (const webhook of objectsIn(configuration, "webhooks")) {
      setWebhookDefaults(webhook, configuration.kind === "MutatingWebhookConfiguration");
    }
  },
  allowsUnconditionalUpdate: false,
  checksEveryField: true,
  prepareChecks: (configuration) =>
    loadExpressionEngine(
      objectsIn(configuration, "webhooks").some((webhook) => objectsIn(webhook, "matchConditions").length > 0),
    ),
  loadChecks: async () => {
    const { webhookConfigurationChecks } = await import("./webhook-configuration-checks.ts");
    return webhookConfigurationChecks;
  },
};

function setWebhookDefaults(webhook: MutableJsonObject, isMutating: boolean): void {
  setAbsent(webhook, {
    failurePolicy: "Fail",
    matchPolicy: "Equivalent",
    ...(isMutating ? { reinvocationPolicy: "Never" } : {}),
  });
  setAbsent(webhook, { timeoutSeconds: 10, namespaceSelector: {}, objectSelector: {} });
  setAbsent(objectIn(objectIn(webhook, "clientConfig"), "service"), { port: 443 });
  objectsIn(webhook, "rules").forEach((rule) => setAbsent(rule, { scope: "*" }));
}
