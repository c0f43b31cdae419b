import type { ApiServer, AuditEvent } from "@kubescaffold/apiserver";
import { groupResourceToString } from "@kubescaffold/k8s";

import type { UpgradeViolation } from "../oracles/upgrade-record.ts";

const CONFLICT = 409;
const NOT_FOUND = 404;
const TOO_MANY = 429;
const CLIENT_ERRORS = 400;
const SERVER_ERRORS = 500;

/** The requests of the operator that the server has refused. */
export class OperatorTrace {
  readonly #refused = new Map<string, string>();
  readonly #known = new Set<string>();
  #users: ReadonlySet<string> = new Set();

  /** Sets the users of the operator. */
  follow(users: readonly string[]): void {
    this.#users = new Set(users);
  }

  /** Receives an event of the audit log. */
  readonly add = ({ user, verb, objectRef, responseStatus, annotations }: AuditEvent): void => {
    const { code = 0, message = "" } = responseStatus ?? {};
    // Races with other writers are no faults, and authorization has its own oracle.
    const isRace = code === CONFLICT || code === NOT_FOUND || code === TOO_MANY;
    const isDenied = annotations?.["authorization.k8s.io/decision"] === "forbid";
    if (code < CLIENT_ERRORS || code >= SERVER_ERRORS || isRace || isDenied) return;
    if (!this.#users.has(user.username ?? "")) return;
    const { resource = "", apiGroup = "", namespace = "", name = "" } = objectRef ?? {};
    const object = `${groupResourceToString({ group: apiGroup, resource })} ${namespace === "" ? name : `${namespace}/${name}`}`;
    this.#refused.set(object, `the server refuses to ${verb} ${object}: ${message}`);
  };

  /** Returns what was refused or denied for the first time since the last call. */
  take(server: ApiServer, step: string): readonly UpgradeViolation[] {
    const refused = [...this.#refused].map(
      ([object, message]) => ({ oracle: "refused-write", step, object, message }) as const,
    );
    const denied = [...this.#users].flatMap((user) => this.#denied(server, { user, step }));
    const fresh = [...refused, ...denied].filter(({ oracle, object }) => !this.#known.has(`${oracle} ${object}`));
    for (const { oracle, object } of fresh) this.#known.add(`${oracle} ${object}`);
    return fresh;
  }

  #denied(
    server: ApiServer,
    { user, step }: { readonly user: string; readonly step: string },
  ): readonly UpgradeViolation[] {
    return server.audit
      .entries(user)
      .filter(({ denied }) => denied > 0)
      .map(({ verb, group, resource, path }) => {
        const request = `${verb} ${resource === "" ? path : groupResourceToString({ group, resource })}`;
        const message = `the roles of the operator do not allow it to ${request}`;
        return { oracle: "denied", step, object: request, message };
      });
  }
}
