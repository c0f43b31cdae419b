import { execFileSync } from "node:child_process";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";

/** Runs a program and returns its output. Throws if it fails. */
export function run(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): string {
  return execFileSync(program, args, {
    encoding: "utf8",
    // User preferences of kubectl must not affect the tests.
    env: { KUBECTL_KUBERC: "false", ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** Runs kubectl and returns its output; `orMessage` returns the error message instead of throwing. */
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

/** Runs an npm script of the project. */
export function npmRun(script: string, environment: Readonly<Record<string, string>> = {}): string {
  return run("npm", ["run", "--silent", script], environment);
}

/** Loads an image into the kind cluster. */
export function loadImage(image: string): void {
  run(process.env["KIND"] ?? "kind", ["load", "docker-image", image, "--name", process.env["KIND_CLUSTER"] ?? "kind"]);
}

/** WebhookClient is the client configuration of a webhook. */
interface WebhookClient {
  readonly caBundle?: string;
  readonly service?: { readonly namespace: string };
}

interface WebhookCaller {
  readonly webhooks?: readonly { readonly clientConfig: WebhookClient }[];
  readonly spec?: { readonly conversion?: { readonly webhook?: { readonly clientConfig: WebhookClient } } };
}

/** Returns the CA bundles of all admission and conversion webhooks in a namespace; an empty one is not injected yet. */
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

/** Polls until the condition holds, for at most two minutes. */
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
  throw new Error(`timed out after two minutes: ${what}`, { cause: last });
}
