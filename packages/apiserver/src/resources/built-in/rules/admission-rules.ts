import {
  duplicateField,
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
  type FieldError,
} from "@kubescaffold/k8s";

import { throwNotBuilt } from "../../../request/failures.ts";
import type { ApiObject, MutableJsonObject } from "../../../storage/api-object.ts";
import { numberIn, objectIn, objectsIn, setAbsent, setEmpty, textIn, textsIn } from "../../fields.ts";
import type { BuiltInRules } from "./built-in-rules.ts";
import { labelSelectorErrors } from "./label-selector-rules.ts";

/** Rules of webhook configurations beyond their schema. */
export const webhookConfigurationRules: BuiltInRules = {
  generationFields: ["webhooks"],
  setDefaults: (configuration) => {
    for (const webhook of objectsIn(configuration, "webhooks")) {
      setWebhookDefaults(webhook, configuration.kind === "MutatingWebhookConfiguration");
    }
  },
  validate: (configuration) => webhooksErrors(configuration),
};

/** Rules of admission policies and their bindings beyond their schema. */
export const admissionPolicyRules: BuiltInRules = { generationFields: ["spec"] };

/** Rules of APIServices beyond their schema. */
export const apiServiceRules: BuiltInRules = {
  setDefaults: (service) => setAbsent(objectIn(objectIn(service, "spec"), "service"), { port: 443 }),
  validate: (service) => (objectIn(service, "spec")?.["service"] === undefined ? [] : throwNotBuilt("api-services")),
};

/** Rules of PriorityClasses beyond their schema. */
export const priorityClassRules: BuiltInRules = {
  generationFields: ["value"],
  setDefaults: (priorityClass) => setEmpty(priorityClass, { preemptionPolicy: "PreemptLowerPriority" }),
  validate: (priorityClass) => {
    const { name = "" } = priorityClass.metadata;
    if (name.startsWith(SYSTEM_PREFIX)) {
      return SYSTEM_PRIORITIES.has(name)
        ? []
        : [
            forbiddenField(
              "metadata.name",
              `priority class names with '${SYSTEM_PREFIX}' prefix are reserved for system use only. error: ${name} is not a known system priority class`,
            ),
          ];
    }
    return (numberIn(priorityClass, "value") ?? 0) > HIGHEST_PRIORITY
      ? [forbiddenField("value", `maximum allowed value of a user defined priority is ${HIGHEST_PRIORITY}`)]
      : [];
  },
};

const SYSTEM_PREFIX = "system-";
const SYSTEM_PRIORITIES: ReadonlySet<string> = new Set(["system-cluster-critical", "system-node-critical"]);
// Higher ones belong to the system.
const HIGHEST_PRIORITY = 1_000_000_000;

function setWebhookDefaults(webhook: MutableJsonObject, isMutating: boolean): void {
  setEmpty(webhook, {
    failurePolicy: "Fail",
    matchPolicy: "Equivalent",
    ...(isMutating ? { reinvocationPolicy: "Never" } : {}),
  });
  setAbsent(webhook, { timeoutSeconds: 10, namespaceSelector: {}, objectSelector: {} });
  setAbsent(objectIn(objectIn(webhook, "clientConfig"), "service"), { port: 443 });
  objectsIn(webhook, "rules").forEach((rule) => setEmpty(rule, { scope: "*" }));
}

function webhooksErrors(configuration: ApiObject): readonly FieldError[] {
  const webhooks = objectsIn(configuration, "webhooks");
  const names = webhooks.map((webhook) => textIn(webhook, "name"));
  return webhooks.flatMap((webhook, index) => {
    const path = `webhooks[${index}]`;
    const name = names[index] ?? "";
    return [
      ...(name.split(".").length < 3 && name !== ""
        ? [invalidField(`${path}.name`, name, "should be a domain with at least three segments separated by dots")]
        : []),
      ...(name !== "" && names.indexOf(name) < index ? [duplicateField(`${path}.name`, name)] : []),
      ...webhookErrors(webhook, path),
    ];
  });
}

const SIDE_EFFECTS = ["None", "NoneOnDryRun"] as const;
const LONGEST_TIMEOUT = 30;

function webhookErrors(webhook: MutableJsonObject, path: string): readonly FieldError[] {
  const effects = textIn(webhook, "sideEffects");
  const timeout = numberIn(webhook, "timeoutSeconds") ?? 1;
  const versions = textsIn(webhook, "admissionReviewVersions");
  return [
    ...(effects === "" || (SIDE_EFFECTS as readonly string[]).includes(effects)
      ? []
      : [unsupportedField(`${path}.sideEffects`, effects, SIDE_EFFECTS)]),
    ...(timeout < 1 || timeout > LONGEST_TIMEOUT
      ? [
          invalidField(
            `${path}.timeoutSeconds`,
            timeout,
            `the timeout value must be between 1 and ${LONGEST_TIMEOUT} seconds`,
          ),
        ]
      : []),
    ...(versions.length > 0 && !versions.some((version) => version === "v1" || version === "v1beta1")
      ? [invalidField(`${path}.admissionReviewVersions`, versions, "must include at least one of v1, v1beta1")]
      : []),
    ...["namespaceSelector", "objectSelector"].flatMap((name) =>
      labelSelectorErrors(objectIn(webhook, name), `${path}.${name}`),
    ),
    ...clientConfigErrors(objectIn(webhook, "clientConfig"), `${path}.clientConfig`),
  ];
}

function clientConfigErrors(config: MutableJsonObject | undefined, path: string): readonly FieldError[] {
  const hasUrl = config?.["url"] !== undefined;
  const hasService = config?.["service"] !== undefined;
  if (hasUrl === hasService) {
    return [requiredField(path, "exactly one of url or service is required")];
  }
  const url = textIn(config, "url");
  if (hasUrl && !URL.canParse(url, "none:/")) {
    return [invalidField(`${path}.url`, url, "url must be a valid URL; desired format: https://host[/path]")];
  }
  return hasUrl && !url.startsWith("https://")
    ? [
        invalidField(
          `${path}.url`,
          new URL(url, "none:/").protocol.replace(":", ""),
          "'https' is the only allowed URL scheme; desired format: https://host[/path]",
        ),
      ]
    : [];
}
