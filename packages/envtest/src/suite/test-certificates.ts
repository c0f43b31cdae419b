import { isIP } from "node:net";

import { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";
import { createClient, type Manager, type SelfManaged, selfManagedFromEnv, silentLogger } from "@kubescaffold/runtime";
import { readCertificateManifests } from "@kubescaffold/runtime/operator-project";

import { backendOf, type EnvironmentOptions } from "../environment/environment-options.ts";
import type { Environment } from "../environment/environment.ts";
import { waitUntil } from "../eventually/wait-until.ts";

const NAMESPACE = "default";
const TIMEOUT_MS = 20_000;

/**
 * Returns the variables of a manager that makes its certificates itself; undefined where a test serves a certificate in files.
 *
 * Servers in other processes do not tell when they use a changed `caBundle`, and TLS does not follow the clock of a test: both have files.
 */
export async function certificateVariables(
  options: EnvironmentOptions,
): Promise<Readonly<Record<string, string>> | undefined> {
  const { projectDirectory, clock, webhooks } = options;
  const isPossible = backendOf(options) === "embedded" && clock === undefined && webhooks !== undefined;
  if (!isPossible || projectDirectory === undefined) return undefined;
  return (await readCertificateManifests(projectDirectory))?.variables;
}

/** Returns the certificates of a manager at the address of an environment, with the objects that the environment has installed. */
export async function testCertificates(
  environment: Environment,
  variables: Readonly<Record<string, string>>,
): Promise<SelfManaged | undefined> {
  const { url } = environment.webhookServing;
  const host = new URL(url).hostname.replace(/^\[|\]$/gu, "");
  const { items } = await createClient(environment.config, { log: silentLogger }).list(CustomResourceDefinition);
  const converted = items.filter(({ spec }) => spec.conversion?.webhook?.clientConfig?.url?.startsWith(url) === true);
  return selfManagedFromEnv({
    env: variables,
    namespace: NAMESPACE,
    customResourceDefinitions: converted.map(({ metadata }) => metadata.name),
    ...(isIP(host) === 0 ? { dnsNames: [host] } : { ipAddresses: [host] }),
  });
}

/** Waits until a manager serves its certificate, and has written the `caBundle` of all objects. Fails: `EnvironmentTimeoutError`. */
export async function waitForCertificates({ ports }: Manager): Promise<void> {
  const isReady = async (): Promise<boolean> =>
    (await fetch(`http://127.0.0.1:${String(ports.health ?? 0)}/readyz/certificates`)).ok;
  await waitUntil(isReady, { what: "the certificates of the manager", timeoutMs: TIMEOUT_MS, intervalMs: 10 });
}
