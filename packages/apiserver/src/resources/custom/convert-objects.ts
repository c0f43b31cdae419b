import { goQuote, goUnmarshalError, parseApiVersion, printServerJson } from "@kubescaffold/k8s";
import type { WebhookClientConfig } from "@kubescaffold/k8s/admissionregistration/v1";
import { isRecord } from "@kubescaffold/platform";

import { WebhookCallError } from "../../http/errors.ts";
import type { WebhookCall } from "../../http/webhook-client.ts";
import {
  acceptedReviewVersion,
  readWebhookReview,
  type ReviewType,
  STATUS_STRUCT,
  type StructType,
} from "../../http/webhook-review.ts";
import { plainError } from "../../request/failures.ts";
import type { ApiObject } from "../../storage/api-object.ts";
import { textOf } from "../fields.ts";
import { convertedMetadata } from "./converted-metadata.ts";
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
const KIND = "ConversionReview";
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
  const reviewVersion = acceptedReviewVersion(conversionReviewVersions) ?? "v1";
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
  const review = { kind: KIND, apiVersion: `${GROUP}/${reviewVersion}` };
  const body = printServerJson({ ...review, request: { uid, desiredAPIVersion, objects }, ...EMPTY_RESPONSE });
  try {
    if (callWebhook === undefined) {
      throw new WebhookCallError("this server has no client for webhooks");
    }
    const text = await callWebhook({ clientConfig, body, timeoutSeconds: TIMEOUT_SECONDS });
    return convertedObjects(await readWebhookReview(text, reviewType(reviewVersion)), { uid, reviewVersion });
  } catch (error) {
    if (error instanceof WebhookCallError) throw plainError(`${webhook} failed: ${error.message}`);
    throw error;
  }
}

const CONVERSION_RESPONSE: StructType = {
  name: "ConversionResponse",
  fields: {
    uid: { type: "types.UID", shape: "text" },
    convertedObjects: { type: "[]runtime.RawExtension", shape: "list" },
    result: { type: "v1.Status", shape: "object", fields: STATUS_STRUCT },
  },
};

function reviewType(version: string): ReviewType {
  return {
    group: GROUP,
    version,
    kind: KIND,
    otherKinds: ["CustomResourceDefinition", "CustomResourceDefinitionList"],
    response: CONVERSION_RESPONSE,
  };
}

function convertedObjects(
  review: Readonly<Record<string, unknown>>,
  { uid, reviewVersion }: { readonly uid: string; readonly reviewVersion: string },
): readonly unknown[] {
  const { response } = review;
  const [kind, apiVersion] = [textOf(review["kind"]), textOf(review["apiVersion"])];
  const isStrict = reviewVersion === "v1";
  if (isStrict && (kind !== KIND || apiVersion !== `${GROUP}/v1`)) {
    const stated = `${apiVersion === "" ? "/" : apiVersion}, Kind=${kind}`;
    throw new WebhookCallError(`expected webhook response of ${GROUP}/v1, Kind=${KIND}, got ${stated}`);
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
  const converted = decodedObject(result);
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
  return {
    ...converted,
    kind,
    apiVersion: version,
    metadata: convertedMetadata(original.metadata, converted["metadata"], webhook),
  };
}

// Fails in the words of upstream's decoder, which does not name the webhook.
function decodedObject(value: unknown): Readonly<Record<string, unknown>> {
  if (value === null || value === undefined) throw plainError("unexpected end of JSON input");
  if (!isRecord(value)) throw plainError(goUnmarshalError(value, "map[string]interface {}"));
  const isKnown = textOf(value["kind"]) !== "" && textOf(value["apiVersion"]).split("/").length <= 2;
  if (!isKnown) throw plainError(`Object 'Kind' is missing in '${printServerJson(value)}'`);
  return value;
}

function gvkText(typeMeta: { readonly apiVersion?: unknown; readonly kind?: unknown }): string {
  const { group, version } = parseApiVersion(textOf(typeMeta.apiVersion));
  return `${group}/${version}, Kind=${textOf(typeMeta.kind)}`;
}
