import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when the dependents of a controller depend on each other in a cycle.
 *
 * Fix: Remove one of the names from `dependsOn`.
 */
export class DependentCycleError extends ScaffoldError {
  readonly code = "CONTROLLER_DEPENDENT_CYCLE";

  constructor(names: readonly string[]) {
    super(`the dependents form a cycle: ${names.join(" -> ")}`, {
      hint: "remove one of these names from dependsOn",
    });
  }
}

/**
 * Thrown when the name of a dependent is unknown or invalid, or when a dependent reads another one that it does not depend on.
 *
 * Fix: Follow the hint.
 */
export class DependentNameError extends ScaffoldError {
  readonly code = "CONTROLLER_DEPENDENT_NAME";

  constructor(why: string, hint: string) {
    super(why, { hint });
  }
}

/**
 * Thrown when a dependent cannot be an object of its owner: its kind is cluster-scoped and the owner's is not, it has no namespace, it has another kind,
 * or another dependent describes the same object.
 *
 * Fix: Follow the hint.
 */
export class DependentObjectError extends ScaffoldError {
  readonly code = "CONTROLLER_DEPENDENT_OBJECT";

  constructor(name: string, why: string, hint: string) {
    super(`the dependent ${name} is invalid: ${why}`, { hint });
  }
}

/**
 * Thrown when the API server removed the condition `Ready` from the status of an owner, because its schema has no conditions.
 *
 * Fix: Declare `conditions` in the status of the kind and generate its CRD, or pass `readyCondition: false` to `complete()`.
 */
export class OwnerWithoutConditionsError extends ScaffoldError {
  readonly code = "CONTROLLER_OWNER_WITHOUT_CONDITIONS";

  constructor(kind: string) {
    super(`the status of ${kind} has no conditions`, {
      hint: "declare conditions in the status and generate the CRD, or pass readyCondition: false to complete()",
    });
  }
}
