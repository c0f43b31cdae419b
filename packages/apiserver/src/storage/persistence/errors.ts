import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when a state folder contains a file that cannot be read, other than an incomplete record at its end.
 *
 * Fix: Restore the folder from a copy, or delete it to start with an empty cluster.
 */
export class CorruptStateError extends ScaffoldError {
  readonly code = "APISERVER_STATE_CORRUPT";

  constructor(place: string, reason: string) {
    super(`cannot restore the state of the server: ${place}: ${reason}`, {
      hint: "restore the folder from a copy, or delete it to start with an empty cluster",
    });
  }
}

/**
 * Thrown when another server uses a state folder.
 *
 * Fix: Stop the other process, or use another folder.
 */
export class StateLockedError extends ScaffoldError {
  readonly code = "APISERVER_STATE_LOCKED";

  constructor(folder: string, holder: string) {
    super(`cannot open the state folder ${folder}: ${holder} uses it`, {
      hint: "stop that process, or use another folder",
    });
  }
}
