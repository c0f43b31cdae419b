import type { PrintedDiagnostic } from "@kubescaffold/generators/diagnostics";

import type { LogEntry } from "./manager-log.ts";

/** What `scaffold dev` reports; with `--output json`, each event is a line. docs/reference/dev.md describes the fields. */
export type DevEvent =
  | ServerReady
  /** The dashboard is served; the URL opens it once. */
  | { readonly event: "dashboard-ready"; readonly url: string }
  /** Sources have changed, which are paths relative to the project. */
  | { readonly event: "sources-changed"; readonly files: readonly string[] }
  /** Manifests and other files were generated; those that differ from before were written. */
  | { readonly event: "manifests-generated"; readonly files: readonly string[]; readonly durationMs: number }
  | { readonly event: "manifests-applied"; readonly durationMs: number }
  | { readonly event: "manager-started"; readonly pid: number | undefined }
  /** Controllers or webhooks of the manager run. */
  | { readonly event: "manager-ready"; readonly durationMs: number }
  /** The manager accepts debuggers at a WebSocket URL. */
  | { readonly event: "debugger-ready"; readonly url: string }
  | ManagerExited
  | ({ readonly event: "log" } & LogEntry)
  /** A line of the manager that is not structured. */
  | { readonly event: "output"; readonly stream: "stdout" | "stderr"; readonly text: string }
  | Diagnostics
  | DevFailure
  | { readonly event: "note"; readonly text: string };

/** The API server accepts requests. */
export interface ServerReady {
  readonly event: "server-ready";
  readonly server: string;
  /** The minor version of Kubernetes of the embedded cluster. */
  readonly kubernetes?: string;
  readonly kubeconfig: string;
  readonly managerUser: string;
  /** `cluster`: those of the cluster of a kubeconfig. */
  readonly pods: "simulated" | "none" | "cluster";
  /** The folder with the objects that are kept, and whether it had some from an earlier run. */
  readonly state?: { readonly folder: string; readonly isRestored: boolean };
}

/** The manager exited by itself. */
export interface ManagerExited {
  readonly event: "manager-exited";
  /** The exit status, unless a signal ended the process. */
  readonly status?: number;
  readonly signal?: string;
}

/** All findings of the generators or of the type checker; none once they are fixed. */
export interface Diagnostics {
  readonly event: "diagnostics";
  readonly source: "generators" | "types";
  readonly diagnostics: readonly PrintedDiagnostic[];
}

/** A step failed; the manager that runs goes on running. */
export interface DevFailure {
  readonly event: "error";
  /** Missing for a bug of this program. */
  readonly code?: string;
  readonly message: string;
  readonly hint?: string;
}

/** Receives events. */
export interface DevReporter {
  readonly report: (event: DevEvent) => void;
  /** Whether the output of the manager is parsed; otherwise the manager writes to the streams of this process. */
  readonly readsManager: boolean;
  /** Ends the report; removes what is drawn. */
  readonly close: () => void;
}
