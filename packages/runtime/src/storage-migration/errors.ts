import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when the option `storageMigration` names no kinds, or one kind twice.
 *
 * Fix: Pass each kind once, in the version that is to be stored.
 */
export class StorageMigrationOptionsError extends ScaffoldError {
  readonly code = "STORAGE_OPTIONS";

  constructor(problem: string) {
    super(`invalid options of the storage migration: ${problem}`, {
      hint: "pass each kind once, in the version that is to be stored: storageMigration({ kinds: [Guestbook] })",
    });
  }
}

/**
 * Thrown when the API server refused to store objects in the storage version, so that the CRD still lists other stored versions.
 *
 * Fix: See why the objects that the message names are refused: correct them, the validation, or the webhook, and migrate again.
 */
export class StorageMigrationRefusedError extends ScaffoldError {
  readonly code = "STORAGE_REFUSED";

  constructor(crd: string, failures: readonly { readonly object: string; readonly reason: string }[]) {
    const listed = failures.slice(0, 5).map(({ object, reason }) => `\n  ${object}: ${reason}`);
    const more = failures.length > listed.length ? `\n  and ${String(failures.length - listed.length)} others` : "";
    super(`cannot store all objects of ${crd} in its storage version:${listed.join("")}${more}`, {
      hint: "correct the objects, the validation, or the webhook that refuses them, and migrate again",
    });
  }
}

/**
 * Thrown when a CRD kept changing while its objects were rewritten, so that another version may have been stored meanwhile.
 *
 * Fix: Find what updates the CRD in `metadata.managedFields`, and migrate again when it has stopped.
 */
export class StorageMigrationChangedError extends ScaffoldError {
  readonly code = "STORAGE_CRD_CHANGED";

  constructor(crd: string) {
    super(`the CRD ${crd} was changed while its objects were rewritten`, {
      hint: "migrate again; metadata.managedFields of the CRD shows what changes it",
    });
  }
}
