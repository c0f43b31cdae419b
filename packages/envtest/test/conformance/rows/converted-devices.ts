import { crd } from "../kinds.ts";
import type { Json, RowContext } from "../row.ts";
import { startWebhookServer, type WebhookCall, type WebhookReply } from "../webhook-server.ts";
import { installCrd } from "./install-crd.ts";

/** Returns the definition of a kind with the versions v1, which is stored, and v2, whose fields differ. */
export function deviceCrd(group: string, conversion: Json): Json {
  const definition = crd({ group, kind: "Device", schema: {} }) as { readonly spec: Json };
  const version = (name: string, spec: Json): Json => ({
    name,
    served: true,
    storage: name === "v1",
    subresources: { status: {}, scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" } },
    schema: {
      openAPIV3Schema: {
        type: "object",
        properties: {
          spec: { type: "object", properties: { replicas: { type: "integer" }, ...spec } },
          status: { type: "object", properties: { ready: { type: "boolean" }, replicas: { type: "integer" } } },
        },
      },
    },
  });
  return {
    ...definition,
    spec: {
      ...definition.spec,
      conversion,
      versions: [
        version("v1", {
          host: { type: "string" },
          port: { type: "integer" },
          mode: { type: "string", default: "old" },
        }),
        version("v2", {
          address: { type: "string" },
          port: { type: "integer" },
          mode: { type: "string" },
          extra: { type: "string", default: "new" },
        }),
      ],
    },
  };
}

/** Returns an object of the kind in a version. */
export function device(group: string, version: string, name: string): Json {
  const spec = version === "v1" ? { host: "h", port: 1, replicas: 1 } : { address: "g:2", replicas: 2 };
  return { apiVersion: `${group}/${version}`, kind: "Device", metadata: { name, labels: { app: "x" } }, spec };
}

/** Returns the function that names the path of the objects of a version, or of one of them. */
export function pathsOf(group: string, namespace: string): (version: string, name?: string) => string {
  return (version, name = "") =>
    `/apis/${group}/${version}/namespaces/${namespace}/devices${name === "" ? "" : `/${name}`}`;
}

/** Installs the kind with a conversion webhook; returns its paths, and the calls of the webhook. */
export async function installConverted(
  context: RowContext,
  group: string,
  {
    answers = {},
    reviewVersions = ["v1"],
  }: {
    /** By name of the object: what the webhook makes of its right answer. */
    readonly answers?: Readonly<Record<string, WrongAnswer>>;
    readonly reviewVersions?: readonly string[];
  } = {},
): Promise<{
  readonly path: ReturnType<typeof pathsOf>;
  readonly takeCalls: () => readonly WebhookCall[];
  /** The address of the webhook. */
  readonly url: string;
}> {
  const server = await startWebhookServer((call) => answer(call, answers));
  context.cleanUp(() => server.close());
  await installCrd(
    context,
    deviceCrd(group, {
      strategy: "Webhook",
      webhook: {
        conversionReviewVersions: reviewVersions,
        clientConfig: { url: `${server.url}/convert`, caBundle: server.caBundle },
      },
    }),
  );
  const path = pathsOf(group, context.namespace);
  // A real server serves each version a moment after the other.
  await context.eventually({ path: path("v2") }, ({ status }) => status === 200);
  server.takeCalls();
  return { path, takeCalls: server.takeCalls, url: server.url };
}

interface ConversionRequest {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects?: readonly (Json & { readonly metadata: Json & { readonly name: string }; readonly spec?: Json })[];
}

/** A right answer of the webhook. */
export type ConversionResponse = Json & { readonly convertedObjects: readonly Json[] };

/** Turns the right answer of the webhook into the response of a review, or into a whole body. */
export type WrongAnswer = (right: ConversionResponse) => Json | WebhookReply;

function answer({ review }: WebhookCall, answers: Readonly<Record<string, WrongAnswer>>): WebhookReply {
  const request = review.request as unknown as ConversionRequest;
  // A redirected call may have no body.
  const { uid, objects = [] } = request;
  const right: ConversionResponse = {
    uid,
    result: { status: "Success" },
    convertedObjects: objects.map((object) => converted(object, request.desiredAPIVersion)),
  };
  const wrong = answers[objects[0]?.metadata.name ?? ""];
  const reply = wrong === undefined ? right : wrong(right);
  if ("kind" in reply) return reply as WebhookReply;
  const body = { apiVersion: review["apiVersion"], kind: "ConversionReview", response: reply };
  return { kind: "raw", status: 200, body: JSON.stringify(body) };
}

// The metadata that is changed beyond labels and annotations has to be ignored.
function converted(object: NonNullable<ConversionRequest["objects"]>[number], apiVersion: string): Json {
  const { metadata, spec = {}, ...fields } = object;
  const { host, port, address, ...others } = spec;
  const isV2 = apiVersion.endsWith("v2");
  const [newHost, newPort] = String(address).split(":");
  const labels = { ...(metadata["labels"] as Json), seen: isV2 ? "v2" : "v1" };
  return {
    ...fields,
    apiVersion,
    metadata: { ...metadata, labels, generation: 77, finalizers: ["strange.example.com/x"] },
    spec: isV2
      ? { ...others, address: `${String(host)}:${String(port)}`, unknown: 1 }
      : { ...others, host: newHost, port: Number(newPort), unknown: 1 },
  };
}

/** Returns an answer whose objects have other fields. */
export function changed(right: ConversionResponse, fields: Json): Json {
  return { ...right, convertedObjects: right.convertedObjects.map((object) => ({ ...object, ...fields })) };
}

/** Returns an answer whose objects have other metadata. */
export function changedMetadata(right: ConversionResponse, fields: Json): Json {
  return {
    ...right,
    convertedObjects: right.convertedObjects.map((object) => ({
      ...object,
      metadata: { ...(object["metadata"] as Json), ...fields },
    })),
  };
}
