import { ScaffoldError } from "@kubescaffold/k8s";

/** Is thrown when a server is to return to a snapshot of another server. */
export class ForeignSnapshotError extends ScaffoldError {
  readonly code = "APISERVER_FOREIGN_SNAPSHOT";

  constructor() {
    super("cannot restore a snapshot that another server has made", {
      hint: "pass a snapshot of the same server, made with snapshot()",
    });
  }
}
