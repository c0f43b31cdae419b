import { goUnmarshalError, parseApiVersion, parseJson } from "@kubescaffold/k8s";
import type { AdmissionReview } from "@kubescaffold/k8s/admission/v1";
import { isRecord } from "@kubescaffold/platform";

import { WebhookCallError } from "../../http/webhook-client.ts";
import { jsonProblem, parseYaml, TYPE_META } from "../../request/body.ts";
import { textOf } from "../../resources/fields.ts";

const VERSION = "admission.k8s.io/v1";
const KIND = "AdmissionReview";

/** Kinds that the reader of upstream knows beside the expected one. */
const OTHER_KINDS: Readonly<Record<string, string>> = {
  "v1 Status": "v1.Status",
  "admission.k8s.io/v1beta1 AdmissionReview": "v1beta1.AdmissionReview",
};

/** Reads the answer of an admission webhook, which is JSON or YAML. Fails: {@link WebhookCallError}, with upstream's messages. */
export async function readReview(text: string): Promise<Partial<AdmissionReview>> {
  const review = (await parse(text)) ?? null;
  if (review === null) return {};
  if (!isRecord(review)) throw unreadable(goUnmarshalError(review, TYPE_META));
  for (const name of ["apiVersion", "kind"]) {
    const value = review[name] ?? "";
    if (typeof value !== "string")
      throw unreadable(`${kindOf(value)} into Go struct field .${name} of type string`, true);
  }
  checkKind(review);
  checkFields(review["response"]);
  return review;
}

async function parse(text: string): Promise<unknown> {
  if (!text.trimStart().startsWith("{")) {
    try {
      return await parseYaml(text);
    } catch (error) {
      throw new WebhookCallError(error instanceof Error ? error.message : "", { cause: error });
    }
  }
  try {
    return parseJson(text);
  } catch (error) {
    throw unreadable(jsonProblem(text, error));
  }
}

function unreadable(problem: string, isType = false): WebhookCallError {
  return new WebhookCallError(
    `couldn't get version/kind; json parse error: ${isType ? "json: cannot unmarshal " : ""}${problem}`,
  );
}

function checkKind(review: Readonly<Record<string, unknown>>): void {
  const apiVersion = textOf(review["apiVersion"]);
  const kind = textOf(review["kind"]);
  if (apiVersion.split("/").length > 2) throw new WebhookCallError(`unexpected GroupVersion string: ${apiVersion}`);
  // What is missing is taken for right here, and refused afterwards.
  const { group, version } = parseApiVersion(apiVersion === "" ? VERSION : apiVersion);
  const stated = group === "" ? version : `${group}/${version}`;
  const actual = kind === "" ? KIND : kind;
  if (stated === VERSION && actual === KIND) return;
  const other = OTHER_KINDS[`${stated} ${actual}`];
  if (other !== undefined) {
    throw new WebhookCallError(`converting (${other}) to (v1.AdmissionReview): unknown conversion`);
  }
  throw new WebhookCallError(
    `no kind "${actual}" is registered for version "${stated}" in scheme "pkg/runtime/scheme.go:111"`,
  );
}

type Check = readonly [name: string, type: string, isRight: (value: unknown) => boolean];

const FIELDS: readonly Check[] = [
  ["uid", "types.UID", (value) => typeof value === "string"],
  ["allowed", "bool", (value) => typeof value === "boolean"],
  ["status", "v1.Status", isRecord],
  ["warnings", "[]string", Array.isArray],
  ["auditAnnotations", "map[string]string", isRecord],
  ["patchType", "v1.PatchType", (value) => typeof value === "string"],
];

function checkFields(response: unknown): void {
  if (response === undefined || response === null) return;
  if (!isRecord(response)) throw wrongType(response, "AdmissionReview.response", "v1.AdmissionResponse");
  for (const [name, type, isRight] of FIELDS) {
    const value = response[name] ?? undefined;
    if (value !== undefined && !isRight(value)) throw wrongType(value, `AdmissionResponse.response.${name}`, type);
  }
  for (const warning of (response["warnings"] ?? []) as readonly unknown[]) {
    if (typeof warning !== "string" && warning !== null)
      throw wrongType(warning, "AdmissionResponse.response.warnings", "string");
  }
  const { code } = (response["status"] ?? {}) as { readonly code?: unknown };
  if (code !== undefined && code !== null && !Number.isInteger(code))
    throw wrongType(code, "Status.response.status.code", "int32");
  checkPatch(response["patch"] ?? undefined);
}

function checkPatch(patch: unknown): void {
  if (patch === undefined) return;
  const field = "AdmissionResponse.response.patch";
  if (typeof patch !== "string") {
    const [first] = Array.isArray(patch) ? (patch as readonly unknown[]) : [patch];
    throw Array.isArray(patch) ? wrongType(first, field, "uint8") : wrongType(patch, field, "[]uint8");
  }
  const position = base64Problem(patch);
  if (position !== undefined) {
    throw new WebhookCallError(`illegal base64 data at input byte ${String(position)}`);
  }
}

// Where Go's decoder stops: at a character that does not belong there, or at a group of four that is not complete.
function base64Problem(text: string): number | undefined {
  const end = text.replace(/={1,2}$/u, "").length;
  const stranger = text.slice(0, end).search(/[^A-Za-z0-9+/]/u);
  if (stranger >= 0) return stranger;
  return text.length % 4 === 0 ? undefined : text.length - (text.length % 4);
}

function wrongType(value: unknown, field: string, type: string): WebhookCallError {
  return new WebhookCallError(`json: cannot unmarshal ${kindOf(value)} into Go struct field ${field} of type ${type}`);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (isRecord(value)) return "object";
  return typeof value === "boolean" ? "bool" : typeof value;
}
