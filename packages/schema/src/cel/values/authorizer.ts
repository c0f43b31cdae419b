import { type CelType, structType } from "./cel-type.ts";
import { CelObject, type CelValue } from "./cel-value.ts";

/** Attributes of a question to an authorizer; those of paths have `isResourceRequest: false`. */
export interface CheckAttributes {
  /** The verb, such as `get`. */
  readonly verb: string;
  /** Whether it is about a resource; else it is about a path. */
  readonly isResourceRequest: boolean;
  /** The path; empty for resources. */
  readonly path: string;
  /** The API group. */
  readonly group: string;
  /** The plural name of the resource. */
  readonly resource: string;
  /** The subresource, or empty. */
  readonly subresource: string;
  /** The namespace; empty for all. */
  readonly namespace: string;
  /** The name of the object; empty for all. */
  readonly name: string;
}

/** The answer of an authorizer. */
export interface CheckDecision {
  /** Whether the user may. */
  readonly allowed: boolean;
  /** The reason, or empty. */
  readonly reason: string;
  /** The error that kept the authorizer from deciding. */
  readonly error?: string;
}

/** Decides for a user; `serviceAccount` asks for another one. It may throw, which ends the evaluation. */
export interface CheckAuthority {
  /** Decides for the user. */
  readonly decide: (attributes: CheckAttributes) => CheckDecision;
  /** Returns the authority that decides for a service account. */
  readonly forServiceAccount: (namespace: string, name: string) => CheckAuthority;
}

abstract class AuthorizationValue extends CelObject {
  equals(other: CelValue): boolean {
    return other === this;
  }
}

/** The variable `authorizer`. */
export class CelAuthorizer extends AuthorizationValue {
  readonly type: CelType = structType("kubernetes.authorization.Authorizer");
  readonly authority: CheckAuthority;

  constructor(authority: CheckAuthority) {
    super();
    this.authority = authority;
  }
}

/** `authorizer.path(…)`. */
export class CelPathCheck extends AuthorizationValue {
  readonly type: CelType = structType("kubernetes.authorization.PathCheck");
  readonly authority: CheckAuthority;
  readonly path: string;

  constructor(authority: CheckAuthority, path: string) {
    super();
    this.authority = authority;
    this.path = path;
  }
}

/** `authorizer.group(…)`. */
export class CelGroupCheck extends AuthorizationValue {
  readonly type: CelType = structType("kubernetes.authorization.GroupCheck");
  readonly authority: CheckAuthority;
  readonly group: string;

  constructor(authority: CheckAuthority, group: string) {
    super();
    this.authority = authority;
    this.group = group;
  }
}

/** The resource of a check. */
export interface CheckedResource {
  /** The API group. */
  readonly group: string;
  /** The plural name. */
  readonly resource: string;
  /** The subresource, or empty. */
  readonly subresource: string;
  /** The namespace; empty for all. */
  readonly namespace: string;
  /** The name of the object; empty for all. */
  readonly name: string;
}

/** `authorizer.group(…).resource(…)`, and `authorizer.requestResource`. */
export class CelResourceCheck extends AuthorizationValue {
  readonly type: CelType = structType("kubernetes.authorization.ResourceCheck");
  readonly authority: CheckAuthority;
  readonly resource: CheckedResource;

  constructor(authority: CheckAuthority, resource: CheckedResource) {
    super();
    this.authority = authority;
    this.resource = resource;
  }

  /** Returns a check with some attributes replaced. */
  with(changes: Partial<CheckedResource>): CelResourceCheck {
    return new CelResourceCheck(this.authority, { ...this.resource, ...changes });
  }
}

/** The result of `check(…)`. */
export class CelDecision extends AuthorizationValue {
  readonly type: CelType = structType("kubernetes.authorization.Decision");
  readonly decision: CheckDecision;

  constructor(decision: CheckDecision) {
    super();
    this.decision = decision;
  }
}
