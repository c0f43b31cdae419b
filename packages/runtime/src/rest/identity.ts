import type { ClientCertificate } from "./wire.ts";

/** The credentials of a request. */
export interface Identity {
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** The client certificate. */
  readonly certificate: ClientCertificate | undefined;
}

/** Provides credentials, including those that change while the program runs. */
export interface Authenticator {
  /** Returns the credentials of the next request. */
  identity(): Promise<Identity>;
  /** Returns other credentials after a server rejected these; undefined without any. */
  renew(rejected: Identity): Promise<Identity | undefined>;
}
