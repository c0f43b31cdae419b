import type { OidcConfig } from "@kubescaffold/k8s";
import { type Cancellation, type Clock, untilAborted } from "@kubescaffold/platform/clock";

import { OIDC_SETTINGS, persistAuthProviderConfig, readAuthProviderConfig } from "../config/auth-provider-config.ts";
import type { PathOptions } from "../config/kubeconfig-paths.ts";
import { withoutCallScope } from "../log/call-scope.ts";
import { log } from "../log/root-logger.ts";
import { OidcError } from "./errors.ts";
import type { Authenticator, Identity } from "./identity.ts";
import { expiryOf, refreshOidcTokens } from "./oidc-issuer.ts";

const authenticators = new WeakMap<OidcConfig, OidcAuthenticator>();

/** Returns the authenticator of an OpenID Connect user; clients of one config share it, so that a refresh token is used once. */
export function sharedOidc(oidc: OidcConfig, clock: Clock): Authenticator {
  const existing = authenticators.get(oidc);
  if (existing !== undefined) {
    return existing;
  }
  const created = new OidcAuthenticator(oidc, clock);
  authenticators.set(oidc, created);
  return created;
}

// A token is replaced before it expires, since clocks differ.
const EXPIRY_MARGIN_MS = 10_000;
// A new token that has expired by this machine's clock is used for this long, so that not every request refreshes.
const SHORTEST_LIFE_MS = 10_000;
// A server that rejects a new token rejects the next one, too.
const RENEWAL_INTERVAL_MS = 60_000;
// A failure is repeated to all requests for this long, so that the issuer is not flooded.
const FAILURE_LIFE_MS = 5000;

interface Tokens {
  readonly idToken: string | undefined;
  readonly refreshToken: string | undefined;
}

class OidcAuthenticator implements Authenticator {
  readonly #oidc: OidcConfig;
  readonly #clock: Clock;
  #tokens: Tokens;
  // The tokens that the kubeconfig had when it was last read or written.
  #stored: Tokens;
  #refreshedAt = Number.NEGATIVE_INFINITY;
  #failure: { readonly error: unknown; readonly at: number } | undefined;
  #running: Promise<Identity> | undefined;

  constructor(oidc: OidcConfig, clock: Clock) {
    this.#oidc = oidc;
    this.#clock = clock;
    this.#tokens = { idToken: oidc.idToken, refreshToken: oidc.refreshToken };
    this.#stored = this.#tokens;
  }

  async identity(ending: Cancellation): Promise<Identity> {
    return this.#usable() ?? (await untilAborted(this.#refresh(undefined), ending));
  }

  async renew(rejected: Identity, ending: Cancellation): Promise<Identity | undefined> {
    const current = this.#usable();
    if (current !== undefined && current.authorization !== rejected.authorization) {
      return current;
    }
    if (this.#clock.monotonic() - this.#refreshedAt < RENEWAL_INTERVAL_MS) {
      return undefined;
    }
    const renewed = await untilAborted(this.#refresh(rejected.authorization), ending);
    return renewed.authorization === rejected.authorization ? undefined : renewed;
  }

  #usable(): Identity | undefined {
    const { idToken } = this.#tokens;
    const isNew = this.#clock.monotonic() - this.#refreshedAt < SHORTEST_LIFE_MS;
    return idToken !== undefined && (isNew || this.#isValid(idToken)) ? identityOf(idToken) : undefined;
  }

  #isValid(idToken: string): boolean {
    return (expiryOf(idToken) ?? 0) > this.#clock.now() + EXPIRY_MARGIN_MS;
  }

  // Concurrent requests refresh once, and the refresh outlives the reconcile of the first one.
  async #refresh(rejected: string | undefined): Promise<Identity> {
    const { at = Number.NEGATIVE_INFINITY, error } = this.#failure ?? {};
    if (this.#clock.monotonic() - at < FAILURE_LIFE_MS) {
      throw error;
    }
    this.#running ??= withoutCallScope(() => inTurn(this.#turn(), () => this.#replaceTokens(rejected)))
      .catch((cause: unknown) => {
        this.#failure = { error: cause, at: this.#clock.monotonic() };
        throw cause;
      })
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  // Configs of one kubeconfig user share its refresh token.
  #turn(): unknown {
    const { storage, issuerUrl, clientId } = this.#oidc;
    return storage === undefined ? this : JSON.stringify([storage.files, storage.user, issuerUrl, clientId]);
  }

  async #replaceTokens(rejected: string | undefined): Promise<Identity> {
    const found = await this.#adopt(rejected);
    if (found !== undefined) {
      return found;
    }
    const { refreshToken } = this.#tokens;
    if (refreshToken === undefined) {
      throw new OidcError(this.#oidc.issuerUrl, { detail: "the ID token has expired, and there is no refresh token" });
    }
    try {
      const tokens = await refreshOidcTokens(this.#oidc, refreshToken, this.#clock);
      this.#use(tokens);
      await this.#store(tokens);
      return identityOf(tokens.idToken);
    } catch (error) {
      // Another process may have used the refresh token, and stored its successor.
      const adopted = await this.#adopt(rejected);
      if (adopted === undefined) throw error;
      return adopted;
    }
  }

  // Returns the token that another process, or a new login, stored in the meantime.
  async #adopt(rejected: string | undefined): Promise<Identity | undefined> {
    const stored = await this.#readStored();
    if (stored === undefined || isSame(stored, this.#stored)) {
      return undefined;
    }
    this.#stored = stored;
    this.#tokens = stored;
    const { idToken } = stored;
    const isUsable = idToken !== undefined && this.#isValid(idToken) && identityOf(idToken).authorization !== rejected;
    return isUsable ? identityOf(idToken) : undefined;
  }

  #use(tokens: Tokens): void {
    this.#tokens = tokens;
    this.#refreshedAt = this.#clock.monotonic();
    this.#failure = undefined;
  }

  async #readStored(): Promise<Tokens | undefined> {
    const { storage, issuerUrl, clientId } = this.#oidc;
    if (storage === undefined) {
      return undefined;
    }
    // An unreadable file has no newer tokens.
    const config = await readAuthProviderConfig(pathsOf(storage), storage.user).catch(() => undefined);
    const isSameClient = config?.[OIDC_SETTINGS.issuerUrl] === issuerUrl && config[OIDC_SETTINGS.clientId] === clientId;
    return isSameClient
      ? { idToken: textOf(config[OIDC_SETTINGS.idToken]), refreshToken: textOf(config[OIDC_SETTINGS.refreshToken]) }
      : undefined;
  }

  // Tokens that cannot be stored are still valid.
  async #store(tokens: { readonly idToken: string; readonly refreshToken: string }): Promise<void> {
    const { storage } = this.#oidc;
    if (storage === undefined) {
      return;
    }
    const settings = {
      [OIDC_SETTINGS.idToken]: tokens.idToken,
      [OIDC_SETTINGS.refreshToken]: tokens.refreshToken,
    };
    try {
      await persistAuthProviderConfig(pathsOf(storage), { user: storage.user, settings });
      this.#stored = tokens;
    } catch (error) {
      const hint = "after a restart, a new login may be needed";
      log
        .withName("oidc")
        .error(error, "cannot store refreshed tokens in the kubeconfig", { user: storage.user, hint });
    }
  }
}

const turns = new Map<unknown, Promise<unknown>>();

/** Runs a function after those that came before it for the same key. */
async function inTurn<T>(key: unknown, run: () => Promise<T>): Promise<T> {
  const previous = turns.get(key) ?? Promise.resolve();
  const turn = previous.then(run, run);
  turns.set(key, turn);
  try {
    return await turn;
  } finally {
    if (turns.get(key) === turn) {
      turns.delete(key);
    }
  }
}

function identityOf(idToken: string): Identity {
  return { authorization: `Bearer ${idToken}`, certificate: undefined };
}

function isSame(left: Tokens, right: Tokens): boolean {
  return left.idToken === right.idToken && left.refreshToken === right.refreshToken;
}

function pathsOf({ files }: NonNullable<OidcConfig["storage"]>): PathOptions {
  return { listedFiles: files, globalFile: files[0] ?? "" };
}

function textOf(value: string | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
