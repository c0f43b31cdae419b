import type { GroupVersionKind, Kind } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { Logger } from "../log/logger.ts";
import {
  type Defaulter,
  defaulterHandler,
  type Validator,
  validatorHandler,
} from "../webhook/admission/admission-handlers.ts";
import type { AdmissionHandler } from "../webhook/admission/admission-response.ts";
import { type AdmissionRole, admissionWebhook } from "../webhook/admission/admission-webhook.ts";
import type { SpokeConverter } from "../webhook/conversion/conversion-registry.ts";
import { conversionWebhook } from "../webhook/conversion/conversion-webhook.ts";
import { WebhookBadPathError, WebhookIncompleteError } from "../webhook/errors.ts";
import type { WebhookServer } from "../webhook/webhook-server.ts";

/** What a webhook needs of the manager that serves it. */
export interface WebhookHost {
  getWebhookServer(): WebhookServer;
  getLogger(): Logger;
}

/** Starts the description of the webhooks of one kind. */
export interface WebhookManagedBy {
  /** Names the kind whose objects are defaulted, validated and, when it is the hub of its versions, converted. */
  for<T extends KubernetesObject>(kind: Kind<T>): WebhookBuilder<T>;
}

/**
 * Describes the webhooks of one kind; {@link WebhookBuilder.complete} registers them.
 *
 * @example
 * newWebhookManagedBy(mgr).for(Guestbook).withDefaulter(new GuestbookDefaulter()).withValidator(new GuestbookValidator()).complete();
 */
export interface WebhookBuilder<T extends KubernetesObject> {
  /** Fills in fields on create and update. */
  withDefaulter(defaulter: Defaulter<T>): WebhookBuilder<T>;
  /** Decides on create, update and delete. */
  withValidator(validator: Validator<T>): WebhookBuilder<T>;
  /**
   * Converts between this version, the hub, and the others of the kind, its spokes: each needs one converter. A further call adds spokes.
   *
   * Two spokes are converted through the hub. All kinds of a manager are converted at `/convert`.
   */
  withConversion(...spokes: readonly SpokeConverter<T>[]): WebhookBuilder<T>;
  /** Serves the defaulter at this path in place of the generated one. */
  withDefaulterCustomPath(path: string): WebhookBuilder<T>;
  /** Serves the validator at this path in place of the generated one. */
  withValidatorCustomPath(path: string): WebhookBuilder<T>;
  /** Says whether a handler's defects are answered with 500 (true unless switched off) or thrown on. */
  recoverPanic(isRecovered: boolean): WebhookBuilder<T>;
  /**
   * Registers the webhooks with the manager's webhook server; a path that is served already is left as it is.
   *
   * Fails: `WebhookIncompleteError` with neither defaulter, validator nor conversion, `WebhookBadPathError` for a custom path that cannot be
   * served, `WebhookConversionError` for converters that are not those of one kind.
   */
  complete(): void;
}

/** Begins to describe the webhooks that a manager serves. */
export function newWebhookManagedBy(host: WebhookHost): WebhookManagedBy {
  return { for: (kind) => createBuilder({ host, kind, recoverPanic: true, spokes: [] }) };
}

interface WebhookDescription<T extends KubernetesObject> {
  readonly host: WebhookHost;
  readonly kind: Kind<T>;
  readonly recoverPanic: boolean;
  readonly defaulter?: Defaulter<T>;
  readonly validator?: Validator<T>;
  readonly defaulterPath?: string;
  readonly validatorPath?: string;
  readonly spokes: readonly SpokeConverter<T>[];
}

function createBuilder<T extends KubernetesObject>(description: WebhookDescription<T>): WebhookBuilder<T> {
  const withChange = (change: Partial<WebhookDescription<T>>): WebhookBuilder<T> =>
    createBuilder({ ...description, ...change });
  return {
    withDefaulter: (defaulter) => withChange({ defaulter }),
    withValidator: (validator) => withChange({ validator }),
    withConversion: (...spokes) => withChange({ spokes: [...description.spokes, ...spokes] }),
    withDefaulterCustomPath: (defaulterPath) => withChange({ defaulterPath: checkedPath(defaulterPath) }),
    withValidatorCustomPath: (validatorPath) => withChange({ validatorPath: checkedPath(validatorPath) }),
    recoverPanic: (recoverPanic) => withChange({ recoverPanic }),
    complete: () => complete(description),
  };
}

function complete<T extends KubernetesObject>(description: WebhookDescription<T>): void {
  const { kind, defaulter, validator, spokes } = description;
  if (defaulter === undefined && validator === undefined && spokes.length === 0) {
    throw new WebhookIncompleteError(`${kind.kind} has neither a defaulter, a validator nor a conversion`);
  }
  if (spokes.length > 0) registerConversion(description);
  if (defaulter !== undefined) {
    const path = description.defaulterPath ?? mutatePath(kind);
    register(description, path, { handler: defaulterHandler(defaulter), role: "mutating" });
  }
  if (validator !== undefined) {
    const path = description.validatorPath ?? validatePath(kind);
    register(description, path, { handler: validatorHandler(validator), role: "validating" });
  }
}

function register<T extends KubernetesObject>(
  { host, kind, recoverPanic }: WebhookDescription<T>,
  path: string,
  { handler, role }: { readonly handler: AdmissionHandler; readonly role: AdmissionRole },
): void {
  const log = host.getLogger().withName("admission").withValues({ webhookGroup: kind.group, webhookKind: kind.kind });
  if (host.getWebhookServer().has(path)) {
    log.info("the path is served already, so this webhook is not registered", { path });
    return;
  }
  host.getWebhookServer().register(path, admissionWebhook({ handler, log, recoverPanic, role }));
}

function registerConversion<T extends KubernetesObject>({ host, kind, spokes }: WebhookDescription<T>): void {
  const server = host.getWebhookServer();
  server.conversions.register(kind, spokes);
  if (server.has(CONVERT_PATH)) return;
  server.register(
    CONVERT_PATH,
    conversionWebhook({ registry: server.conversions, log: host.getLogger().withName("conversion-webhook") }),
  );
}

function checkedPath(path: string): string {
  if (!isWebhookPath(path)) throw new WebhookBadPathError(path);
  return path;
}

/** The path of the webhook that converts the objects of all kinds. */
const CONVERT_PATH = "/convert";

const PATH = /^((\/[a-zA-Z0-9\-_]+)+|\/)$/u;

/** Returns the path of a mutating webhook: `/mutate-webapp-example-com-v1-guestbook`; the core group leaves two dashes together. */
function mutatePath(gvk: GroupVersionKind): string {
  return webhookPath("mutate", gvk);
}

/** Returns the path of a validating webhook: `/validate-webapp-example-com-v1-guestbook`. */
function validatePath(gvk: GroupVersionKind): string {
  return webhookPath("validate", gvk);
}

/** Says whether a custom path is one that upstream would take too. */
function isWebhookPath(path: string): boolean {
  return PATH.test(path);
}

function webhookPath(purpose: string, gvk: GroupVersionKind): string {
  return `/${purpose}-${gvk.group.replaceAll(".", "-")}-${gvk.version}-${gvk.kind.toLowerCase()}`;
}
