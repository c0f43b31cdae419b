import type { GroupVersionKind, Kind } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { Logger } from "../log/logger.ts";
import {
  type Defaulter,
  defaulterHandler,
  type DefaulterOptions,
  type Validator,
  validatorHandler,
} from "../webhook/admission/admission-handlers.ts";
import type { AdmissionHandler } from "../webhook/admission/admission-response.ts";
import {
  type AdmissionLogConstructor,
  type AdmissionRole,
  admissionWebhook,
} from "../webhook/admission/admission-webhook.ts";
import type { SpokeConverter } from "../webhook/conversion-registry.ts";
import { conversionWebhook } from "../webhook/conversion/conversion-webhook.ts";
import { WebhookBadPathError, WebhookIncompleteError } from "../webhook/errors.ts";
import type { WebhookContextFunction } from "../webhook/webhook-handler.ts";
import type { WebhookServer } from "../webhook/webhook-server.ts";

/** The part of a manager that webhooks need. */
export interface WebhookHost {
  /** Returns the webhook server. */
  getWebhookServer(): WebhookServer;
  /** Returns the logger. */
  getLogger(): Logger;
}

/** Starts a webhook builder. */
export interface WebhookManagedBy {
  /** Sets the kind whose objects are defaulted, validated, and, if it is the hub, converted. */
  for<T extends KubernetesObject>(kind: Kind<T>): WebhookBuilder<T>;
}

/**
 * Builds the webhooks of one kind; {@link WebhookBuilder.complete} registers them.
 *
 * controller-runtime: pkg/builder.WebhookBuilder
 *
 * @example
 * newWebhookManagedBy(mgr).for(Guestbook).withDefaulter(new GuestbookDefaulter()).withValidator(new GuestbookValidator()).complete();
 */
export interface WebhookBuilder<T extends KubernetesObject> {
  /** Sets default values on create and update. */
  withDefaulter(defaulter: Defaulter<T>, options?: DefaulterOptions<T>): WebhookBuilder<T>;
  /** Validates create, update, and delete. */
  withValidator(validator: Validator<T>): WebhookBuilder<T>;
  /**
   * Converts between this version, the hub, and the other versions of the kind, its spokes: each needs one converter. Another call adds spokes.
   *
   * Two spokes are converted through the hub. All kinds of a manager are converted at `/convert`.
   */
  withConversion(...spokes: readonly SpokeConverter<T>[]): WebhookBuilder<T>;
  /** Serves the defaulter at this path. Default: a path derived from the kind. */
  withDefaulterCustomPath(path: string): WebhookBuilder<T>;
  /** Serves the validator at this path. Default: a path derived from the kind. */
  withValidatorCustomPath(path: string): WebhookBuilder<T>;
  /** Sets the values that `contextValues` returns in the defaulter and the validator, derived from those of the manager and the HTTP request. */
  withContextFunc(contextFunc: WebhookContextFunction): WebhookBuilder<T>;
  /** Sets the logger of each request. Default: it has the object, the operation, the resource, the user, and the ID of the request. */
  withLogConstructor(logConstructor: AdmissionLogConstructor): WebhookBuilder<T>;
  /** Sets whether a defect of a handler is answered with a denial of code 500, or with HTTP status 500. Default: true, a denial. */
  recoverPanic(isRecovered: boolean): WebhookBuilder<T>;
  /**
   * Registers the webhooks with the manager's webhook server; a path that is served already is skipped.
   *
   * Fails: `WebhookIncompleteError` without a defaulter, validator, and conversion, `WebhookBadPathError` for an invalid custom path,
   * `WebhookConversionError` for converters of different kinds.
   */
  complete(): void;
}

/**
 * Returns a builder of webhooks that a manager serves.
 *
 * controller-runtime: pkg/builder.WebhookManagedBy
 */
export function newWebhookManagedBy(host: WebhookHost): WebhookManagedBy {
  return { for: (kind) => createBuilder({ host, kind, recoverPanic: true, spokes: [] }) };
}

interface WebhookDescription<T extends KubernetesObject> {
  readonly host: WebhookHost;
  readonly kind: Kind<T>;
  readonly recoverPanic: boolean;
  readonly defaulter?: Defaulter<T>;
  readonly defaulterOptions?: DefaulterOptions<T>;
  readonly validator?: Validator<T>;
  readonly defaulterPath?: string;
  readonly validatorPath?: string;
  readonly spokes: readonly SpokeConverter<T>[];
  readonly contextFunc?: WebhookContextFunction;
  readonly logConstructor?: AdmissionLogConstructor;
}

function createBuilder<T extends KubernetesObject>(description: WebhookDescription<T>): WebhookBuilder<T> {
  const withChange = (change: Partial<WebhookDescription<T>>): WebhookBuilder<T> =>
    createBuilder({ ...description, ...change });
  return {
    withDefaulter: (defaulter, defaulterOptions = {}) => withChange({ defaulter, defaulterOptions }),
    withValidator: (validator) => withChange({ validator }),
    withConversion: (...spokes) => withChange({ spokes: [...description.spokes, ...spokes] }),
    withDefaulterCustomPath: (defaulterPath) => withChange({ defaulterPath: checkedPath(defaulterPath) }),
    withValidatorCustomPath: (validatorPath) => withChange({ validatorPath: checkedPath(validatorPath) }),
    withContextFunc: (contextFunc) => withChange({ contextFunc }),
    withLogConstructor: (logConstructor) => withChange({ logConstructor }),
    recoverPanic: (recoverPanic) => withChange({ recoverPanic }),
    complete: () => complete(description),
  };
}

function complete<T extends KubernetesObject>(description: WebhookDescription<T>): void {
  const { kind, defaulter, validator, spokes } = description;
  if (defaulter === undefined && validator === undefined && spokes.length === 0) {
    throw new WebhookIncompleteError(`${kind.kind} has neither a defaulter, a validator, nor a conversion`);
  }
  if (spokes.length > 0) registerConversion(description);
  if (defaulter !== undefined) {
    const path = description.defaulterPath ?? mutatePath(kind);
    register(description, path, {
      handler: defaulterHandler(defaulter, description.defaulterOptions),
      role: "mutating",
    });
  }
  if (validator !== undefined) {
    const path = description.validatorPath ?? validatePath(kind);
    register(description, path, { handler: validatorHandler(validator), role: "validating" });
  }
}

function register<T extends KubernetesObject>(
  { host, kind, recoverPanic, contextFunc, logConstructor }: WebhookDescription<T>,
  path: string,
  { handler, role }: { readonly handler: AdmissionHandler; readonly role: AdmissionRole },
): void {
  const log = host.getLogger().withName("admission").withValues({ webhookGroup: kind.group, webhookKind: kind.kind });
  if (host.getWebhookServer().has(path)) {
    log.info("skipping a webhook: its path is served already", { path });
    return;
  }
  const options = {
    ...(contextFunc === undefined ? {} : { contextFunc }),
    ...(logConstructor === undefined ? {} : { logConstructor }),
  };
  host.getWebhookServer().register(path, admissionWebhook({ handler, log, recoverPanic, role, ...options }));
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

/** Reports whether a custom path is valid, by upstream's rule. */
function isWebhookPath(path: string): boolean {
  return PATH.test(path);
}

function webhookPath(purpose: string, gvk: GroupVersionKind): string {
  return `/${purpose}-${gvk.group.replaceAll(".", "-")}-${gvk.version}-${gvk.kind.toLowerCase()}`;
}
