import process from "node:process";

import { selfManaged, type SelfManaged, type SelfManagedOptions } from "./self-managed.ts";

/** Options of {@link selfManagedFromEnv}: those of {@link selfManaged}, each of which overrides its variable. */
export interface SelfManagedEnvOptions extends Partial<SelfManagedOptions> {
  /** The variables. Default: those of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads from variables of the environment what the manifests of a project decide about {@link selfManaged}: names, which differ between the installations
 * of an operator. Returns undefined if `CERTIFICATES_SECRET` is not set, as on a developer's machine, where certificates are files.
 *
 * | Variable | Option |
 * |---|---|
 * | `CERTIFICATES_SECRET` | `secretName` |
 * | `CERTIFICATES_NAMESPACE` | `namespace` |
 * | `WEBHOOK_SERVICE` | `serviceName` |
 * | `METRICS_SERVICE` | `metricsServiceName` |
 * | `VALIDATING_WEBHOOK_CONFIGURATION` | `validatingWebhookConfigurations`, names separated by commas |
 * | `MUTATING_WEBHOOK_CONFIGURATION` | `mutatingWebhookConfigurations`, names separated by commas |
 * | `CERTIFICATES_IP_ADDRESSES` | `ipAddresses`, separated by commas |
 *
 * Fails: as {@link selfManaged}.
 *
 * @example
 * const manager = await createManager(config, {
 *   certificates: selfManagedFromEnv({ customResourceDefinitions: ["guestbooks.webapp.my.domain"] }),
 * });
 */
export function selfManagedFromEnv(options: SelfManagedEnvOptions = {}): SelfManaged | undefined {
  const { env = process.env, ...given } = options;
  const secretName = given.secretName ?? textOf(env["CERTIFICATES_SECRET"]);
  if (secretName === undefined) return undefined;
  const texts = {
    namespace: textOf(env["CERTIFICATES_NAMESPACE"]),
    serviceName: textOf(env["WEBHOOK_SERVICE"]),
    metricsServiceName: textOf(env["METRICS_SERVICE"]),
  };
  return selfManaged({
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined)),
    validatingWebhookConfigurations: listOf(env["VALIDATING_WEBHOOK_CONFIGURATION"]),
    mutatingWebhookConfigurations: listOf(env["MUTATING_WEBHOOK_CONFIGURATION"]),
    ipAddresses: listOf(env["CERTIFICATES_IP_ADDRESSES"]),
    ...given,
    secretName,
  });
}

function textOf(value: string | undefined): string | undefined {
  const text = value?.trim();
  return text === "" ? undefined : text;
}

function listOf(value: string | undefined): readonly string[] {
  return (value ?? "")
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}
