import type { AuditEntry, EmbeddedCluster } from "@kubescaffold/apiserver";

import { permissionsOf } from "./permissions.ts";
import type { DashboardMessage, PermissionUse } from "./protocol.ts";

type Server = Pick<EmbeddedCluster["server"], "audit" | "context">;

const INTERVAL_MS = 2000;

/** Publishes the permissions of a manager: those that the present process used and was denied, and those that it has. */
export class PermissionFeed {
  readonly #server: Server;
  readonly #user: string;
  readonly #publish: (message: DashboardMessage) => void;
  readonly #timer: NodeJS.Timeout;
  #known = new Map<string, { readonly use: PermissionUse; readonly printed: string }>();
  #before = new Map<string, AuditEntry>();

  constructor(server: Server, user: string, publish: (message: DashboardMessage) => void) {
    this.#server = server;
    this.#user = user;
    this.#publish = publish;
    this.read();
    this.#timer = setInterval(() => this.read(), INTERVAL_MS).unref();
  }

  /** Counts requests from now on: those before are of another process. */
  managerStarted(): void {
    this.#before = new Map(this.#server.audit.entries(this.#user).map((entry) => [requestKey(entry), entry]));
    this.read();
  }

  /** Publishes what has changed. */
  read(): void {
    const { context } = this.#server;
    const uses = permissionsOf(context.objects, { user: this.#user, requests: this.#requests() });
    const present = new Map(uses.map((use) => [permissionKey(use), { use, printed: JSON.stringify(use) }]));
    for (const [key, { use }] of this.#known) if (!present.has(key)) this.#publish(removalOf(use));
    for (const [key, { use, printed }] of present) {
      if (this.#known.get(key)?.printed !== printed) this.#publish(use);
    }
    this.#known = present;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #requests(): readonly AuditEntry[] {
    return this.#server.audit
      .entries(this.#user)
      .map((entry) => {
        const { allowed = 0, denied = 0 } = this.#before.get(requestKey(entry)) ?? {};
        return { ...entry, allowed: entry.allowed - allowed, denied: entry.denied - denied };
      })
      .filter(({ allowed, denied }) => allowed > 0 || denied > 0);
  }
}

function requestKey({ verb, group, resource, namespace, path }: AuditEntry): string {
  return [verb, group, resource, namespace, path].join(" ");
}

function permissionKey({ verb, group, resource, namespace }: PermissionUse): string {
  return [verb, group, resource, namespace].join(" ");
}

function removalOf({ verb, group, resource, namespace }: PermissionUse): DashboardMessage {
  return { type: "permission-removed", verb, group, resource, namespace };
}
