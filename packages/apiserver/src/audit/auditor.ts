import { toMicroTime } from "@kubescaffold/k8s";
import type { Clock } from "@kubescaffold/platform/clock";

import type { ServerResponse } from "../request/server-request.ts";
import { type AuditPolicy, auditTerms } from "./audit-policy.ts";
import { type AuditedRequest, type AuditSink, RequestAudit } from "./request-audit.ts";

/** Logs requests by a policy. */
export class Auditor {
  readonly #clock: Clock;
  readonly #policy: AuditPolicy;
  readonly #sink: AuditSink;

  constructor(clock: Clock, policy: AuditPolicy, sink: AuditSink) {
    this.#clock = clock;
    this.#policy = policy;
    this.#sink = sink;
  }

  /** Logs a request that could not be authenticated. */
  async refuse(subject: AuditedRequest, response: ServerResponse): Promise<void> {
    await this.auditOf(subject)?.refuse(response);
  }

  /** Returns what logs a request; undefined if the policy leaves it out. */
  auditOf(subject: AuditedRequest): RequestAudit | undefined {
    const { info, user } = subject;
    const terms = auditTerms(this.#policy, { ...info, ...(user === undefined ? {} : { user }) });
    if (terms.level === "None") return undefined;
    return new RequestAudit({ terms, subject, sink: this.#sink, now: () => toMicroTime(this.#clock.now()) });
  }
}
