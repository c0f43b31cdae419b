import type { GroupVersionKind } from "@kubescaffold/k8s";

import type { UnstructuredObject } from "../client/client.ts";
import type { ServerNames } from "./issue-certificates.ts";

/** The objects that contain a `caBundle`, by name. */
export interface InjectionNames {
  /** Names of ValidatingWebhookConfigurations. Default: none. */
  readonly validatingWebhookConfigurations?: readonly string[];
  /** Names of MutatingWebhookConfigurations. Default: none. */
  readonly mutatingWebhookConfigurations?: readonly string[];
  /** Names of CustomResourceDefinitions whose versions a webhook converts, such as `guestbooks.webapp.my.domain`. Default: none. */
  readonly customResourceDefinitions?: readonly string[];
  /** Names of APIServices, such as `v1.webapp.my.domain`. Default: none. */
  readonly apiServices?: readonly string[];
}

/** An object that contains a `caBundle`. */
export interface InjectionTarget {
  readonly gvk: GroupVersionKind;
  readonly name: string;
  /** The name for messages, such as `CustomResourceDefinition guestbooks.webapp.my.domain`. */
  readonly title: string;
}

/** The server that a `caBundle` is for. */
export interface InjectionServer extends ServerNames {
  readonly serviceName?: string | undefined;
  readonly namespace: string;
}

/** The place of a `caBundle` in an object. */
export interface BundlePlace {
  /** The name of the webhook; empty where an object has one place only. */
  readonly name: string;
  /** The present value, in base64. */
  readonly caBundle: string;
}

/** Returns the objects of all kinds. */
export function injectionTargets(names: InjectionNames): readonly InjectionTarget[] {
  return KINDS.flatMap(([option, gvk]) =>
    [...new Set(names[option])].map((name) => ({ gvk, name, title: `${gvk.kind} ${name}` })),
  );
}

const ADMISSION = { group: "admissionregistration.k8s.io", version: "v1" } as const;
const KINDS = [
  ["validatingWebhookConfigurations", { ...ADMISSION, kind: "ValidatingWebhookConfiguration" }],
  ["mutatingWebhookConfigurations", { ...ADMISSION, kind: "MutatingWebhookConfiguration" }],
  ["customResourceDefinitions", { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" }],
  ["apiServices", { group: "apiregistration.k8s.io", version: "v1", kind: "APIService" }],
] as const;

/** Returns the places of an object whose requests arrive at a server. Those of other servers are not ours to write. */
export function bundlePlaces(object: UnstructuredObject, server: InjectionServer): readonly BundlePlace[] {
  const { kind } = object as { readonly kind?: string };
  if (kind === "CustomResourceDefinition") {
    const conversion = recordOf(recordOf(object["spec"])["conversion"]);
    if (conversion["strategy"] !== "Webhook") return [];
    return placesOf("", recordOf(recordOf(conversion["webhook"])["clientConfig"]), server);
  }
  if (kind === "APIService") return placesOf("", recordOf(object["spec"]), server);
  const webhooks = Array.isArray(object["webhooks"]) ? (object["webhooks"] as readonly unknown[]) : [];
  return webhooks
    .map(recordOf)
    .flatMap((webhook) => placesOf(String(webhook["name"]), recordOf(webhook["clientConfig"]), server));
}

type Fields = Readonly<Record<string, unknown>>;

function recordOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function placesOf(name: string, config: Fields, server: InjectionServer): readonly BundlePlace[] {
  const service = recordOf(config["service"]);
  const isService = service["name"] === server.serviceName && service["namespace"] === server.namespace;
  if (!(server.serviceName !== undefined && isService) && !isUrlOf(config["url"], server)) return [];
  return [{ name, caBundle: typeof config["caBundle"] === "string" ? config["caBundle"] : "" }];
}

function isUrlOf(url: unknown, { dnsNames, ipAddresses }: InjectionServer): boolean {
  if (typeof url !== "string" || !URL.canParse(url)) return false;
  const host = new URL(url).hostname.replace(/^\[(?<address>.*)\]$/u, "$<address>");
  return dnsNames.includes(host) || ipAddresses.includes(host);
}

/** Returns the fields to apply: all places of an object, since what is left out would be removed. */
export function bundleConfiguration(object: UnstructuredObject, bundles: readonly BundlePlace[]): UnstructuredObject {
  const { apiVersion, kind, metadata } = object;
  const { name, uid, resourceVersion } = metadata;
  // The version proves that the bundle is not older than the one it replaces; without the uid, a deleted object would be created.
  const base = { apiVersion, kind, metadata: { name, uid, resourceVersion } } as UnstructuredObject;
  const caBundle = bundles[0]?.caBundle;
  if (kind === "CustomResourceDefinition") {
    return { ...base, spec: { conversion: { webhook: { clientConfig: { caBundle } } } } };
  }
  if (kind === "APIService") return { ...base, spec: { caBundle } };
  return { ...base, webhooks: bundles.map((each) => ({ name: each.name, clientConfig: { caBundle: each.caBundle } })) };
}
