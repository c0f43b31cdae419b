import type { RestConfig } from "@kubescaffold/k8s";

/**
 * A user of the API server.
 *
 * controller-runtime: pkg/envtest.User
 */
export interface EnvironmentUser {
  /** The name of the user. */
  readonly name: string;
  /** The groups of the user. Default: none. */
  readonly groups?: readonly string[];
}

/**
 * Authenticates the users of a control plane from local binaries in place of client certificates, such as with tokens of an OpenID Connect issuer.
 *
 * The methods are called in this order: `configure`, `addUser` any number of times, and `stop`.
 *
 * controller-runtime: pkg/envtest.Authn
 */
export interface EnvironmentAuthn {
  /** Starts the authentication before kube-apiserver starts, and returns additional arguments of it; `folder` is for files, and is removed at the end. */
  configure(folder: string): Promise<readonly string[]>;
  /** Creates credentials for a user, and returns a copy of the config with them. */
  addUser(user: EnvironmentUser, config: RestConfig): Promise<RestConfig>;
  /** Stops the authentication after kube-apiserver has stopped. */
  stop?(): Promise<void>;
}
