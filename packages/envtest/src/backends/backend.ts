import type { EmbeddedCluster } from "@kubescaffold/apiserver";
import type { RestConfig } from "@kubescaffold/k8s";

/** A person or a program that requests are made for. */
export interface EnvironmentUser {
  readonly name: string;
  readonly groups?: readonly string[];
}

/** A server that an environment has started or found. */
export interface Backend {
  /** How an administrator reaches it from this process. */
  readonly config: RestConfig;
  /** The server itself where it runs in this process: faults, audit, snapshots. */
  readonly cluster?: EmbeddedCluster;
  /** Returns how an administrator reaches it from another process; the embedded server begins to listen then. */
  readonly listen: () => Promise<RestConfig>;
  /** Gives a user a credential of its own. */
  readonly addUser: (user: EnvironmentUser) => Promise<RestConfig>;
  readonly stop: () => Promise<void>;
}
