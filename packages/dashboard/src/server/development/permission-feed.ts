import type { OperatorManifests } from "@kubescaffold/runtime/operator-project";

import type { DashboardMessage, PermissionUse } from "../contract/protocol.ts";
import { type CountedRequest, permissionsOf, type RoleName, type RoleSource } from "../objects/permissions.ts";
import { sourcesOf } from "../objects/role-sources.ts";
import type { DevelopmentServer } from "./development-cluster.ts";

type Server = Pick<DevelopmentServer, "audit" | "context">;

/** What {@link PermissionFeed} needs. */
export interface PermissionFeedParts {
  readonly server: Server;
  readonly user: string;
  /** Reads the manifests of the project, which tell where its roles come from. Default: there are none. */
  readonly readManifests?: (() => Promise<OperatorManifests>) | undefined;
  readonly publish: (message: DashboardMessage) => void;
}

const INTERVAL_MS = 2000;

/** Publishes the permissions of a manager: those that the present process used and was denied, and those that it has. */
export class PermissionFeed {
  readonly #parts: PermissionFeedParts;
  readonly #timer: NodeJS.Timeout;
  #known = new Map<string, { readonly use: PermissionUse; readonly printed: string }>();
  #sourceOf: ((role: RoleName) => RoleSource | undefined) | undefined;
  #isStopped = false;
  #before = new Map<string, CountedRequest>();

  constructor(parts: PermissionFeedParts) {
    this.#parts = parts;
    this.read();
    void this.#readSources();
    this.#timer = setInterval(() => this.read(), INTERVAL_MS).unref();
  }

  /** Counts requests from now on: those before are of another process. */
  managerStarted(): void {
    const { server, user } = this.#parts;
    this.#before = new Map(server.audit.entries(user).map((entry) => [requestKey(entry), entry]));
    this.read();
    void this.#readSources();
  }

  /** Publishes what has changed. */
  read(): void {
    const { server, user, publish } = this.#parts;
    const sourceOf = this.#sourceOf;
    const uses = permissionsOf(server.context.objects, {
      user,
      requests: this.#requests(),
      ...(sourceOf === undefined ? {} : { sourceOf }),
    });
    const present = new Map(uses.map((use) => [permissionKey(use), { use, printed: JSON.stringify(use) }]));
    for (const [key, { use }] of this.#known) if (!present.has(key)) publish(removalOf(use));
    for (const [key, { use, printed }] of present) {
      if (this.#known.get(key)?.printed !== printed) publish(use);
    }
    this.#known = present;
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
  }

  async #readSources(): Promise<void> {
    try {
      const manifests = await this.#parts.readManifests?.();
      if (manifests === undefined) return;
      this.#sourceOf = sourcesOf(manifests);
    } catch {
      // The command reports manifests that cannot be read; the last ones stay.
      return;
    }
    if (!this.#isStopped) this.read();
  }

  #requests(): readonly CountedRequest[] {
    const { server, user } = this.#parts;
    return server.audit
      .entries(user)
      .map((entry) => {
        const { allowed = 0, denied = 0 } = this.#before.get(requestKey(entry)) ?? {};
        return { ...entry, allowed: entry.allowed - allowed, denied: entry.denied - denied };
      })
      .filter(({ allowed, denied }) => allowed > 0 || denied > 0);
  }
}

function requestKey({ verb, group, resource, namespace, path }: CountedRequest): string {
  return [verb, group, resource, namespace, path].join(" ");
}

function permissionKey({ verb, group, resource, namespace }: PermissionUse): string {
  return [verb, group, resource, namespace].join(" ");
}

function removalOf({ verb, group, resource, namespace }: PermissionUse): DashboardMessage {
  return { type: "permission-removed", verb, group, resource, namespace };
}
