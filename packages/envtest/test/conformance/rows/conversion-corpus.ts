import type { Json } from "../row.ts";
import { changed, changedMetadata, type ConversionResponse, type WrongAnswer } from "./converted-devices.ts";

/** Where a webhook is, and which reviews it gets. */
export interface ConversionCorpusInput {
  readonly group: string;
  readonly reviewVersion: string;
  /** Returns the address of the webhook. */
  readonly url: () => string;
}

/** Returns answers to a review whose request was a device, by the name of the object. */
export function wrongConversions(input: ConversionCorpusInput): Readonly<Record<string, WrongAnswer>> {
  const { group } = input;
  return { ...bodies(input), ...responses(), ...objects(group), ...metadata() };
}

function bodies({ group, reviewVersion, url }: ConversionCorpusInput): Readonly<Record<string, WrongAnswer>> {
  const types = { apiVersion: `apiextensions.k8s.io/${reviewVersion}`, kind: "ConversionReview" };
  const reviewOf = (response: ConversionResponse, fields: Json = {}): string =>
    JSON.stringify({ ...types, response, ...fields });
  // YAML in the flow style, which no reader of JSON accepts.
  const yamlOf = (right: ConversionResponse): string =>
    `apiVersion: ${types.apiVersion}\nkind: ${types.kind}\nresponse: ${JSON.stringify(right)}\n`;
  const text =
    (body: string, status = 200): WrongAnswer =>
    () => ({ kind: "raw", status, body });
  const review = (fields: Json, status = 200): WrongAnswer => {
    return (right) => ({ kind: "raw", status, body: reviewOf(right, fields) });
  };
  const typed = (type: string | undefined): WrongAnswer => {
    return (right) => ({
      kind: "raw",
      status: 200,
      body: reviewOf(right),
      headers: type === undefined ? {} : { "content-type": type },
    });
  };
  const redirect = (status: number, location?: string): WrongAnswer => {
    return () => ({ kind: "raw", status, body: "", headers: location === undefined ? {} : { location } });
  };
  return {
    boom: text("boom"),
    "boom-400": text("boom", 400),
    "boom-401": text("boom", 401),
    "boom-403": text("boom", 403),
    "boom-404": text("boom", 404),
    "boom-409": text("boom", 409),
    "boom-422": text("boom", 422),
    "boom-500": text("boom", 500),
    "boom-502": text("<html><body>bad gateway</body></html>", 502),
    "empty-body": text(""),
    "empty-500": text("", 500),
    "empty-object": text("{}"),
    array: text("[]"),
    null: text("null"),
    number: text("1"),
    text: text('"x"'),
    truncated: (right) => ({ kind: "raw", status: 200, body: reviewOf(right).slice(0, -1) }),
    "twice-in-a-row": (right) => ({ kind: "raw", status: 200, body: reviewOf(right) + reviewOf(right) }),
    "status-201": review({}, 201),
    "status-204": text("", 204),
    "status-206": review({}, 206),
    "status-304": text("", 304),
    "review-500": review({}, 500),
    "redirect-302": (right) => redirect(302, `${url()}/elsewhere`)(right),
    "redirect-307": (right) => redirect(307, `${url()}/elsewhere`)(right),
    "redirect-without": redirect(302),
    "status-object": text(statusOf({ code: 200 })),
    "status-object-success": text(statusOf({ code: 200, status: "Success" })),
    "status-object-403": text(statusOf({ code: 403, reason: "Forbidden" }), 403),
    "status-object-500": text(statusOf({ code: 500, reason: "InternalError" }), 500),
    "no-content-type": typed(undefined),
    "plain-text": typed("text/plain"),
    "broken-content-type": typed(";;"),
    "a-charset": typed("application/json; charset=utf-8"),
    yaml: (right) => ({
      kind: "raw",
      status: 200,
      body: yamlOf(right),
      headers: { "content-type": "application/yaml" },
    }),
    "yaml-as-json": (right) => ({ kind: "raw", status: 200, body: yamlOf(right) }),
    "another-kind": review({ kind: "Other" }),
    "another-known-kind": review({ kind: "CustomResourceDefinition" }),
    "a-known-list": review({ kind: "CustomResourceDefinitionList" }),
    "no-kind": review({ kind: undefined }),
    "empty-kind": review({ kind: "" }),
    "number-as-kind": review({ kind: 1 }),
    "no-version": review({ apiVersion: undefined }),
    neither: review({ apiVersion: undefined, kind: undefined }),
    "version-v1": review({ apiVersion: "apiextensions.k8s.io/v1" }),
    "version-v1beta1": review({ apiVersion: "apiextensions.k8s.io/v1beta1" }),
    "version-v9": review({ apiVersion: "apiextensions.k8s.io/v9" }),
    "another-group": review({ apiVersion: `${group}/v1` }),
    "broken-version": review({ apiVersion: "a/b/c" }),
    "no-response": review({ response: undefined }),
    "null-response": review({ response: null }),
    "array-as-response": review({ response: [] }),
    "text-as-response": review({ response: "x" }),
    "empty-response": review({ response: {} }),
    "unknown-fields": review({ a: 1 }),
    "large-body": review({ filler: "x".repeat(4_000_000) }),
  };
}

function responses(): Readonly<Record<string, WrongAnswer>> {
  const fields = (more: Json): WrongAnswer => {
    return (right) => ({ ...right, ...more });
  };
  return {
    "no-uid": fields({ uid: undefined }),
    "empty-uid": fields({ uid: "" }),
    "another-uid": fields({ uid: "other" }),
    "number-as-uid": fields({ uid: 1 }),
    "uid-in-capitals": ({ uid, ...right }) => ({ ...right, UID: uid }),
    "null-result": fields({ result: null }),
    "no-result": fields({ result: undefined }),
    "text-as-result": fields({ result: "Success" }),
    "array-as-result": fields({ result: [] }),
    "empty-result": fields({ result: {} }),
    "result-in-capitals": fields({ result: { status: "SUCCESS" } }),
    "failed-result": fields({ result: { status: "Failure" } }),
    "failed-with-message": fields({ result: { status: "Failure", message: "boom" } }),
    "failed-with-reason": fields({ result: { status: "Failure", reason: "NotFound", code: 404 } }),
    "failed-with-lines": fields({ result: { status: "Failure", message: 'a "b"\nc\u0001' } }),
    "succeeded-with-message": fields({ result: { status: "Success", message: "boom", code: 500 } }),
    "number-as-status": fields({ result: { status: 1 } }),
    "number-as-message": fields({ result: { status: "Failure", message: 1 } }),
    "text-as-code": fields({ result: { status: "Success", code: "200" } }),
    "text-as-details": fields({ result: { status: "Success", details: "x" } }),
    "no-objects": fields({ convertedObjects: [] }),
    "absent-objects": fields({ convertedObjects: undefined }),
    "null-objects": fields({ convertedObjects: null }),
    "object-as-objects": fields({ convertedObjects: {} }),
    "text-as-objects": fields({ convertedObjects: "x" }),
    "two-objects": (right) => ({ ...right, convertedObjects: [...right.convertedObjects, ...right.convertedObjects] }),
    "failed-with-objects": (right) => ({ ...right, result: { status: "Failure", message: "no" } }),
  };
}

function objects(group: string): Readonly<Record<string, WrongAnswer>> {
  const only = (object: unknown): WrongAnswer => {
    return (right) => ({ ...right, convertedObjects: [object] as never });
  };
  const fields = (more: Json): WrongAnswer => {
    return (right) => changed(right, more);
  };
  return {
    "null-object": only(null),
    "number-object": only(1),
    "text-object": only("x"),
    "array-object": only([]),
    "empty-object-inside": only({}),
    "only-types": (right) => only({ apiVersion: right.convertedObjects[0]?.["apiVersion"], kind: "Device" })(right),
    "object-v3": fields({ apiVersion: `${group}/v3` }),
    "object-of-another-group": fields({ apiVersion: "example.com/v2" }),
    "object-without-version": fields({ apiVersion: undefined }),
    "number-as-object-version": fields({ apiVersion: 2 }),
    "broken-object-version": only({ apiVersion: "a/b/c", kind: "Device", spec: { b: 1, a: "<" } }),
    "object-of-another-kind": fields({ kind: "Machine" }),
    "object-without-kind": only({ apiVersion: `${group}/v2`, metadata: { name: "x" } }),
    "number-as-object-kind": only({ apiVersion: `${group}/v2`, kind: 2 }),
    "object-as-list": fields({ items: [] }),
    unconverted: (right) => changed(right, { apiVersion: `${group}/v1` }),
    "spec-as-text": fields({ spec: "x" }),
    "no-spec": fields({ spec: undefined }),
    "wrong-field": fields({ spec: { port: "x", address: 1 } }),
    "unknown-in-root": fields({ unknown: { a: 1 } }),
  };
}

function metadata(): Readonly<Record<string, WrongAnswer>> {
  const meta = (fields: Json): WrongAnswer => {
    return (right) => changedMetadata(right, fields);
  };
  const labels = (value: unknown): WrongAnswer => meta({ labels: value });
  const annotations = (value: unknown): WrongAnswer => meta({ annotations: value });
  return {
    "no-metadata": (right) => changed(right, { metadata: undefined }),
    "null-metadata": (right) => changed(right, { metadata: null }),
    "text-metadata": (right) => changed(right, { metadata: "x" }),
    "array-metadata": (right) => changed(right, { metadata: [] }),
    "empty-metadata": (right) => changed(right, { metadata: {} }),
    "another-name": meta({ name: "renamed" }),
    "no-name": meta({ name: undefined }),
    "number-as-name": meta({ name: 1 }),
    "another-namespace": meta({ namespace: "elsewhere" }),
    "no-namespace": meta({ namespace: undefined }),
    "another-object": meta({ uid: "u" }),
    "no-object-uid": meta({ uid: undefined }),
    "other-system-fields": meta({
      resourceVersion: "1",
      generation: 99,
      creationTimestamp: "x",
      deletionTimestamp: "2001-01-01T00:00:00Z",
      finalizers: ["not valid!"],
      ownerReferences: "x",
      managedFields: 1,
      unknown: 1,
    }),
    "labels-as-list": labels(["a"]),
    "labels-as-text": labels("a"),
    "null-labels": labels(null),
    "empty-labels": labels({}),
    "number-as-label": labels({ a: 1 }),
    "float-as-label": labels({ a: 1.5 }),
    "null-as-label": labels({ a: null }),
    "object-as-label": labels({ a: {} }),
    "label-value": labels({ a: "not valid" }),
    "label-value-long": labels({ a: "x".repeat(64) }),
    "label-value-quoted": labels({ a: 'say "hi"' }),
    "label-key": labels({ "not valid": "x" }),
    "label-key-empty": labels({ "": "x" }),
    "label-key-long": labels({ ["k".repeat(64)]: "x" }),
    "label-key-prefix": labels({ "Upper_Case/x": "y" }),
    "label-key-and-value": labels({ "not valid": "not valid" }),
    "annotations-as-list": annotations(["a"]),
    "null-annotations": annotations(null),
    "number-as-annotation": annotations({ a: 1 }),
    "annotation-value": annotations({ a: "anything \u0001 goes\n" }),
    "annotation-key": annotations({ "not valid": "x" }),
    "annotation-key-upper": annotations({ "Example.COM/Fine": "x" }),
    "annotation-key-empty": annotations({ "": "x" }),
    "annotation-key-slashes": annotations({ "a/b/c": "x" }),
    "annotations-large": annotations({ a: "x".repeat(262_144) }),
    "annotations-largest": annotations({ a: "x".repeat(262_143) }),
    "both-invalid": meta({ labels: { "a b": "x" }, annotations: { "a b": "x" } }),
  };
}

function statusOf(fields: Json): string {
  return JSON.stringify({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: "a status",
    ...fields,
  });
}
