import type { MarkerValue } from "../markers/definitions/marker-definition.ts";
import type { MarkerUse } from "../markers/read-markers.ts";
import { patchWebhook, type Json } from "./patch-webhook.ts";
import { MUTATING_WEBHOOK, VALIDATING_WEBHOOK } from "./webhook-fields.ts";

/** A webhook as it is printed, with what sorting and placing it needs. */
export interface Webhook {
  readonly name: string;
  readonly isMutating: boolean;
  readonly object: Json;
}

/** What is wrong with a webhook marker. */
export interface WebhookProblem {
  readonly message: string;
  readonly hint: string;
}

/** The webhook that a marker describes, or what is wrong with it. */
export type WebhookOutcome =
  | { readonly kind: "webhook"; readonly webhook: Webhook }
  | { readonly kind: "problem"; readonly problem: WebhookProblem };

/** Turns a webhook marker into the webhook of the API, patch included. */
export function createWebhook({ value }: MarkerUse): WebhookOutcome {
  const given = new Arguments(value as Readonly<Record<string, MarkerValue>>);
  const isMutating = given.value("mutating") === true;
  const problem = checkArguments(given);
  if (problem !== undefined) return { kind: "problem", problem };
  const plain = webhookObject(given, isMutating);
  const patch = given.text("patch");
  const patched =
    patch === ""
      ? { kind: "patched" as const, value: plain }
      : patchWebhook(plain, patch, isMutating ? MUTATING_WEBHOOK : VALIDATING_WEBHOOK);
  if (patched.kind === "problem")
    return fail(
      `has a patch that ${patched.message}`,
      "write the patch as a JSON object of webhook fields, in backticks",
    );
  const final = patched.value as Readonly<Record<string, Json>>;
  const invalid = checkObject(final);
  return invalid === undefined
    ? {
        kind: "webhook",
        webhook: { name: typeof final["name"] === "string" ? final["name"] : "", isMutating, object: final },
      }
    : { kind: "problem", problem: invalid };
}

class Arguments {
  readonly #values: Readonly<Record<string, MarkerValue>>;

  constructor(values: Readonly<Record<string, MarkerValue>>) {
    this.#values = values;
  }

  value(name: string): MarkerValue | undefined {
    return this.#values[name];
  }

  text(name: string): string {
    const value = this.#values[name];
    return typeof value === "string" ? value : "";
  }

  texts(name: string): readonly string[] {
    const value = this.#values[name];
    return Array.isArray(value) ? value.map(String) : [];
  }

  // Known words in any case get the API's spelling; an unknown one is what `other` makes of it.
  word(name: string, known: readonly string[], other: (given: string) => string | undefined): string | undefined {
    const given = this.text(name);
    return known.find((each) => each.toLowerCase() === given.toLowerCase()) ?? other(given);
  }
}

const VERBS = ["CREATE", "UPDATE", "DELETE", "CONNECT", "*"];

function checkArguments(given: Arguments): WebhookProblem | undefined {
  if ((given.text("path") === "") === (given.text("url") === "")) {
    return {
      message: "needs either a path or a url, but not both",
      hint: "use path for a Service in the cluster, or url for any other server",
    };
  }
  const matchPolicy = given.text("matchPolicy");
  if (matchPolicy !== "" && given.word("matchPolicy", ["Exact", "Equivalent"], () => undefined) === undefined) {
    return { message: `has the unknown matchPolicy ${JSON.stringify(matchPolicy)}`, hint: "write Exact or Equivalent" };
  }
  const versions = given.texts("webhookVersions").filter((version) => version !== "v1");
  if (versions.length > 0)
    return {
      message: `has the unknown webhookVersions ${versions.join(", ")}`,
      hint: "omit webhookVersions; only v1 is supported",
    };
  return undefined;
}

function webhookObject(given: Arguments, isMutating: boolean): Json {
  const passed = (text: string): string | undefined => (text === "" ? undefined : text);
  const timeout = given.value("timeoutSeconds");
  return withoutUndefined({
    admissionReviewVersions: given.texts("admissionReviewVersions"),
    clientConfig: clientConfigOf(given),
    failurePolicy: given.word("failurePolicy", ["Ignore", "Fail"], (text) => text),
    matchPolicy: given.word("matchPolicy", ["Exact", "Equivalent"], passed),
    name: given.text("name"),
    reinvocationPolicy: isMutating
      ? given.word("reinvocationPolicy", ["Never", "IfNeeded"], () => undefined)
      : undefined,
    rules: [ruleOf(given)],
    sideEffects: given.word("sideEffects", ["None", "NoneOnDryRun", "Some"], () => undefined),
    timeoutSeconds: timeout === 0 ? undefined : (timeout as number | undefined),
  });
}

function clientConfigOf(given: Arguments): Json {
  const url = given.text("url");
  if (url !== "") return { url };
  const port = given.value("servicePort");
  const service = {
    name: given.text("serviceName") || "webhook-service",
    namespace: given.text("serviceNamespace") || "system",
    path: given.text("path"),
  };
  return { service: port === undefined ? service : { ...service, port: port as number } };
}

function ruleOf(given: Arguments): Json {
  const rule = {
    apiGroups: given.texts("groups").map((group) => (group === "core" ? "" : group)),
    apiVersions: given.texts("versions"),
    operations: given.texts("verbs").map((verb) => VERBS.find((each) => each === verb.toUpperCase()) ?? verb),
    resources: given.texts("resources"),
  };
  return Object.fromEntries(Object.entries(rule).filter(([, list]) => list.length > 0));
}

function checkObject(webhook: Readonly<Record<string, Json>>): WebhookProblem | undefined {
  const { sideEffects, timeoutSeconds, admissionReviewVersions } = webhook;
  if (sideEffects !== "None" && sideEffects !== "NoneOnDryRun") {
    return {
      message: "needs sideEffects, which must be None or NoneOnDryRun in v1",
      hint: "add sideEffects=None",
    };
  }
  if (timeoutSeconds !== undefined && (Number(timeoutSeconds) < 1 || Number(timeoutSeconds) > 30)) {
    return {
      message: `has timeoutSeconds=${JSON.stringify(timeoutSeconds)}, which must be 1 to 30`,
      hint: "use a number from 1 to 30, or omit it",
    };
  }
  if (!Array.isArray(admissionReviewVersions) || admissionReviewVersions.length === 0) {
    return { message: "needs admissionReviewVersions", hint: "add admissionReviewVersions=v1" };
  }
  return undefined;
}

function withoutUndefined(record: Readonly<Record<string, Json | undefined>>): Json {
  const entries = Object.entries(record).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}

function fail(message: string, hint: string): WebhookOutcome {
  return { kind: "problem", problem: { message, hint } };
}
