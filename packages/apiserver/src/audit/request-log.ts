import type { Clock } from "../clock/clock.ts";
import type { AuditEvent } from "./audit-event.ts";
import type { AuditPolicy } from "./audit-policy.ts";
import type { Auditor } from "./auditor.ts";

/** Where requests are logged, and which. */
export interface AuditOptions {
  /** The policy. */
  readonly policy: AuditPolicy;
  /** Receives each event. Default: none. */
  readonly onEvent?: (event: AuditEvent) => void;
  /** The file that events are appended to, one JSON text a line; `-` is standard output. Default: none. */
  readonly path?: string;
}

/** The audit log of a server, which is opened with the first request. */
export class RequestLog {
  readonly #clock: Clock;
  readonly #options: AuditOptions;
  #opened: Promise<{ readonly auditor: Auditor; readonly close: () => void }> | undefined;

  constructor(clock: Clock, options: AuditOptions) {
    this.#clock = clock;
    this.#options = options;
  }

  /** Returns what logs requests. Fails: AuditLogError, AuditPolicyError. */
  async auditor(): Promise<Auditor> {
    return (await (this.#opened ??= this.#open())).auditor;
  }

  /** Closes the file. */
  async close(): Promise<void> {
    // The caller of `auditor` receives the error.
    const opened = await this.#opened?.catch(() => undefined);
    opened?.close();
  }

  async #open(): Promise<{ readonly auditor: Auditor; readonly close: () => void }> {
    const [{ Auditor }, { openAuditFile }, { checkAuditPolicy }] = await Promise.all([
      import("./auditor.ts"),
      import("./audit-file.ts"),
      import("./check-policy.ts"),
    ]);
    const { policy, onEvent, path } = this.#options;
    checkAuditPolicy(policy);
    const file = path === undefined ? undefined : openAuditFile(path);
    const sink = (event: AuditEvent): void => {
      onEvent?.(event);
      file?.write(event);
    };
    return { auditor: new Auditor(this.#clock, policy, sink), close: () => file?.close() };
  }
}
