import {
  deepClone,
  gvkOf,
  type JSONValue,
  messageOf,
  newBadRequest,
  newInternalError,
  printServerJson,
  StatusError,
} from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";
import { applyJsonPatch, deepEqual } from "@kubescaffold/schema/values";

import { WebhookCallError } from "../../http/errors.ts";
import type { WebhookClient } from "../../http/webhook-client.ts";
import { acceptedReviewVersion, type ReviewVersion } from "../../http/webhook-review.ts";
import type { AdmissionAttributes, AdmissionPlugin, Reinvocation } from "../../pipeline/extension-points.ts";
import type { ServerContext } from "../../pipeline/server-context.ts";
import { decodingProblem } from "../../request/decoding-problem.ts";
import { forbidden } from "../../request/failures.ts";
import type { UserInfo } from "../../request/request-context.ts";
import type { ApiObject } from "../../storage/api-object.ts";
import { InvocationRecord } from "../invocation-record.ts";
import { reviewedObject } from "../reviewed-object.ts";
import type { RuleMatch } from "../rule-matching.ts";
import { type VersionedAttributes, versionedAttributes } from "../versioned-attributes.ts";
import { withType } from "./patched-type.ts";
import { denialOf, patchOf, readAnswer, WebhookAnswerError, WebhookPatchError } from "./webhook-answer.ts";
import {
  mutatingWebhooks,
  validatingWebhooks,
  type ConfiguredWebhook,
  matchWebhook,
  type NamedWebhook,
} from "./webhook-matching.ts";

const DEFAULT_TIMEOUT_SECONDS = 10;

/** Asks the webhooks that are configured: the mutating ones one after the other, the validating ones at once. */
export function admissionWebhooks(context: ServerContext, client: WebhookClient): AdmissionPlugin {
  const caller: Caller = { context, client };
  return {
    name: "AdmissionWebhooks",
    mutate: async (attributes, reinvocation) => await mutate(caller, attributes, reinvocation),
    validate: async (attributes) => await validate(caller, attributes),
  };
}

interface Caller {
  readonly context: ServerContext;
  readonly client: WebhookClient;
}

async function mutate(
  caller: Caller,
  attributes: AdmissionAttributes,
  reinvocation: Reinvocation,
): Promise<ApiObject | undefined> {
  const webhooks = mutatingWebhooks(caller.context);
  if (webhooks.length === 0) return undefined;
  const record = reinvocation.stateOf("AdmissionWebhooks", () => new InvocationRecord());
  const isSecond = reinvocation.isSecond;
  if (isSecond) record.noteInput(attributes.object);
  let current = attributes;
  for (const [index, named] of webhooks.entries()) {
    const key = `${named.configuration}/${named.webhook.name}`;
    if (isSecond && !record.mustInvoke(key)) continue;
    const outcome = await mutateOnce(caller, { ...named, round: isSecond ? 1 : 0, index }, current);
    if (outcome === undefined) continue;
    if (outcome.object !== current.object) {
      record.noteChange();
      reinvocation.request();
      current = { ...current, object: outcome.object };
    }
    if (named.webhook.reinvocationPolicy === "IfNeeded") record.noteInvocation(key);
  }
  record.noteOutput(current.object);
  return current.object === attributes.object ? undefined : current.object;
}

/** One call of a webhook. */
interface Invocation extends NamedWebhook {
  readonly round: number;
  readonly index: number;
}

// Returns nothing for a webhook that is not called, or failed and may.
async function mutateOnce(
  caller: Caller,
  invocation: Invocation,
  attributes: AdmissionAttributes,
): Promise<{ readonly object: ApiObject | undefined } | undefined> {
  const { webhook } = invocation;
  const place = placeOf(invocation);
  const answer = await ask(caller, webhook, { attributes, mayPatch: true, place: `mutation.${HOST}${place}` });
  if (answer === undefined) return undefined;
  const object = await patchedObject(answer, { context: caller.context, webhook, attributes });
  const names = { configuration: invocation.configuration, webhook: webhook.name };
  const mutated = object !== attributes.object;
  attributes.annotate(`mutation.${HOST}${place}`, () => JSON.stringify({ ...names, mutated }));
  if (answer.patch.length > 0) {
    const patch = (): string => printServerJson({ ...names, patch: answer.patch, patchType: "JSONPatch" });
    attributes.annotate(`patch.${HOST}${place}`, patch, "Request");
  }
  return { object };
}

// Where the annotations of webhooks are.
const HOST = "webhook.admission.k8s.io/";

function placeOf({ round, index }: Pick<Invocation, "round" | "index">): string {
  return `round_${String(round)}_index_${String(index)}`;
}

async function patchedObject(
  { patch: operations, seen }: Answer,
  {
    context,
    webhook,
    attributes,
  }: {
    readonly context: ServerContext;
    readonly webhook: ConfiguredWebhook;
    readonly attributes: AdmissionAttributes;
  },
): Promise<ApiObject | undefined> {
  if (operations.length === 0) return attributes.object;
  if (seen.object === undefined) {
    throw newInternalError(
      `admission webhook ${JSON.stringify(webhook.name)} attempted to modify the object, which is not supported for this operation`,
    );
  }
  const patched = withType(context, patchObject(seen.object, operations), seen.object);
  if (deepEqual(patched, seen.object)) return attributes.object;
  const isCustom = context.resources.findByKind(gvkOf(patched))?.isCustom === true;
  return await seen.requested(isCustom ? withMetadata(patched, attributes) : patched).catch(refuseUndecodable);
}

// Upstream fails where it is about to write into the metadata of a custom resource, and takes those of another type for absent.
function withMetadata(patched: ApiObject, { operation }: AdmissionAttributes): ApiObject {
  const metadata: unknown = patched.metadata;
  if (isRecord(metadata)) return patched;
  if (metadata === undefined || operation !== "CREATE") return { ...patched, metadata: {} };
  throw newInternalError("system metadata was not initialized");
}

// Of a request's body, the decoder's error is one of the client.
function refuseUndecodable(error: unknown): never {
  throw error instanceof StatusError && error.status.code === 400 ? newInternalError(decodingProblem(error)) : error;
}

function patchObject(object: ApiObject, operations: readonly JSONValue[]): ApiObject {
  try {
    return deepClone(
      applyJsonPatch(object as unknown as JSONValue, operations as JSONValue, { mostOperations: Infinity }),
    ) as unknown as ApiObject;
  } catch (error) {
    throw newInternalError(messageOf(error));
  }
}

async function validate(caller: Caller, attributes: AdmissionAttributes): Promise<void> {
  const outcomes = await Promise.allSettled(
    validatingWebhooks(caller.context).map(
      async (webhook, index) =>
        await ask(caller, webhook, {
          attributes,
          mayPatch: false,
          place: `validating.${HOST}${placeOf({ round: 0, index })}`,
        }),
    ),
  );
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") throw outcome.reason;
  }
}

interface Answer {
  readonly patch: readonly JSONValue[];
  /** The write in the version that the patch is about. */
  readonly seen: VersionedAttributes;
}

interface Question {
  readonly attributes: AdmissionAttributes;
  readonly mayPatch: boolean;
  /** The key of its annotations. */
  readonly place: string;
}

// Returns nothing when the webhook is not concerned, or failed and may.
async function ask(caller: Caller, webhook: ConfiguredWebhook, question: Question): Promise<Answer | undefined> {
  const { attributes } = question;
  const match = matchWebhook(caller.context, webhook, attributes);
  if (match === undefined) return undefined;
  if (!(await meetsConditions(caller.context, webhook, { attributes, match }))) return undefined;
  if (attributes.isDryRun && webhook.sideEffects !== "None" && webhook.sideEffects !== "NoneOnDryRun") {
    throw newBadRequest(`admission webhook ${JSON.stringify(webhook.name)} does not support dry run`);
  }
  const seen = await versionedAttributes(caller.context, attributes, match).catch((error: unknown) => {
    // Mutating webhooks say it once more.
    throw question.mayPatch && error instanceof StatusError ? newInternalError(error.message) : error;
  });
  const started = performance.now();
  const note = (isRejected: boolean): void =>
    attributes.observeWebhook?.({
      name: webhook.name,
      type: question.mayPatch ? "admit" : "validating",
      operation: attributes.operation,
      isRejected,
      seconds: (performance.now() - started) / 1000,
    });
  try {
    const answer = await call(caller, webhook, { ...question, seen, match });
    note(false);
    return answer;
  } catch (error) {
    const failure = failureText(error);
    note(failure === undefined || webhook.failurePolicy !== "Ignore");
    if (failure === undefined) throw error;
    if (webhook.failurePolicy === "Ignore") {
      attributes.annotate(`failed-open.${question.place}`, webhook.name);
      return undefined;
    }
    throw newInternalError(`failed calling webhook ${JSON.stringify(webhook.name)}: ${failure}`);
  }
}

async function meetsConditions(
  context: ServerContext,
  webhook: ConfiguredWebhook,
  { attributes, match }: { readonly attributes: AdmissionAttributes; readonly match: RuleMatch },
): Promise<boolean> {
  if ((webhook.matchConditions ?? []).length === 0) return true;
  const { webhookConditions } = await import("../policies/webhook-conditions.ts");
  const outcome = await webhookConditions(context, webhook, {
    match,
    attributes: await versionedAttributes(context, attributes, match),
  });
  if (outcome.kind !== "failed") return outcome.kind === "met";
  if (webhook.failurePolicy === "Ignore") return false;
  throw forbidden({ groupResource: attributes.resource, name: attributes.name }, outcome.message);
}

// Returns nothing for what is not a failure of the webhook: its denial.
function failureText(error: unknown): string | undefined {
  if (error instanceof WebhookCallError) return `failed to call webhook: ${error.message}`;
  if (error instanceof WebhookAnswerError) return `received invalid webhook response: ${error.message}`;
  return error instanceof WebhookPatchError ? error.message : undefined;
}

async function call(
  { context, client }: Caller,
  webhook: ConfiguredWebhook,
  { attributes, seen, match, mayPatch }: Question & { readonly seen: VersionedAttributes; readonly match: RuleMatch },
): Promise<Answer> {
  const uid = context.identities.newUid("admission review");
  const version = reviewVersionOf(webhook);
  const review = {
    kind: "AdmissionReview",
    apiVersion: `admission.k8s.io/${version}`,
    request: admissionRequest(uid, seen, match),
  };
  const text = await client.call({
    clientConfig: webhook.clientConfig,
    body: printServerJson(review),
    timeoutSeconds: webhook.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
  });
  const response = await readAnswer(text, { uid, mayPatch, version });
  for (const warning of response.warnings ?? []) attributes.warn(warning);
  for (const [key, value] of Object.entries(response.auditAnnotations ?? {})) {
    attributes.annotate(`${webhook.name}/${key}`, value);
  }
  if (!response.allowed) throw denialOf(webhook.name, response);
  return { patch: patchOf(response), seen };
}

function reviewVersionOf({ admissionReviewVersions }: ConfiguredWebhook): ReviewVersion {
  const version = acceptedReviewVersion(admissionReviewVersions);
  if (version !== undefined) return version;
  throw new WebhookAnswerError("webhook does not accept known AdmissionReview versions (v1, v1beta1)");
}

/** Creates the request of a review, of objects in the version of the match, with a uid that the answer must echo. */
function admissionRequest(uid: string, attributes: AdmissionAttributes, match: RuleMatch): object {
  const subresource =
    attributes.subresource === ""
      ? {}
      : { subResource: attributes.subresource, requestSubResource: attributes.subresource };
  return {
    uid,
    kind: gvk(match.kind),
    resource: match.resource,
    requestKind: gvk(attributes.kind),
    requestResource: attributes.resource,
    ...subresource,
    ...(attributes.name === "" ? {} : { name: attributes.name }),
    ...(attributes.namespace === "" ? {} : { namespace: attributes.namespace }),
    operation: attributes.operation,
    userInfo: userInfo(attributes.user),
    object: reviewedObject(attributes) ?? null,
    oldObject: attributes.oldObject ?? null,
    dryRun: attributes.isDryRun,
    options: attributes.options,
  };
}

function gvk({ group, version, kind }: RuleMatch["kind"]): object {
  return { group, version, kind };
}

function userInfo(user: UserInfo): object {
  return {
    username: user.name,
    ...(user.uid === undefined ? {} : { uid: user.uid }),
    groups: user.groups,
    ...(user.extra === undefined ? {} : { extra: user.extra }),
  };
}
