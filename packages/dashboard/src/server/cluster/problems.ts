import { isForbidden, messageOf } from "@kubescaffold/k8s";

import type { DashboardMessage, SourceProblem } from "../contract/protocol.ts";

/** The problems of the sources of a page, each under a key until it is solved. */
export class Problems {
  readonly #publish: (message: DashboardMessage) => void;
  readonly #problems = new Map<string, SourceProblem>();

  constructor(publish: (message: DashboardMessage) => void) {
    this.#publish = publish;
  }

  /** Records a problem, or with undefined that there is none any more. */
  set(key: string, problem: SourceProblem | undefined): void {
    if (JSON.stringify(this.#problems.get(key)) === JSON.stringify(problem)) return;
    if (problem === undefined) this.#problems.delete(key);
    else this.#problems.set(key, problem);
    this.#publish({ type: "problems", problems: [...this.#problems.values()] });
  }
}

/** The user of the page and the permission that a request needs, for the commands that grant it. */
export interface NeededPermission {
  readonly user: string;
  readonly verbs: readonly string[];
  /** As kubectl names it: `pods/log`, `deployments.apps`. */
  readonly resource: string;
  /** Empty for the whole cluster. */
  readonly namespace: string;
  /** The name of the role and of its binding. */
  readonly role: string;
}

/** Returns the commands with which an administrator grants a permission. */
export function grantCommands({ user, verbs, resource, namespace, role }: NeededPermission): readonly string[] {
  const kind = namespace === "" ? "clusterrole" : "role";
  const scope = namespace === "" ? "" : `-n ${namespace} `;
  return [
    `kubectl ${scope}create ${kind} ${role} --verb=${verbs.join(",")} --resource=${resource}`,
    `kubectl ${scope}create ${kind}binding ${role} --${kind}=${role} ${subjectFlag(user)}`,
  ];
}

/** Returns the flag of kubectl that names a user or a service account as the subject of a binding. */
export function subjectFlag(user: string): string {
  const account = SERVICE_ACCOUNT.exec(user)?.groups;
  if (account === undefined) return `--user=${quoted(user)}`;
  return `--serviceaccount=${account["namespace"] ?? ""}:${account["name"] ?? ""}`;
}

const SERVICE_ACCOUNT = /^system:serviceaccount:(?<namespace>[^:]+):(?<name>[^:]+)$/u;

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Describes a failed request of a source; with the commands that grant the permission if that is what is missing. */
export function requestProblem(source: string, error: unknown, needed: NeededPermission): SourceProblem {
  const message = messageOf(error);
  if (!isForbidden(error)) return { source, message };
  return {
    source,
    message,
    hint: "let an administrator grant the permission:",
    commands: grantCommands(needed),
  };
}
