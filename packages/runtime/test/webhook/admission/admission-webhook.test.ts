import { defineKind, type JSONValue, type Kind, newInvalid } from "@kubescaffold/k8s";
import type { AdmissionRequest } from "@kubescaffold/k8s/admission/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { applyJsonPatch, type JsonPatchOperation } from "@kubescaffold/schema";
import { describe, expect, it } from "vitest";

import { silentLogger } from "../../../src/log/logger.ts";
import {
  defaulterHandler,
  multiMutatingHandler,
  multiValidatingHandler,
  RefusalWithWarnings,
  type Validator,
  validatorHandler,
} from "../../../src/webhook/admission/admission-handlers.ts";
import {
  type AdmissionHandler,
  allowed,
  denied,
  patchResponse,
  withWarnings,
} from "../../../src/webhook/admission/admission-response.ts";
import { admissionWebhook } from "../../../src/webhook/admission/admission-webhook.ts";
import { goAnswers } from "../../oracle/go-answers.ts";

interface Book extends KubernetesObject {
  spec: { size?: number; title?: string };
}
const Book: Kind<Book> = defineKind<Book>({ group: "test.example.com", version: "v1" }, "Book");

interface ReviewResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: {
    readonly code?: number;
    readonly message?: string;
    readonly reason?: string;
    readonly details?: unknown;
  };
  readonly patch?: string;
  readonly patchType?: string;
  readonly warnings?: readonly string[];
}

interface Answer {
  readonly status: number;
  readonly review: { readonly apiVersion?: string; readonly kind?: string; readonly response: ReviewResponse };
}

async function post(
  handler: AdmissionHandler,
  body: string | Uint8Array,
  contentType = "application/json",
): Promise<Answer> {
  const serve = admissionWebhook({ handler, log: silentLogger });
  const request = new Request("https://localhost/x", {
    method: "POST",
    body,
    headers: { "content-type": contentType },
  });
  const response = await serve(request);
  return { status: response.status, review: (await response.json()) as Answer["review"] };
}

async function review(
  handler: AdmissionHandler,
  request: Partial<AdmissionRequest>,
  apiVersion = "admission.k8s.io/v1",
): Promise<Answer> {
  return await post(
    handler,
    JSON.stringify({ apiVersion, kind: "AdmissionReview", request: { uid: "u-1", userInfo: {}, ...request } }),
  );
}

function patchOf(answer: Answer): readonly JsonPatchOperation[] {
  return JSON.parse(
    Buffer.from(answer.review.response.patch ?? "", "base64").toString("utf8"),
  ) as readonly JsonPatchOperation[];
}

describe("row 40: bad admission input", () => {
  const never: AdmissionHandler = () => Promise.reject(new TypeError("must not be called"));

  it.each([
    ["an empty body", "", "application/json", 400, "request body is empty"],
    ["another content type", "{}", "text/plain", 400, "contentType=text/plain, expected application/json"],
    ["broken JSON", "{", "application/json", 400, "the body is not JSON"],
    ["another kind", '{"kind":"Pod","apiVersion":"v1"}', "application/json", 400, "not an AdmissionReview"],
    ["a body over 7 MiB", " ".repeat(7 * 1024 * 1024 + 1), "application/json", 413, "too large"],
  ])("answers %s with a review that refuses, and HTTP 200", async (_, body, contentType, code, message) => {
    const answer = await post(never, body, contentType);
    expect(answer.status).toBe(200);
    expect(answer.review.response.allowed).toBe(false);
    expect(answer.review.response.status?.code).toBe(code);
    expect(answer.review.response.status?.message).toContain(message);
  });
});

interface BodyInput {
  readonly body: string;
  readonly spaces?: number;
  readonly contentType: string;
}

const JSON_TYPE = "application/json";
const reviewBody = (fields: object): string =>
  JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", ...fields });

const BODIES: readonly (readonly [body: string, contentType?: string])[] = [
  [""],
  ["", "text/plain"],
  [" "],
  ["{}"],
  ["{}", "text/plain"],
  ["{}", ""],
  ["{}", "application/json; charset=utf-8"],
  ["{}", "APPLICATION/JSON"],
  ["{"],
  ["null"],
  ["[]"],
  ["1"],
  ['"text"'],
  ['{"kind":"Pod","apiVersion":"v1"}'],
  ['{"kind":"AdmissionReview"}'],
  ['{"apiVersion":"admission.k8s.io/v1"}'],
  [reviewBody({})],
  [reviewBody({ request: null })],
  [reviewBody({ request: [] })],
  [reviewBody({ request: [{ uid: "u" }] })],
  [reviewBody({ request: "text" })],
  ["[".repeat(100_000)],
  [reviewBody({ request: {} })],
  [reviewBody({ request: { uid: "u" } })],
  [reviewBody({ request: { uid: 1 } })],
  [reviewBody({ request: { uid: "u", operation: "CREATE" } })],
  [reviewBody({ request: { uid: "u", userInfo: null } })],
  [reviewBody({ request: { uid: "u", object: {} } })],
  [reviewBody({ apiVersion: "admission.k8s.io/v1beta1", request: { uid: "u" } })],
  [reviewBody({ apiVersion: "admission.k8s.io/v2", request: { uid: "u" } })],
  [`${reviewBody({ request: { uid: "u" } })}}`],
];

const allBodies = (): readonly BodyInput[] => [
  ...BODIES.map(([body, contentType = JSON_TYPE]) => ({ body, contentType })),
  { body: "", spaces: 7 * 1024 * 1024, contentType: JSON_TYPE },
  { body: "", spaces: 7 * 1024 * 1024 + 1, contentType: JSON_TYPE },
];

// Upstream takes any object for a review, and the API server then rejects the answer without a uid.
function isReviewWithRequest(body: string): boolean {
  const parsed = JSON.parse(body.trim() || "{}") as Partial<Record<string, string>> | null;
  const { kind, apiVersion = "", request } = parsed ?? {};
  return (
    kind === "AdmissionReview" &&
    /^admission\.k8s\.io\/v1(?:beta1)?$/u.test(apiVersion) &&
    request !== undefined &&
    request !== null
  );
}

describe("row 40: bodies beside upstream's", () => {
  it.each(goAnswers<BodyInput, Answer>("admission-body", allBodies))(
    "%j is answered like upstream's",
    async (input, answer) => {
      const own = await post(
        () => Promise.resolve(allowed()),
        input.body + " ".repeat(input.spaces ?? 0),
        input.contentType,
      );
      const facts = ({ status, review: { response } }: Answer): unknown => ({
        status,
        allowed: response.allowed,
        code: response.status?.code,
      });
      const isStricter = answer.review.response.allowed && !isReviewWithRequest(input.body);
      expect(facts(own)).toEqual(isStricter ? { status: 200, allowed: false, code: 400 } : facts(answer));
    },
  );
});

describe("admissionWebhook", () => {
  it.each(["admission.k8s.io/v1", "admission.k8s.io/v1beta1"])("speaks %s and echoes the uid", async (apiVersion) => {
    const answer = await review(() => Promise.resolve(allowed()), { operation: "CREATE" }, apiVersion);
    expect(answer.review).toMatchObject({
      apiVersion,
      kind: "AdmissionReview",
      response: { uid: "u-1", allowed: true },
    });
  });

  it("answers a defect of the handler with 500 and counts it", async () => {
    const answer = await review(async () => (undefined as unknown as { x: () => never }).x(), { operation: "CREATE" });
    expect(answer.review.response).toMatchObject({ uid: "u-1", allowed: false, status: { code: 500 } });
    expect(answer.review.response.status?.message).toContain("Cannot read properties of undefined");
  });

  it("answers a handler that returns nothing with 500", async () => {
    const answer = await review((async () => undefined) as unknown as AdmissionHandler, { operation: "CREATE" });
    expect(answer.status).toBe(200);
    expect(answer.review.response).toMatchObject({ uid: "u-1", allowed: false, status: { code: 500 } });
    expect(answer.review.response.status?.message).toContain("the admission handler returned no response");
  });

  it("sends warnings with an answer that allows", async () => {
    const answer = await review(() => Promise.resolve(withWarnings(allowed(), "old field")), { operation: "CREATE" });
    expect(answer.review.response.warnings).toEqual(["old field"]);
  });
});

describe("row 39: mutation", () => {
  const handler = defaulterHandler<Book>({
    default: (book) => {
      book.spec.size ??= 3;
    },
  });

  it("preserves unknown fields and patches the received object", async () => {
    const object = { ...Book.create({ metadata: { name: "b" }, spec: { title: "T" } }), future: { kept: true } };
    const answer = await review(handler, { operation: "CREATE", object });
    expect(patchOf(answer)).toEqual([{ op: "add", path: "/spec/size", value: 3 }]);
    expect(applyJsonPatch(object as unknown as JSONValue, patchOf(answer) as unknown as JSONValue)).toEqual({
      ...object,
      spec: { title: "T", size: 3 },
    });
  });

  it("sends no patch for an object that needs no change", async () => {
    const answer = await review(handler, {
      operation: "UPDATE",
      object: Book.create({ metadata: {}, spec: { size: 1 } }),
    });
    expect(answer.review.response).toMatchObject({ allowed: true });
    expect(answer.review.response.patch).toBeUndefined();
    expect(answer.review.response.patchType).toBeUndefined();
  });

  it("allows DELETE unchanged", async () => {
    const answer = await review(handler, {
      operation: "DELETE",
      object: null,
      oldObject: Book.create({ metadata: {}, spec: {} }),
    });
    expect(answer.review.response).toMatchObject({ allowed: true });
  });

  it("answers 400 when there is no object", async () => {
    const answer = await review(handler, { operation: "CREATE", object: null });
    expect(answer.review.response).toMatchObject({ allowed: false, status: { code: 400 } });
  });
});

describe("row 38: validation", () => {
  const seen: unknown[] = [];
  const validator: Validator<Book> = {
    validateCreate: (book) => {
      if (book.spec.size === 0) {
        throw newInvalid({ group: "test.example.com", kind: "Book" }, "b", [
          { type: "FieldValueInvalid", field: "spec.size", badValue: 0, detail: "must be positive" },
        ]);
      }
      if (book.spec.title === "both") throw new RefusalWithWarnings(new Error("no"), ["careful"]);
      if (book.spec.title === "bad") throw new Error("bad title");
      return ["a warning"];
    },
    validateUpdate: (oldBook, newBook) => {
      seen.push([oldBook.spec.size, newBook.spec.size]);
    },
    validateDelete: (book) => {
      seen.push(book.spec.size);
    },
  };
  const handler = validatorHandler(validator);
  const book = (spec: Book["spec"]): Book => Book.create({ metadata: { name: "b" }, spec });

  it("returns warnings when it allows", async () => {
    const answer = await review(handler, { operation: "CREATE", object: book({}) });
    expect(answer.review.response).toMatchObject({ uid: "u-1", allowed: true, warnings: ["a warning"] });
  });

  it("refuses with 403 and the text of the error", async () => {
    const answer = await review(handler, { operation: "CREATE", object: book({ title: "bad" }) });
    expect(answer.review.response).toMatchObject({
      allowed: false,
      status: { code: 403, reason: "Forbidden", message: "bad title" },
    });
  });

  it("refuses and warns at once", async () => {
    const answer = await review(handler, { operation: "CREATE", object: book({ title: "both" }) });
    expect(answer.review.response).toMatchObject({ allowed: false, warnings: ["careful"], status: { message: "no" } });
  });

  it("passes an API status through with its code and causes", async () => {
    const answer = await review(handler, { operation: "CREATE", object: book({ size: 0 }) });
    expect(answer.review.response).toMatchObject({ allowed: false, status: { code: 422, reason: "Invalid" } });
    expect(answer.review.response.status?.details).toMatchObject({ causes: [{ field: "spec.size" }] });
  });

  it("is given the old object on update and on delete", async () => {
    seen.length = 0;
    await review(handler, { operation: "UPDATE", oldObject: book({ size: 1 }), object: book({ size: 2 }) });
    await review(handler, { operation: "DELETE", oldObject: book({ size: 5 }), object: null });
    expect(seen).toEqual([[1, 2], 5]);
  });

  it("allows CONNECT and answers 400 to an unknown operation", async () => {
    expect((await review(handler, { operation: "CONNECT" })).review.response.allowed).toBe(true);
    const unknown = await review(handler, { operation: "PURGE" as "CREATE", object: book({}) });
    expect(unknown.review.response).toMatchObject({ allowed: false, status: { code: 400 } });
  });
});

describe("several handlers in one webhook", () => {
  it("join their patches and warnings", async () => {
    const add =
      (field: string): AdmissionHandler =>
      async (request) =>
        await Promise.resolve(
          withWarnings(patchResponse(request.object, { ...(request.object as object), [field]: true }), `set ${field}`),
        );
    const answer = await review(multiMutatingHandler(add("one"), add("two")), {
      operation: "CREATE",
      object: { kind: "X" },
    });
    expect(patchOf(answer)).toEqual([
      { op: "add", path: "/one", value: true },
      { op: "add", path: "/two", value: true },
    ]);
    expect(answer.review.response.warnings).toEqual(["set one", "set two"]);
  });

  it("end at the first refusal", async () => {
    let called = 0;
    const second: AdmissionHandler = async () => {
      called += 1;
      return await Promise.resolve(allowed());
    };
    const answer = await review(
      multiValidatingHandler(() => Promise.resolve(denied("no")), second),
      { operation: "CREATE" },
    );
    expect(answer.review.response).toMatchObject({ allowed: false, status: { message: "no" } });
    expect(called).toBe(0);
  });

  it("passes reviews without a user, or without anything but a uid, on to the handler", async () => {
    const handler: AdmissionHandler = async ({ userInfo }) => allowed(`user ${String(userInfo.username)}`);
    const review = { kind: "AdmissionReview", apiVersion: "admission.k8s.io/v1", request: { uid: "u" } };
    const { status, review: answer } = await post(handler, JSON.stringify(review));
    expect([status, answer.response.uid, answer.response.allowed]).toEqual([200, "u", true]);
  });
});
