import type { CheckAttributes, CheckAuthority, CheckDecision } from "@kubescaffold/schema/cel";

import { type Authorizer, checkPermission, type PermissionRecorder } from "../../pipeline/extension-points.ts";
import type { UserInfo } from "../../request/request-context.ts";

/** Thrown inside an evaluation, and never leaves it, where it needs a decision that is not there yet. */
class DecisionNeeded extends Error {
  readonly key: string;
  readonly decision: Promise<CheckDecision>;

  constructor(key: string, decision: Promise<CheckDecision>) {
    super("a decision of the authorizer is needed");
    this.key = key;
    this.decision = decision;
  }
}

/** The decisions that the expressions of one write have asked for: each question is decided once. */
export class Decisions {
  readonly #pipeline: ConstructorParameters<typeof Decisions>[0];
  readonly #known = new Map<string, CheckDecision>();

  constructor(pipeline: { readonly authorizer: Authorizer; readonly permissions: PermissionRecorder }) {
    this.#pipeline = pipeline;
  }

  /** Returns what decides for a user inside {@link Decisions.evaluate}. */
  authorityOf(user: UserInfo): CheckAuthority {
    return {
      decide: (attributes) => this.#decide(user, attributes),
      forServiceAccount: (namespace, name) => this.authorityOf(serviceAccount(namespace, name)),
    };
  }

  /** Evaluates expressions, and does so again after each decision that they had to wait for. */
  async evaluate<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof DecisionNeeded)) throw error;
        this.#known.set(error.key, await error.decision);
      }
    }
  }

  #decide(user: UserInfo, attributes: CheckAttributes): CheckDecision {
    const key = JSON.stringify([user, attributes]);
    const known = this.#known.get(key);
    if (known === undefined) throw new DecisionNeeded(key, this.#ask(user, attributes));
    return known;
  }

  async #ask(user: UserInfo, attributes: CheckAttributes): Promise<CheckDecision> {
    const version = attributes.isResourceRequest ? "*" : "";
    return await checkPermission(this.#pipeline, { ...attributes, version, user }, { isOptional: true });
  }
}

function serviceAccount(namespace: string, name: string): UserInfo {
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`],
  };
}
