import { apiVersionOf, type FieldError, goQuote, goUnmarshalError, type GroupVersionKind } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";

import { kindOfBody } from "../request/body-kind.ts";
import { type BodyContext, decodeBody } from "../request/body.ts";
import { badRequest } from "../request/failures.ts";
import { isGeneralKind } from "../request/registered-kinds.ts";
import type { RequestContext } from "../request/request-context.ts";
import { numberIn } from "../resources/fields.ts";
import type { JsonObject } from "../storage/api-object.ts";
import { parseInteger } from "./list-options.ts";
import { dryRunErrors, throwIfInvalid } from "./write-request.ts";

/** Deletion of the dependents of a deleted object. */
type PropagationPolicy = "Foreground" | "Background" | "Orphan";

/** The options of a delete. */
export interface DeleteOptions {
  readonly isDryRun: boolean;
  readonly gracePeriodSeconds: number | undefined;
  readonly propagationPolicy: PropagationPolicy | undefined;
  /** The older form of the policy. */
  readonly orphanDependents: boolean | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

/** Reads the options of a delete from the body, or else from the query; fails with 422 when a value is wrong. */
export async function parseDeleteOptions(
  context: Pick<RequestContext, "request" | "audit" | "hasCbor" | "cborLimits">,
): Promise<DeleteOptions> {
  const { request, audit } = context;
  const stated = await bodyOptions(context);
  // Upstream logs them in its internal version.
  if (stated !== undefined) audit?.noteObject({ ...stated, apiVersion: "meta.k8s.io/__internal" });
  const given = stated ?? queryOptions(request.query);
  throwIfInvalid("DeleteOptions", optionErrors(given));
  const preconditions = isRecord(given["preconditions"]) ? given["preconditions"] : {};
  return {
    isDryRun: asStrings(given["dryRun"]).length > 0,
    gracePeriodSeconds: numberIn(given, "gracePeriodSeconds"),
    propagationPolicy: given["propagationPolicy"] as PropagationPolicy | undefined,
    orphanDependents: typeof given["orphanDependents"] === "boolean" ? given["orphanDependents"] : undefined,
    uid: asText(preconditions["uid"]),
    resourceVersion: asText(preconditions["resourceVersion"]),
  };
}

/** Returns the options as admission plugins see them. */
export function deleteAdmissionOptions(options: DeleteOptions): JsonObject {
  const { uid, resourceVersion } = options;
  return {
    kind: "DeleteOptions",
    apiVersion: "meta.k8s.io/v1",
    ...(options.isDryRun ? { dryRun: ["All"] } : {}),
    ...(options.gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: options.gracePeriodSeconds }),
    ...(options.propagationPolicy === undefined ? {} : { propagationPolicy: options.propagationPolicy }),
    ...(uid === undefined && resourceVersion === undefined ? {} : { preconditions: { uid, resourceVersion } }),
  };
}

async function bodyOptions(context: BodyContext): Promise<JsonObject | undefined> {
  if ((await context.request.body()) === "") {
    return undefined;
  }
  const body = await decodeBody(context, DELETE_OPTIONS);
  checkOptions(kindOfBody(body, DELETE_OPTIONS));
  requireTypes(body.value);
  return body.value as JsonObject;
}

const DELETE_OPTIONS = { group: "", version: "v1", kind: "DeleteOptions", isOptions: true } as const;

// The options are the same in each API version.
function checkOptions(stated: GroupVersionKind): void {
  if (stated.kind === DELETE_OPTIONS.kind) return;
  throw badRequest(
    isGeneralKind(stated.kind)
      ? `converting (v1.${stated.kind}) to (v1.DeleteOptions): unknown conversion`
      : `no kind ${goQuote(stated.kind)} is registered for version ${goQuote(apiVersionOf(stated))} in scheme "pkg/runtime/scheme.go:111"`,
  );
}

function requireTypes(options: Readonly<Record<string, unknown>>): void {
  const { gracePeriodSeconds: grace, preconditions } = options;
  if (grace !== undefined && grace !== null && !isInteger(grace)) {
    throw undecodable(grace, "int64", "DeleteOptions.gracePeriodSeconds");
  }
  if (preconditions === undefined || preconditions === null) {
    return;
  }
  if (!isRecord(preconditions)) {
    throw undecodable(preconditions, "v1.Preconditions", "DeleteOptions.preconditions");
  }
  for (const field of ["uid", "resourceVersion"]) {
    const value = preconditions[field];
    if (value !== undefined && value !== null && typeof value !== "string") {
      throw undecodable(value, "string", `Preconditions.preconditions.${field}`);
    }
  }
}

function isInteger(value: unknown): boolean {
  return (
    typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 2 ** 63)
  );
}

function undecodable(value: unknown, type: string, field: string): Error {
  return badRequest(goUnmarshalError(value, type, `struct field ${field}`));
}

function queryOptions(query: URLSearchParams): JsonObject {
  const grace = parseInteger(query, "gracePeriodSeconds");
  const orphan = query.get("orphanDependents");
  const policy = query.get("propagationPolicy");
  const uid = query.get("uid");
  return {
    dryRun: query.getAll("dryRun"),
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    ...(orphan === null ? {} : { orphanDependents: orphan !== "false" && orphan !== "0" }),
    ...(policy === null ? {} : { propagationPolicy: policy }),
    ...(uid === null ? {} : { preconditions: { uid } }),
  };
}

const POLICIES: ReadonlySet<unknown> = new Set(["Foreground", "Background", "Orphan"]);

function optionErrors(given: JsonObject): readonly FieldError[] {
  const policy = given["propagationPolicy"];
  const errors = [...dryRunErrors(asStrings(given["dryRun"]))];
  if (policy !== undefined && given["orphanDependents"] !== undefined) {
    errors.unshift({
      type: "FieldValueInvalid",
      field: "propagationPolicy",
      badValue: policy,
      detail: "orphanDependents and deletionPropagation cannot be both set",
    });
  }
  if (policy !== undefined && !POLICIES.has(policy)) {
    errors.unshift({
      type: "FieldValueNotSupported",
      field: "propagationPolicy",
      badValue: policy,
      detail: 'supported values: "Foreground", "Background", "Orphan", "nil"',
    });
  }
  return errors;
}

function asStrings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

function asText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
