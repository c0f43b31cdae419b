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
 * Thrown when the state in a folder is of a newer minor version of Kubernetes than the server, which might not know its fields and kinds.
 *
 * Fix: Start a server of the version that the message contains, or use another folder.
 */
export class NewerStateError extends ScaffoldError {
  readonly code = "APISERVER_STATE_NEWER";

  constructor(folder: string, minor: string, serverMinor: string) {
    super(`cannot restore the state in ${folder}: it is of Kubernetes ${minor}, and the server of ${serverMinor}`, {
      hint: `select Kubernetes ${minor} or later, or use another folder`,
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
