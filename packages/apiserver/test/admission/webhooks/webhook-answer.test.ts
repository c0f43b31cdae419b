import { describe, expect, it } from "vitest";

import {
  denialOf,
  patchOf,
  readAnswer,
  WebhookAnswerError,
  WebhookPatchError,
} from "../../../src/admission/webhooks/webhook-answer.ts";
import { WebhookCallError } from "../../../src/http/errors.ts";

function answerOf(
  response: object,
  typeMeta: object = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" },
): string {
  return JSON.stringify({ ...typeMeta, response: { uid: "u", allowed: true, ...response } });
}

describe("readAnswer", () => {
  it("returns the response", async () => {
    const response = { uid: "u", allowed: true, warnings: ["w"] };
    expect(await readAnswer(answerOf({ warnings: ["w"] }), { uid: "u", mayPatch: false, version: "v1" })).toEqual(
      response,
    );
  });

  it.each([
    ["{}", false, "webhook response was absent"],
    [answerOf({ uid: "v" }), false, 'expected response.uid="u", got "v"'],
    [answerOf({}, {}), false, "expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind="],
    [answerOf({ patch: "W10=" }), false, "validating webhook may not return response.patch"],
    [answerOf({ patchType: "JSONPatch" }), false, "validating webhook may not return response.patchType"],
    [answerOf({ patch: "W10=" }), true, "webhook returned response.patch but not response.patchType"],
    [answerOf({ patchType: "JSONPatch" }), true, "webhook returned response.patchType but not response.patch"],
    [answerOf({ patch: "W10=", patchType: "" }), true, 'webhook returned invalid response.patchType of ""'],
  ])("refuses %s (may patch: %s)", async (text, mayPatch, message) => {
    await expect(readAnswer(text, { uid: "u", mayPatch, version: "v1" })).rejects.toThrow(
      new WebhookAnswerError(message),
    );
  });

  it("verifies neither the uid nor the type of the patch of the older version", async () => {
    const text = answerOf({ uid: "v", patch: "W10=" }, { apiVersion: "admission.k8s.io/v1beta1" });
    const expected = { uid: "u", version: "v1beta1" } as const;
    expect(await readAnswer(text, { ...expected, mayPatch: true })).toMatchObject({
      patch: "W10=",
      patchType: "JSONPatch",
    });
    expect(await readAnswer(text, { ...expected, mayPatch: false })).not.toHaveProperty("patch");
  });

  it("takes what is no object for a failed call", async () => {
    await expect(readAnswer("<html>", { uid: "u", mayPatch: false, version: "v1" })).rejects.toThrow(WebhookCallError);
  });
});

describe("patchOf", () => {
  const encode = (text: string): string => Buffer.from(text).toString("base64");

  it("returns the operations, none without a patch", () => {
    const operations = [{ op: "remove", path: "/a" }];
    const patch = encode(JSON.stringify(operations));
    expect(patchOf({ uid: "u", allowed: true, patch, patchType: "JSONPatch" })).toEqual(operations);
    expect(patchOf({ uid: "u", allowed: true })).toEqual([]);
  });

  it.each([
    [
      { patch: encode('[{"op":"remove","path":"/a"}]'), patchType: "MergePatch" },
      'unsupported patch type "MergePatch"',
    ],
    [{ patch: encode("{}"), patchType: "JSONPatch" }, "received undecodable patch in webhook response"],
    [{ patch: encode("["), patchType: "JSONPatch" }, "received undecodable patch in webhook response"],
  ])("refuses %o", (fields, message) => {
    const read = (): unknown => patchOf({ uid: "u", allowed: true, ...fields } as Parameters<typeof patchOf>[0]);
    expect(read).toThrow(WebhookPatchError);
    expect(read).toThrow(message);
  });
});

describe("denialOf", () => {
  it.each([
    [undefined, 400, undefined, 'admission webhook "w" denied the request without explanation'],
    [{ code: 200, message: "no" }, 400, undefined, 'admission webhook "w" denied the request: no'],
    [{ code: 422, reason: "Invalid" }, 422, "Invalid", 'admission webhook "w" denied the request: Invalid'],
    [
      { code: 403, reason: "Forbidden", message: "no" },
      403,
      "Forbidden",
      'admission webhook "w" denied the request: no',
    ],
  ])("makes of %o a refusal with code %s", (status, code, reason, message) => {
    const response = { uid: "u", allowed: false, ...(status === undefined ? {} : { status }) };
    const denial = denialOf("w", response).status;
    expect(denial).toMatchObject({ status: "Failure", code, message });
    expect(denial.reason).toBe(reason);
  });
});
