import { setTimeout as delay } from "node:timers/promises";

import { parseLosslessJson, type RestConfig } from "@kubescaffold/k8s";
import type { JsonObject } from "@kubescaffold/schema/values";

import { transportOf } from "../conformance/transport.ts";
import { DOCUMENT_CRDS } from "./document-definitions.ts";
import { structureOf } from "./document-structure.ts";

const CUSTOM_DOCUMENTS = ["apis/openapi.example.com/v1", "apis/openapi.example.com/v1beta1"] as const;
// Those of the issuer of tokens depend on its keys, which the embedded server has by options alone.
const ISSUER = /^(?:\.well-known|openid)\//u;
const DEADLINE_MS = 60_000;

/** Creates the definitions on a server, and returns the structures of all documents that it then serves, by their names. */
export async function servedDocuments(config: RestConfig): Promise<ReadonlyMap<string, JsonObject>> {
  const transport = transportOf(config);
  const call = async (path: string, init?: RequestInit): Promise<JsonObject> => {
    const response = await transport(new Request(`http://server.invalid${path}`, init));
    return parseLosslessJson(await response.text()) as JsonObject;
  };
  for (const crd of DOCUMENT_CRDS) {
    const created = await call("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(crd),
    });
    if (created["kind"] !== "CustomResourceDefinition") throw new TypeError(JSON.stringify(created));
  }
  const urls = await indexOf(call);
  const documents = new Map<string, JsonObject>();
  for (const [name, url] of urls) if (!ISSUER.test(name)) documents.set(name, structureOf(await call(url)));
  return documents;
}

type Call = (path: string) => Promise<JsonObject>;

// kube-apiserver publishes documents of custom resources some time after their definitions.
async function indexOf(call: Call): Promise<readonly (readonly [string, string])[]> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    const { paths } = (await call("/openapi/v3")) as {
      readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
    };
    const urls = Object.entries(paths).map(([name, { serverRelativeURL }]) => [name, serverRelativeURL] as const);
    const custom = CUSTOM_DOCUMENTS.map((name) => paths[name]?.serverRelativeURL);
    if (await isComplete(call, custom)) return urls.toSorted(([a], [b]) => (a < b ? -1 : 1));
    if (performance.now() > deadline) throw new TypeError(`no documents of ${CUSTOM_DOCUMENTS.join(" and ")}`);
    await delay(50);
  }
}

async function isComplete(call: Call, urls: readonly (string | undefined)[]): Promise<boolean> {
  const [first] = urls;
  if (first === undefined || urls.includes(undefined)) return false;
  const { paths } = await call(first);
  const served = Object.keys(paths as JsonObject);
  return ["shelves", "rooms"].every((plural) => served.some((path) => path.endsWith(`/${plural}`)));
}
