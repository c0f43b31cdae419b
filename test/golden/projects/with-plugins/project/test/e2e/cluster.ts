/*
 * Of the Acme lagoon office. All rights reserved.
 */

import { execFileSync } from "node:child_process";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";

const CERT_MANAGER = "https://github.com/cert-manager/cert-manager/releases/download/v1.21.0/cert-manager.yaml";

/** Runs a program and returns what it prints; throws when it fails. */
export function run(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): string {
  return execFileSync(program, args, {
    encoding: "utf8",
    // A person's settings of kubectl must not change what the tests do.
    env: { KUBECTL_KUBERC: "false", ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** Runs kubectl and returns what it prints; `orMessage` returns the message in place of failing. */
export const kubectl: ((...args: string[]) => string) & { orMessage: (...args: string[]) => string } = Object.assign(
  (...args: string[]) => run(process.env["KUBECTL"] ?? "kubectl", args),
  {
    orMessage: (...args: string[]): string => {
      try {
        return run(process.env["KUBECTL"] ?? "kubectl", args);
      } catch (error) {
        return String(error);
      }
    },
  },
);

/** Runs a script of the project. */
export function npmRun(script: string, environment: Readonly<Record<string, string>> = {}): string {
  return run("npm", ["run", "--silent", script], environment);
}

/** Brings an image into the cluster of the tests. */
export function loadImage(image: string): void {
  run(process.env["KIND"] ?? "kind", ["load", "docker-image", image, "--name", process.env["KIND_CLUSTER"] ?? "kind"]);
}

/** Says whether cert-manager is there. */
export function isCertManagerInstalled(): boolean {
  return kubectl("get", "crds").includes("certificates.cert-manager.io");
}

/** Installs cert-manager and waits until its webhook answers; `undo` takes it away. */
export const installCertManager: (() => Promise<void>) & { undo: () => void } = Object.assign(
  async () => {
    kubectl("apply", "-f", CERT_MANAGER);
    kubectl(
      "wait",
      "deployment.apps/cert-manager-webhook",
      "--for=condition=Available",
      "-n",
      "cert-manager",
      "--timeout=5m",
    );
    await untilTrue(
      "cert-manager has its own CA",
      () =>
        kubectl.orMessage(
          "get",
          "validatingwebhookconfigurations",
          "cert-manager-webhook",
          "-o",
          "jsonpath={.webhooks[0].clientConfig.caBundle}",
        ).length > 10,
    );
  },
  { undo: () => void kubectl.orMessage("delete", "-f", CERT_MANAGER, "--ignore-not-found") },
);

/** What an API server calls a webhook of the operator by. */
interface WebhookClient {
  readonly caBundle?: string;
  readonly service?: { readonly namespace: string };
}

interface WebhookCaller {
  readonly webhooks?: readonly { readonly clientConfig: WebhookClient }[];
  readonly spec?: { readonly conversion?: { readonly webhook?: { readonly clientConfig: WebhookClient } } };
}

/** Returns the certificate authorities by which webhooks in a namespace are called, for admission and conversion; an empty one is not there yet. */
export function webhookAuthorities(namespace: string): readonly string[] {
  const kinds = "mutatingwebhookconfigurations,validatingwebhookconfigurations,customresourcedefinitions";
  const { items } = JSON.parse(kubectl("get", kinds, "-o", "json")) as { readonly items: readonly WebhookCaller[] };
  return items
    .flatMap(({ webhooks = [], spec }) => [
      ...webhooks.map((each) => each.clientConfig),
      ...(spec?.conversion?.webhook === undefined ? [] : [spec.conversion.webhook.clientConfig]),
    ])
    .filter((client) => client.service?.namespace === namespace)
    .map((client) => client.caBundle ?? "");
}

/** Asks again and again until the answer is yes, for two minutes at most. */
export async function untilTrue(what: string, ask: () => boolean): Promise<void> {
  const deadline = Date.now() + 120_000;
  let last: unknown;
  while (Date.now() < deadline) {
    try {
      if (ask()) return;
    } catch (error) {
      last = error;
    }
    await delay(1000);
  }
  throw new Error(`waited two minutes until ${what}`, { cause: last });
}
