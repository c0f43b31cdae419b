import { goUnmarshalError, parseApiVersion, parseJson } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";

import { jsonProblem, parseYaml, TYPE_META } from "../request/body.ts";
import { WebhookCallError } from "./errors.ts";

/** The versions of reviews that webhooks may accept. */
export const REVIEW_VERSIONS = ["v1", "v1beta1"] as const;

export type ReviewVersion = (typeof REVIEW_VERSIONS)[number];

/** Returns the first version that a webhook accepts and the server knows, or undefined. */
export function acceptedReviewVersion(accepted: readonly string[]): ReviewVersion | undefined {
  return accepted.find(isReviewVersion);
}

const isReviewVersion = (version: string): version is ReviewVersion =>
  (REVIEW_VERSIONS as readonly string[]).includes(version);

/** A kind of review as upstream's client of webhooks reads it. */
export interface ReviewType {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Other kinds of the group that the client knows, in the same versions as the review. */
  readonly otherKinds?: readonly string[];
  readonly response: StructType;
}

/** A struct of Go whose fields are read from JSON. */
export interface StructType {
  /** The name of its type, without its package. */
  readonly name: string;
  readonly fields: Readonly<Record<string, FieldType>>;
}

/** A field of a struct of Go. */
interface FieldType {
  /** The type of Go, as messages print it. */
  readonly type: string;
  readonly shape: "text" | "bool" | "integer" | "object" | "list";
  /** The fields of an object. */
  readonly fields?: StructType;
}

const text = (type = "string"): FieldType => ({ type, shape: "text" });

/** A Status, in the answers of webhooks. */
export const STATUS_STRUCT: StructType = {
  name: "Status",
  fields: {
    kind: text(),
    apiVersion: text(),
    metadata: { type: "v1.ListMeta", shape: "object" },
    status: text(),
    message: text(),
    reason: text("v1.StatusReason"),
    details: { type: "v1.StatusDetails", shape: "object" },
    code: { type: "int32", shape: "integer" },
  },
};

/** Reads the answer of a webhook, which is JSON or YAML; returns its fields. Fails: {@link WebhookCallError}, with upstream's messages. */
export async function readWebhookReview(body: string, type: ReviewType): Promise<Readonly<Record<string, unknown>>> {
  const review = (await parse(body)) ?? {};
  if (!isRecord(review)) throw unreadable(goUnmarshalError(review, TYPE_META));
  for (const name of ["apiVersion", "kind"]) {
    const value = review[name] ?? "";
    if (typeof value !== "string") throw unreadable(goUnmarshalError(value, "string", `struct field .${name}`));
  }
  checkKind(review, type);
  const response = { type: `${type.version}.${type.response.name}`, shape: "object", fields: type.response } as const;
  checkStruct(review, { struct: { name: type.kind, fields: { response } }, path: "" });
  return review;
}

async function parse(body: string): Promise<unknown> {
  if (!body.trimStart().startsWith("{")) {
    try {
      return await parseYaml(body);
    } catch (error) {
      throw new WebhookCallError(error instanceof Error ? error.message : "", { cause: error });
    }
  }
  try {
    return parseJson(body);
  } catch (error) {
    throw unreadable(jsonProblem(body, error));
  }
}

function unreadable(problem: string): WebhookCallError {
  return new WebhookCallError(`couldn't get version/kind; json parse error: ${problem}`);
}

const CORE_KINDS = ["Status", "APIVersions", "APIGroup", "APIGroupList", "APIResourceList"] as const;
const KINDS_OF_ALL_GROUPS = [
  "WatchEvent",
  "ListOptions",
  "GetOptions",
  "DeleteOptions",
  "CreateOptions",
  "UpdateOptions",
  "PatchOptions",
] as const;

function checkKind(review: Readonly<Record<string, unknown>>, type: ReviewType): void {
  const apiVersion = stringIn(review["apiVersion"]);
  if (apiVersion.split("/").length > 2) throw new WebhookCallError(`unexpected GroupVersion string: ${apiVersion}`);
  // What is missing is taken for right here, and refused afterwards.
  const expected = `${type.group}/${type.version}`;
  const { group, version } = parseApiVersion(apiVersion === "" ? expected : apiVersion);
  const stated = group === "" ? version : `${group}/${version}`;
  const kind = stringIn(review["kind"]) || type.kind;
  if (stated === expected && kind === type.kind) return;
  const known: readonly string[] =
    stated === "v1" ? CORE_KINDS : [type.kind, ...(type.otherKinds ?? []), ...KINDS_OF_ALL_GROUPS];
  if ((stated === "v1" || (group === type.group && isReviewVersion(version))) && known.includes(kind)) {
    throw new WebhookCallError(`converting (${version}.${kind}) to (${type.version}.${type.kind}): unknown conversion`);
  }
  throw new WebhookCallError(
    `no kind "${kind}" is registered for version "${stated}" in scheme "pkg/runtime/scheme.go:111"`,
  );
}

function stringIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

const SHAPES: Readonly<Record<FieldType["shape"], (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string",
  bool: (value) => typeof value === "boolean",
  integer: (value) => Number.isInteger(value),
  object: isRecord,
  list: Array.isArray,
};

/** Checks the types of fields in the order of the text, as Go's decoder reports the first wrong one. Fails: {@link WebhookCallError}. */
export function checkStruct(
  value: Readonly<Record<string, unknown>>,
  { struct, path }: { readonly struct: StructType; readonly path: string },
): void {
  for (const [name, field] of Object.entries(value)) {
    const type = Object.hasOwn(struct.fields, name) ? struct.fields[name] : undefined;
    if (type === undefined || field === null || field === undefined) continue;
    const fieldPath = path === "" ? name : `${path}.${name}`;
    if (!SHAPES[type.shape](field)) throw wrongType(field, `${struct.name}.${fieldPath}`, type.type);
    if (type.fields !== undefined) checkStruct(field as never, { struct: type.fields, path: fieldPath });
  }
}

/** Returns the error of a value that does not fit a field, such as `AdmissionResponse.response.patch`. */
export function wrongType(value: unknown, field: string, type: string): WebhookCallError {
  return new WebhookCallError(goUnmarshalError(value, type, `struct field ${field}`));
}
