import type { Clock } from "@kubescaffold/platform/clock";

import type { AuditEvent } from "./audit-event.ts";
import type { AuditPolicy } from "./audit-policy.ts";
import type { AuditWebhook, AuditWebhookOptions } from "./audit-webhook.ts";
import type { Auditor } from "./auditor.ts";

/** Where requests are logged, and which. */
export interface AuditOptions {
  /** The policy. */
  readonly policy: AuditPolicy;
  /** Receives each event. Default: none. */
  readonly onEvent?: (event: AuditEvent) => void;
  /** The file that events are appended to, one JSON text a line; `-` is standard output. Default: none. */
  readonly path?: string;
  /** A webhook that receives lists of events. Default: none. */
  readonly webhook?: AuditWebhookOptions;
}

/** The opened log. */
interface OpenedLog {
  readonly auditor: Auditor;
  readonly close: () => Promise<void>;
}

/** The audit log of a server, which is opened with the first request. */
export class RequestLog {
  readonly #clock: Clock;
  readonly #options: AuditOptions;
  #opened: Promise<OpenedLog> | undefined;

  constructor(clock: Clock, options: AuditOptions) {
    this.#clock = clock;
    this.#options = options;
  }

  /** Returns what logs requests. Fails: AuditLogError, AuditPolicyError. */
  async auditor(): Promise<Auditor> {
    return (await (this.#opened ??= this.#open())).auditor;
  }

  /** Sends what the webhook has not received yet, and closes the file. */
  async close(): Promise<void> {
    // The caller of `auditor` receives the error.
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.close();
  }

  async #open(): Promise<OpenedLog> {
    const [{ Auditor }, { openAuditFile }, { checkAuditPolicy }] = await Promise.all([
      import("./auditor.ts"),
      import("./audit-file.ts"),
      import("./check-policy.ts"),
    ]);
    const { policy, onEvent, path, webhook: webhookOptions } = this.#options;
    checkAuditPolicy(policy);
    const file = path === undefined ? undefined : openAuditFile(path);
    const webhook = webhookOptions === undefined ? undefined : await openWebhook(this.#clock, webhookOptions);
    const sink = (event: AuditEvent): Promise<boolean> | undefined => {
      onEvent?.(event);
      file?.write(event);
      return webhook?.write(event);
    };
    const close = async (): Promise<void> => {
      await webhook?.close();
      file?.close();
    };
    return { auditor: new Auditor(this.#clock, policy, sink), close };
  }
}

async function openWebhook(clock: Clock, options: AuditWebhookOptions): Promise<AuditWebhook> {
  const { AuditWebhook } = await import("./audit-webhook.ts");
  return new AuditWebhook(clock, options);
}
