import {
  dns1035LabelErrors,
  dns1123SubdomainErrors,
  invalidField,
  portNumberErrors,
  requiredField,
  type FieldError,
} from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema/values";

import { acceptedReviewVersion, REVIEW_VERSIONS } from "../../../../http/webhook-review.ts";
import type { ApiObject, MutableJsonObject } from "../../../../storage/api-object.ts";
import { numberIn, objectIn, objectsIn, textIn, textsIn } from "../../../fields.ts";
import { repeatedIndexes } from "../../../repeated-indexes.ts";
import { webhookUrlErrors } from "../../../webhook-url-errors.ts";
import type { BuiltInChecks } from "../checks/built-in-checks.ts";
import { labelSelectorErrors } from "../checks/label-selector-rules.ts";
import { excludedResourceWarnings } from "./excluded-resources.ts";
import { duplicatesIn, matchConditionErrors } from "./match-condition-rules.ts";
import { choiceErrors, operationRuleErrors } from "./match-resource-rules.ts";
import { staticNameErrors, staticNameWarnings } from "./static-names.ts";

/** Checks of webhook configurations. */
export const webhookConfigurationChecks: BuiltInChecks = {
  validate: (configuration, _context, old) => [
    ...webhooksErrors(configuration, old),
    ...staticNameErrors(configuration, old),
  ],
  warnings: (configuration, old) => [
    ...staticNameWarnings(configuration, old),
    ...excludedResourceWarnings(configuration),
  ],
};

function webhooksErrors(configuration: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const webhooks = objectsIn(configuration, "webhooks");
  const names = webhooks.map((webhook) => textIn(webhook, "name"));
  const duplicateErrors = duplicatesIn(names);
  const keepsConditions = old !== undefined && deepEqual(conditionsOf(configuration), conditionsOf(old));
  return webhooks.flatMap((webhook, index) => {
    const path = `webhooks[${index}]`;
    const name = names[index] ?? "";
    return [
      ...nameErrors(name, `${path}.name`),
      ...webhookErrors(webhook, path, configuration.kind === "MutatingWebhookConfiguration"),
      ...(keepsConditions ? [] : matchConditionErrors(webhook, { path, hasParams: false })),
      ...reviewVersionErrors(webhook, path),
      ...duplicateErrors(index, `${path}.name`),
    ];
  });
}

function conditionsOf(configuration: ApiObject): readonly unknown[] {
  return objectsIn(configuration, "webhooks").map((webhook) => webhook["matchConditions"] ?? []);
}

const SIDE_EFFECTS = ["None", "NoneOnDryRun"] as const;
const LONGEST_TIMEOUT = 30;

function webhookErrors(webhook: MutableJsonObject, path: string, isMutating: boolean): readonly FieldError[] {
  const effects = webhook["sideEffects"];
  const timeout = numberIn(webhook, "timeoutSeconds") ?? 1;
  return [
    ...objectsIn(webhook, "rules").flatMap((rule, index) => operationRuleErrors(rule, `${path}.rules[${index}]`)),
    ...choiceErrors(textIn(webhook, "failurePolicy"), ["Fail", "Ignore"], `${path}.failurePolicy`),
    ...choiceErrors(textIn(webhook, "matchPolicy"), ["Equivalent", "Exact"], `${path}.matchPolicy`),
    ...(typeof effects === "string"
      ? choiceErrors(effects, SIDE_EFFECTS, `${path}.sideEffects`)
      : [requiredField(`${path}.sideEffects`, `must specify one of ${SIDE_EFFECTS.join(", ")}`)]),
    ...(timeout < 1 || timeout > LONGEST_TIMEOUT
      ? [
          invalidField(
            `${path}.timeoutSeconds`,
            timeout,
            `the timeout value must be between 1 and ${LONGEST_TIMEOUT} seconds`,
          ),
        ]
      : []),
    ...["namespaceSelector", "objectSelector"].flatMap((name) =>
      labelSelectorErrors(objectIn(webhook, name), `${path}.${name}`),
    ),
    ...(isMutating
      ? choiceErrors(textIn(webhook, "reinvocationPolicy"), ["IfNeeded", "Never"], `${path}.reinvocationPolicy`)
      : []),
    ...clientConfigErrors(objectIn(webhook, "clientConfig"), `${path}.clientConfig`),
  ];
}

function reviewVersionErrors(webhook: MutableJsonObject, path: string): readonly FieldError[] {
  const versions = textsIn(webhook, "admissionReviewVersions");
  const at = `${path}.admissionReviewVersions`;
  if (versions.length === 0) return [requiredField(at, `must specify one of ${REVIEW_VERSIONS.join(", ")}`)];
  const repeated = repeatedIndexes(versions);
  return [
    ...versions.flatMap((version, index) =>
      repeated.has(index)
        ? [invalidField(`${at}[${index}]`, version, "duplicate version")]
        : dns1035LabelErrors(version).map((problem) => invalidField(`${at}[${index}]`, version, problem)),
    ),
    ...(acceptedReviewVersion(versions) !== undefined
      ? []
      : [invalidField(at, versions, `must include at least one of ${REVIEW_VERSIONS.join(", ")}`)]),
  ];
}

function nameErrors(name: string, path: string): readonly FieldError[] {
  if (name === "") return [requiredField(path)];
  const problems = dns1123SubdomainErrors(name);
  if (problems.length > 0) return [invalidField(path, name, problems.join(","))];
  return name.split(".").length < 3
    ? [invalidField(path, name, "should be a domain with at least three segments separated by dots")]
    : [];
}

function clientConfigErrors(config: MutableJsonObject | undefined, path: string): readonly FieldError[] {
  const hasUrl = config?.["url"] !== undefined;
  const hasService = config?.["service"] !== undefined;
  if (hasUrl === hasService) {
    return [requiredField(path, "exactly one of url or service is required")];
  }
  const service = objectIn(config, "service");
  if (service !== undefined) {
    // Upstream passes the two the wrong way round.
    return [
      ...(textIn(service, "namespace") === "" ? [requiredField(`${path}.service.name`)] : []),
      ...(textIn(service, "name") === "" ? [requiredField(`${path}.service.namespace`)] : []),
      ...portNumberErrors(numberIn(service, "port") ?? 0).map((problem) =>
        invalidField(`${path}.service.port`, numberIn(service, "port") ?? 0, `port is not valid: ${problem}`),
      ),
      ...servicePathErrors(textIn(service, "path"), `${path}.service.path`),
    ];
  }
  return webhookUrlErrors(textIn(config, "url"), `${path}.url`);
}

function servicePathErrors(path: string, field: string): readonly FieldError[] {
  if (path === "" || path === "/") return [];
  if (path === "//") return [invalidField(field, path, "segment[0] may not be empty")];
  const steps = path.slice(1).replace(/\/$/, "").split("/");
  return [
    ...(path.startsWith("/") ? [] : [invalidField(field, path, "must start with a '/'")]),
    ...steps.flatMap((step, index) =>
      (step === "" ? [" may not be empty"] : dns1123SubdomainErrors(step).map((problem) => `: ${problem}`)).map(
        (problem) => invalidField(field, path, `segment[${index}]${problem}`),
      ),
    ),
  ];
}
