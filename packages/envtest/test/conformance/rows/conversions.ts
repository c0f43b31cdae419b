import { objectOf, type Json, type Row } from "../row.ts";
import {
  changed,
  changedMetadata,
  device,
  deviceCrd,
  installConverted,
  pathsOf,
  type WrongAnswer,
} from "./converted-devices.ts";
import { conditionOf, CRDS_PATH, installCrd } from "./install-crd.ts";

const MERGE = "application/merge-patch+json";

export const CONVERSION_ROWS: readonly Row[] = [
  {
    row: 83,
    title: "without a webhook the versions of an object differ by their schemas alone",
    run: async (context) => {
      const { send } = context;
      await installCrd(context, deviceCrd("row83.example.com", { strategy: "None" }));
      const path = pathsOf("row83.example.com", context.namespace);
      await send("create in v1", { method: "POST", path: path("v1"), body: device("row83.example.com", "v1", "a") });
      await send("create in v2", { method: "POST", path: path("v2"), body: device("row83.example.com", "v2", "b") });
      await send("read a in v2", { path: path("v2", "a") });
      await send("read b in v1", { path: path("v1", "b") });
      await send("list in v2", { path: path("v2") });
      await send("patch a in v2", {
        method: "PATCH",
        path: path("v2", "a"),
        body: { spec: { port: 9 } },
        contentType: MERGE,
      });
      await send("read a in v1", { path: path("v1", "a") });
    },
  },
  {
    row: 84,
    title: "a webhook converts what is read, listed, watched and written in another version than is stored",
    run: async (context) => {
      const { send, note, namespace, watch } = context;
      const { path, takeCalls } = await installConverted(context, "row84.example.com");
      const group = "row84.example.com";
      await send("create in the stored version", { method: "POST", path: path("v1"), body: device(group, "v1", "a") });
      note("nothing is asked", takeCalls().length);
      await send("create in another version", { method: "POST", path: path("v2"), body: device(group, "v2", "b") });
      const call = takeCalls().find(({ review }) => review.request["desiredAPIVersion"] === `${group}/v1`);
      note("what the webhook is asked", { url: call?.url, review: call?.review });
      await send("as it is stored", { path: path("v1", "b") });
      await send("read in another version", { path: path("v2", "a") });
      await send("list in another version", { path: path("v2") });
      await send("list with a selector", { path: `${path("v2")}?labelSelector=seen%3Dv2` });
      await send("patch in another version", {
        method: "PATCH",
        path: path("v2", "a"),
        body: { spec: { address: "c:3" } },
        contentType: MERGE,
      });
      await send("a patch that changes nothing", {
        method: "PATCH",
        path: path("v2", "a"),
        body: { spec: { address: "c:3" } },
        contentType: MERGE,
      });
      await send("what is against the other schema", {
        method: "PATCH",
        path: path("v2", "a"),
        body: { spec: { address: 3 } },
        contentType: MERGE,
      });
      await send("update in another version", {
        method: "PUT",
        path: path("v2", "b"),
        body: {
          ...device(group, "v2", "b"),
          metadata: {
            name: "b",
            resourceVersion: objectOf(await context.quietly({ path: path("v2", "b") })).metadata.resourceVersion,
          },
          spec: { address: "d:4" },
        },
      });
      await send("the status in another version", {
        method: "PATCH",
        path: `${path("v2", "a")}/status`,
        body: { status: { ready: true } },
        contentType: MERGE,
      });
      await send("the scale in another version", { path: `${path("v2", "a")}/scale` });
      await send("scale in another version", {
        method: "PATCH",
        path: `${path("v2", "a")}/scale`,
        body: { spec: { replicas: 3 } },
        contentType: MERGE,
      });
      const stream = await watch(`${path("v2")}?watch=true`);
      await stream.take(2);
      await context.quietly({ method: "POST", path: path("v1"), body: device(group, "v1", "w") });
      const [event] = await stream.take(1);
      note("watched in another version", { type: event?.type, object: (event?.object as Json | undefined)?.["spec"] });
      await stream.close();
      await send("delete in another version", { method: "DELETE", path: path("v2", "a") });
      await send("gone", { path: `/apis/${group}/v1/namespaces/${namespace}/devices/a` });
    },
  },
  {
    row: 121,
    title: "what a conversion webhook answers wrongly fails the request, with what was wrong",
    run: async (context) => {
      const { send } = context;
      const group = "row121.example.com";
      const { path } = await installConverted(context, group, { answers: WRONG_ANSWERS });
      for (const name of Object.keys(WRONG_ANSWERS))
        await context.quietly({ method: "POST", path: path("v1"), body: device(group, "v1", name) });
      for (const name of Object.keys(WRONG_ANSWERS)) await send(name, { path: path("v2", name) });
      await send("write through a failing webhook", {
        method: "POST",
        path: path("v2"),
        body: device(group, "v2", "failure"),
      });
      await send("the stored version needs no webhook", { path: path("v1", "failure") });
      await send("delete through a failing webhook", { method: "DELETE", path: path("v2", "failure") });
      await send("delete in the stored version", { method: "DELETE", path: path("v1", "failure") });
    },
  },
  {
    row: 122,
    title: "a definition's conversion is checked, and its authority before it is served",
    run: async (context) => {
      const { send, cleanUp, quietly, eventually } = context;
      const group = "row122.example.com";
      for (const [step, conversion] of Object.entries(BAD_CONVERSIONS))
        await send(step, { method: "POST", path: CRDS_PATH, body: deviceCrd(group, conversion) });
      const path = `${CRDS_PATH}/devices.${group}`;
      const clientConfig = { service: { name: "s", namespace: "n" }, caBundle: "bm8=" };
      const webhook = { conversionReviewVersions: ["v1"], clientConfig };
      await send("an unreadable authority", {
        method: "POST",
        path: CRDS_PATH,
        body: deviceCrd(group, { strategy: "Webhook", webhook }),
      });
      cleanUp(() => quietly({ method: "DELETE", path }));
      const isRefused = (status: unknown): boolean => JSON.stringify(status).includes("InvalidCABundle");
      const refused = await eventually({ path }, (answer) => isRefused(objectOf(answer).status));
      context.note("its conditions", objectOf(refused).status);
      await quietly({
        method: "PATCH",
        path,
        body: { spec: { conversion: { webhook: { clientConfig: { caBundle: null } } } } },
        contentType: MERGE,
      });
      await eventually({ path }, (answer) => conditionOf(objectOf(answer), "Established") === "True");
      await send("an unreadable authority, once served", {
        method: "PATCH",
        path,
        body: { spec: { conversion: { webhook: { clientConfig } } } },
        contentType: MERGE,
      });
    },
  },
];

// By name of the object: what the webhook makes of its right answer.
const WRONG_ANSWERS: Readonly<Record<string, WrongAnswer>> = {
  "another-uid": (right) => ({ ...right, uid: "other" }),
  "no-objects": (right) => ({ ...right, convertedObjects: [] }),
  "two-objects": (right) => ({ ...right, convertedObjects: [...right.convertedObjects, ...right.convertedObjects] }),
  failure: (right) => ({ ...right, result: { status: "Failure", message: "this device cannot be converted" } }),
  "failure-without-a-word": (right) => ({ ...right, result: { status: "Failure" } }),
  "no-result": ({ result: _result, ...right }) => right,
  "another-version": (right) => changed(right, { apiVersion: "row121.example.com/v3" }),
  "another-kind": (right) => changed(right, { kind: "Machine" }),
  "another-name": (right) => changedMetadata(right, { name: "renamed" }),
  "another-namespace": (right) => changedMetadata(right, { namespace: "elsewhere" }),
  "another-object": (right) => changedMetadata(right, { uid: "u" }),
  "no-metadata": (right) => changed(right, { metadata: undefined }),
  "labels-that-are-none": (right) => changedMetadata(right, { labels: ["a"] }),
  "a-label-that-is-none": (right) => changedMetadata(right, { labels: { a: 1 } }),
  "an-annotation-that-is-none": (right) => changedMetadata(right, { annotations: { a: true } }),
  "no-labels": (right) => changedMetadata(right, { labels: null }),
  "http-500": () => ({ kind: "raw", status: 500, body: "no" }),
  "http-404": () => ({ kind: "raw", status: 404, body: "" }),
  "another-review": () => ({
    kind: "raw",
    status: 200,
    body: JSON.stringify({ apiVersion: "apiextensions.k8s.io/v1beta1", kind: "ConversionReview", response: {} }),
  }),
  "no-response": () => ({
    kind: "raw",
    status: 200,
    body: JSON.stringify({ apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview" }),
  }),
};

const URL_CONFIG = { url: "https://example.com/convert" };
const SERVICE = { name: "s", namespace: "n" };

const BAD_CONVERSIONS: Readonly<Record<string, Json>> = {
  "another strategy": { strategy: "Magic" },
  "a webhook for none": {
    strategy: "None",
    webhook: { conversionReviewVersions: ["v1"], clientConfig: URL_CONFIG },
  },
  "no webhook": { strategy: "Webhook" },
  "no client": { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"] } },
  "an empty client": { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"], clientConfig: {} } },
  "both clients": {
    strategy: "Webhook",
    webhook: { conversionReviewVersions: ["v1"], clientConfig: { ...URL_CONFIG, service: SERVICE } },
  },
  "a plain URL": {
    strategy: "Webhook",
    webhook: { conversionReviewVersions: ["v1"], clientConfig: { url: "http://user:word@example.com/a?b=c#d" } },
  },
  "a URL without a host": {
    strategy: "Webhook",
    webhook: { conversionReviewVersions: ["v1"], clientConfig: { url: "https:///a" } },
  },
  "a service without names": {
    strategy: "Webhook",
    webhook: {
      conversionReviewVersions: ["v1"],
      clientConfig: { service: { name: "", namespace: "", port: 70_000, path: "a//B" } },
    },
  },
  "no review version": { strategy: "Webhook", webhook: { conversionReviewVersions: [], clientConfig: URL_CONFIG } },
  "strange review versions": {
    strategy: "Webhook",
    webhook: { conversionReviewVersions: ["v9", "v9", "V"], clientConfig: URL_CONFIG },
  },
};
