import type { Schema } from "@kubescaffold/generators/importer";
import { quotedText } from "@kubescaffold/generators/typescript";
import { isRecord } from "@kubescaffold/platform";

import { type ProjectResource, qualifiedGroupOf } from "../project/project-config.ts";
import { textOf, textsOf, type WebhookFacts } from "./manifest-facts.ts";
import { jsonWord, listWord, markerLine, word } from "./marker-words.ts";

/** The marker of a webhook, and whose it is. */
export interface WebhookMarker {
  readonly isMutating: boolean;
  readonly line: string;
  /** The name of the webhook, for messages. */
  readonly name: string;
  /** The resource whose code answers at its path, if there is one. */
  readonly owner: ProjectResource | undefined;
}

/** Makes a marker of each webhook: the generator makes the same webhook of it. */
export function planWebhookMarkers(
  webhooks: readonly WebhookFacts[],
  resources: readonly ProjectResource[],
): readonly WebhookMarker[] {
  return webhooks.map((webhook) => ({
    isMutating: webhook.isMutating,
    line: webhookMarker(webhook.object, webhook.isMutating),
    name: textOf(webhook.object["name"]),
    owner: resources.find((resource) => isServedBy(webhook, resource)),
  }));
}

/** Reports whether the code of a resource answers a webhook. */
export function isServedBy({ isMutating, object }: WebhookFacts, resource: ProjectResource): boolean {
  return pathOf(resource, isMutating) === textOf(serviceOf(object)["path"]);
}

/** Makes markers of the names of the configurations, where they are not those that a generator gives. */
export function configurationMarkers(webhooks: readonly WebhookFacts[]): readonly string[] {
  return [true, false].flatMap((isMutating) => {
    const name = webhooks.find((each) => each.isMutating === isMutating)?.configuration ?? "";
    const usual = `${isMutating ? "mutating" : "validating"}-webhook-configuration`;
    return name === "" || name === usual
      ? []
      : [markerLine("webhookconfiguration", { mutating: String(isMutating), name: word(name) })];
  });
}

/** Returns the path of a type of webhook of a resource; nothing if the resource has none. */
export function pathOf(resource: ProjectResource, isMutating: boolean): string | undefined {
  const { defaulting, defaultingPath, validation, validationPath } = resource.webhooks ?? {};
  const end = `${qualifiedGroupOf(resource).replaceAll(".", "-")}-${resource.version}-${resource.kind.toLowerCase()}`;
  if (isMutating) return defaulting === true ? (defaultingPath ?? `/mutate-${end}`) : undefined;
  return validation === true ? (validationPath ?? `/validate-${end}`) : undefined;
}

function serviceOf(object: Schema): Schema {
  const config = object["clientConfig"];
  return isRecord(config) && isRecord(config["service"]) ? config["service"] : {};
}

function webhookMarker(object: Schema, isMutating: boolean): string {
  const service = serviceOf(object);
  const rules = Array.isArray(object["rules"]) ? object["rules"].filter((rule) => isRecord(rule)) : [];
  const rule = rules[0] ?? {};
  const url = isRecord(object["clientConfig"]) ? textOf(object["clientConfig"]["url"]) : "";
  const patch = patchOf(object, rules);
  return markerLine("webhook", {
    path: url === "" ? word(textOf(service["path"])) : undefined,
    url: url === "" ? undefined : quotedText(url),
    mutating: String(isMutating),
    failurePolicy: word(textOf(object["failurePolicy"]).toLowerCase() || "fail"),
    matchPolicy: optional(textOf(object["matchPolicy"])),
    reinvocationPolicy: optional(textOf(object["reinvocationPolicy"])),
    sideEffects: word(textOf(object["sideEffects"]) || "None"),
    timeoutSeconds: optional(numberOf(object["timeoutSeconds"])),
    groups: listWord(textsOf(rule["apiGroups"])),
    resources: listWord(textsOf(rule["resources"])),
    verbs: listWord(textsOf(rule["operations"]).map((verb) => verb.toLowerCase())),
    versions: listWord(textsOf(rule["apiVersions"])),
    name: word(textOf(object["name"])),
    serviceName: unless(textOf(service["name"]), "webhook-service"),
    serviceNamespace: unless(textOf(service["namespace"]), "system"),
    servicePort: optional(numberOf(service["port"])),
    admissionReviewVersions: listWord(textsOf(object["admissionReviewVersions"])),
    patch: patch === undefined ? undefined : jsonWord(patch),
  });
}

// What no argument can say.
const PATCHED = ["namespaceSelector", "objectSelector", "matchConditions"];

function patchOf(object: Schema, rules: readonly Schema[]): Schema | undefined {
  const fields = PATCHED.filter((field) => object[field] !== undefined).map((field) => [field, object[field]] as const);
  const needsRules = rules.length > 1 || rules.some((rule) => rule["scope"] !== undefined);
  const all = [...fields, ...(needsRules ? [["rules", rules] as const] : [])];
  return all.length === 0 ? undefined : Object.fromEntries(all);
}

function optional(value: string): string | undefined {
  return value === "" ? undefined : word(value);
}

function unless(value: string, usual: string): string | undefined {
  return value === "" || value === usual ? undefined : word(value);
}

function numberOf(value: unknown): string {
  return typeof value === "number" ? String(value) : "";
}
