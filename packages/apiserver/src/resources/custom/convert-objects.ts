import { deepClone, goQuote, goTypeName, parseApiVersion, parseJson, printServerJson } from "@kubescaffold/k8s";
import type { WebhookClientConfig } from "@kubescaffold/k8s/admissionregistration/v1";
import { isRecord } from "@kubescaffold/platform";

import { WebhookCallError, type WebhookCall } from "../../http/webhook-client.ts";
import { plainError } from "../../request/failures.ts";
import type { ApiObject } from "../../storage/api-object.ts";
import { textOf } from "../fields.ts";
import type { CrdObject } from "./crd-object.ts";

/** Returns objects of one kind in another version, in their order. Fails: with 500 and the webhook's reason. */
export type ConvertObjects = (objects: readonly ApiObject[], apiVersion: string) => Promise<readonly ApiObject[]>;

/** Sends a review to a webhook and returns the text of the answer. */
export type CallWebhook = (call: WebhookCall) => Promise<string>;

/** Dependencies of conversion by webhooks. */
export interface ConversionParts {
  readonly callWebhook?: CallWebhook | undefined;
  readonly newUid: () => string;
}

const TIMEOUT_SECONDS = 30;
const GROUP = "apiextensions.k8s.io";
const REVIEW_VERSIONS: ReadonlySet<string> = new Set(["v1", "v1beta1"]);
// Sent with every review, since the Go types cannot omit it.
const EMPTY_RESPONSE = { response: { uid: "", convertedObjects: null, result: { metadata: {} } } } as const;
/** Objects of a list that are sent in one review. */
const MOST_OBJECTS = 100;

/** Returns what converts the objects of a definition, or nothing when its versions differ by name alone. */
export function createConverter({ spec }: CrdObject, parts: ConversionParts): ConvertObjects | undefined {
  const webhook = spec.conversion?.strategy === "Webhook" ? spec.conversion.webhook : undefined;
  if (webhook?.clientConfig === undefined) {
    return undefined;
  }
  const { clientConfig, conversionReviewVersions = [] } = webhook;
  const versions: ReadonlySet<string> = new Set(spec.versions.map(({ name }) => `${spec.group}/${name}`));
  const reviewVersion = conversionReviewVersions.find((version) => REVIEW_VERSIONS.has(version)) ?? "v1";
  return async (objects, apiVersion) => {
    for (const object of objects) {
      if (!versions.has(object.apiVersion ?? "")) {
        throw plainError(`request to convert CR from an invalid group/version: ${object.apiVersion ?? ""}`);
      }
    }
    const converted: ApiObject[] = [];
    for (let start = 0; start < objects.length; start += MOST_OBJECTS) {
      const batch = objects.slice(start, start + MOST_OBJECTS);
      converted.push(...(await convertBatch({ ...parts, clientConfig, reviewVersion, objects: batch, apiVersion })));
    }
    return converted;
  };
}

interface Batch extends ConversionParts {
  readonly clientConfig: WebhookClientConfig;
  readonly reviewVersion: string;
  readonly objects: readonly ApiObject[];
  readonly apiVersion: string;
}

async function convertBatch(batch: Batch): Promise<readonly ApiObject[]> {
  const { objects } = batch;
  const webhook = `conversion webhook for ${gvkText(objects[0] as ApiObject)}`;
  const converted = await askWebhook(batch, webhook);
  if (converted.length !== objects.length) {
    throw plainError(`${webhook} returned ${converted.length} objects, expected ${objects.length}`);
  }
  return objects.map((original, index) => checkedObject(batch, webhook, original, converted[index]));
}

async function askWebhook(batch: Batch, webhook: string): Promise<readonly unknown[]> {
  const { clientConfig, reviewVersion, objects, apiVersion: desiredAPIVersion, callWebhook } = batch;
  const uid = batch.newUid();
  const review = { kind: "ConversionReview", apiVersion: `${GROUP}/${reviewVersion}` };
  const body = printServerJson({ ...review, request: { uid, desiredAPIVersion, objects }, ...EMPTY_RESPONSE });
  try {
    if (callWebhook === undefined) {
      throw new WebhookCallError("this server has no client for webhooks");
    }
    const text = await callWebhook({ clientConfig, body, timeoutSeconds: TIMEOUT_SECONDS });
    return convertedObjects(parse(text), { uid, reviewVersion });
  } catch (error) {
    if (error instanceof WebhookCallError) throw plainError(`${webhook} failed: ${error.message}`);
    throw error;
  }
}

// The review, its response, and the list of objects.
const ENVELOPE_LEVELS = 3;

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value = parseJson(text, ENVELOPE_LEVELS);
    return isRecord(value) ? value : {};
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    throw new WebhookCallError(`couldn't get version/kind; json parse error: ${reason}`, { cause: error });
  }
}

function convertedObjects(
  review: Readonly<Record<string, unknown>>,
  { uid, reviewVersion }: { readonly uid: string; readonly reviewVersion: string },
): readonly unknown[] {
  const { kind = "", apiVersion = "", response } = review;
  const isStrict = reviewVersion === "v1";
  if (isStrict && (kind !== "ConversionReview" || apiVersion !== `${GROUP}/v1`)) {
    const { version } = parseApiVersion(textOf(apiVersion));
    throw new WebhookCallError(`converting (${version}.${textOf(kind)}) to (v1.ConversionReview): unknown conversion`);
  }
  if (!isRecord(response)) {
    throw new WebhookCallError("no response provided");
  }
  const answered = textOf(response["uid"]);
  if (isStrict && answered !== uid) {
    throw new WebhookCallError(`expected response.uid=${goQuote(uid)}, got ${goQuote(answered)}`);
  }
  const result = isRecord(response["result"]) ? response["result"] : {};
  if (result["status"] !== "Success") {
    const message = textOf(result["message"]);
    throw new WebhookCallError(
      message === "" ? `response.result.status was '${textOf(result["status"])}', not 'Success'` : message,
    );
  }
  return Array.isArray(response["convertedObjects"]) ? response["convertedObjects"] : [];
}

function checkedObject(batch: Batch, webhook: string, original: ApiObject, result: unknown): ApiObject {
  const converted = isRecord(result) ? result : {};
  const [version, kind] = [textOf(converted["apiVersion"]), textOf(converted["kind"])];
  if (version !== batch.apiVersion) {
    throw plainError(
      `${webhook} returned invalid object at index 0: invalid groupVersion (expected ${batch.apiVersion}, received ${version})`,
    );
  }
  if (kind !== original.kind) {
    throw plainError(
      `${webhook} returned invalid object at index 0: invalid kind (expected ${original.kind ?? ""}, received ${kind})`,
    );
  }
  const { metadata } = converted;
  const strange = identityError(original, isRecord(metadata) ? metadata : {});
  if (strange !== undefined) {
    throw plainError(`${webhook} returned invalid object: ${strange}`);
  }
  const problem = metadataError(metadata);
  if (problem !== undefined) {
    throw plainError(`${webhook} returned invalid metadata: ${problem}`);
  }
  return { ...converted, kind, apiVersion: version, metadata: restoredMetadata(original, metadata as never) };
}

function identityError(original: ApiObject, metadata: Readonly<Record<string, unknown>>): string | undefined {
  const { name = "", namespace = "", uid = "" } = original.metadata;
  const fields = [
    ["name", name, metadata["name"]],
    ["namespace", namespace, metadata["namespace"]],
    ["UID", uid, metadata["uid"]],
  ] as const;
  const changed = fields.find(([, before, after]) => before !== textOf(after));
  return changed === undefined ? undefined : `must have the same ${changed[0]}: ${changed[1]} != ${textOf(changed[2])}`;
}

function metadataError(metadata: unknown): string | undefined {
  if (!isRecord(metadata)) {
    return metadata === undefined
      ? "missing metadata in converted object"
      : `invalid metadata of type ${goTypeName(metadata)} in converted object`;
  }
  for (const field of ["labels", "annotations"]) {
    const texts = metadata[field] ?? {};
    if (!isRecord(texts)) {
      return `invalid metadata.${field} of type ${goTypeName(texts)} in converted object`;
    }
    const strange = Object.entries(texts).find(([, value]) => typeof value !== "string");
    if (strange !== undefined) {
      return `metadata.${field}[${strange[0]}] must be a string, but is ${goTypeName(strange[1])} in converted object`;
    }
  }
  return undefined;
}

// All but labels and annotations stays as it was, whatever the webhook says.
function restoredMetadata(
  original: ApiObject,
  { labels, annotations }: { readonly labels?: object | null; readonly annotations?: object | null },
): ApiObject["metadata"] {
  const { labels: _labels, annotations: _annotations, ...kept } = original.metadata;
  return {
    ...deepClone(kept),
    ...((labels ?? undefined) === undefined ? {} : { labels }),
    ...((annotations ?? undefined) === undefined ? {} : { annotations }),
  } as ApiObject["metadata"];
}

function gvkText(typeMeta: { readonly apiVersion?: unknown; readonly kind?: unknown }): string {
  const { group, version } = parseApiVersion(textOf(typeMeta.apiVersion));
  return `${group}/${version}, Kind=${textOf(typeMeta.kind)}`;
}
