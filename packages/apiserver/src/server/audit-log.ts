import type { RequestInfo } from "../request/request-info.ts";
import type { AuditEntry, AuditRecord } from "./audit.ts";

type Counted = { -readonly [Key in keyof AuditEntry]: AuditEntry[Key] };

/** Counts requests by user, verb and target. */
export class AuditLog implements AuditRecord {
  readonly #entries = new Map<string, Counted>();

  entries(user?: string): readonly AuditEntry[] {
    return [...this.#entries.entries()]
      .filter(([, entry]) => user === undefined || entry.user === user)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([, entry]) => ({ ...entry }));
  }

  clear(): void {
    this.#entries.clear();
  }

  /** Counts one request. */
  record({
    info,
    user,
    isAllowed,
  }: {
    readonly info: RequestInfo;
    readonly user: string;
    readonly isAllowed: boolean;
  }): void {
    const { verb, group, namespace, isResourceRequest } = info;
    const resource = info.subresource === "" ? info.resource : `${info.resource}/${info.subresource}`;
    const path = isResourceRequest ? "" : info.path;
    const key = [user, group, resource, verb, namespace, path].join("\0");
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = { user, verb, group, resource, namespace, path, allowed: 0, denied: 0 };
      this.#entries.set(key, entry);
    }
    entry[isAllowed ? "allowed" : "denied"] += 1;
  }
}
