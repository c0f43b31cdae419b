import type { Cancellation } from "@kubescaffold/platform/clock";

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
  /** Returns the credentials of the next request. Fails: with the signal's reason, also while a program waits for a login. */
  identity(ending: Cancellation): Promise<Identity>;
  /** Returns other credentials after a server rejected these; undefined without any. Fails: as {@link Authenticator.identity}. */
  renew(rejected: Identity, ending: Cancellation): Promise<Identity | undefined>;
}

/** Returns other credentials after a server rejected these; undefined without any, and where they cannot be had. Fails: with the signal's reason. */
export async function renewedIdentity(
  authenticator: Authenticator,
  rejected: Identity,
  ending: Cancellation,
): Promise<Identity | undefined> {
  try {
    return await authenticator.renew(rejected, ending);
  } catch {
    ending.throwIfAborted();
    return undefined;
  }
}
