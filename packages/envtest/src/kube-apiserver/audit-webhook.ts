import type { AuditBatchOptions, AuditEventList, AuditWebhookMode, AuditWebhookOptions } from "@kubescaffold/apiserver";

import { ServerFlagError } from "../failures/errors.ts";
import { readFlagFile } from "./flag-file.ts";
import { invalidValue, lastDuration, lastValue, type ServerFlags } from "./parse-flags.ts";

const CONFIG = "audit-webhook-config-file";
const MODES: readonly AuditWebhookMode[] = ["batch", "blocking", "blocking-strict"];
const VERSION = "audit.k8s.io/v1";
// kubeconfigs have no timeout.
const TIMEOUT_MS = 30_000;

/** Reads the flags of the webhook for events; undefined without `--audit-webhook-config-file`. Fails: {@link ServerFlagError}. */
export async function auditWebhook(flags: ServerFlags): Promise<AuditWebhookOptions | undefined> {
  const file = lastValue(flags, CONFIG) ?? "";
  if (file === "") return undefined;
  const version = lastValue(flags, "audit-webhook-version") ?? VERSION;
  if (version !== VERSION) throw invalidValue("audit-webhook-version", version, `not ${VERSION}`);
  const given = lastValue(flags, "audit-webhook-mode");
  const mode = MODES.find((each) => each === (given ?? "batch"));
  if (mode === undefined) throw invalidValue("audit-webhook-mode", given ?? "", `not ${MODES.join(", ")}`);
  const initialBackoffMs = lastDuration(flags, "audit-webhook-initial-backoff");
  return {
    ...(await connection(file)),
    mode,
    ...(mode === "batch" ? { batch: batchOptions(flags) } : {}),
    ...(initialBackoffMs === undefined ? {} : { initialBackoffMs }),
  };
}

async function connection(file: string): Promise<Pick<AuditWebhookOptions, "send" | "close">> {
  // Only servers with this flag load the client.
  const { ConnectionError, createRestClient, readKubeconfigFile, restConfigOf } = await import("@kubescaffold/runtime");
  await readFlagFile(CONFIG, file);
  try {
    const config = await restConfigOf(await readKubeconfigFile(file));
    const { origin, pathname } = new URL(config.server);
    const client = createRestClient({ ...config, server: origin, userAgent: "kube-apiserver", timeoutMs: TIMEOUT_MS });
    const query = { timeout: `${String(TIMEOUT_MS / 1000)}s` };
    return {
      send: async (list: AuditEventList) => {
        const request = { method: "POST", path: pathname, query, body: list, accept: "application/json, */*" } as const;
        await client.text(request).catch((error: unknown) => {
          if (!(error instanceof ConnectionError)) throw error;
          throw new Error(`cannot reach the webhook at ${error.server}: ${error.detail}`, { cause: error });
        });
      },
      close: async () => await client.close(),
    };
  } catch (error) {
    throw new ServerFlagError(`cannot use the file of --${CONFIG}: ${(error as Error).message}`, {
      hint: "pass a kubeconfig whose current context has the address of the webhook as its server",
      cause: error,
    });
  }
}

function batchOptions(flags: ServerFlags): AuditBatchOptions {
  const bufferSize = positive(flags, "audit-webhook-batch-buffer-size");
  const maxSize = positive(flags, "audit-webhook-batch-max-size");
  const maxWaitMs = lastDuration(flags, "audit-webhook-batch-max-wait");
  return {
    ...(bufferSize === undefined ? {} : { bufferSize }),
    ...(maxSize === undefined ? {} : { maxSize }),
    ...(maxWaitMs === undefined ? {} : { maxWaitMs }),
    throttle: lastValue(flags, "audit-webhook-batch-throttle-enable") !== "false" && {
      perSecond: positive(flags, "audit-webhook-batch-throttle-qps") ?? 10,
      burst: positive(flags, "audit-webhook-batch-throttle-burst") ?? 15,
    },
  };
}

function positive(flags: ServerFlags, name: string): number | undefined {
  const text = lastValue(flags, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === "" || !(value > 0) || !Number.isFinite(value))
    throw invalidValue(name, text, "not a positive number");
  return value;
}
