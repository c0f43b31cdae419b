import { readFile } from "node:fs/promises";

import { type Credentials, type ExecCredentialConfig, messageOf, type RestConfig } from "@kubescaffold/k8s";
import { type Cancellation, type Clock, untilAborted } from "@kubescaffold/platform/clock";

import { InvalidRestConfigError, TokenFileError } from "./errors.ts";
import { runExecCredential, type ExecCredential } from "./exec-credential.ts";
import { isHeaderValue, UNFIT_CHARACTER } from "./headers.ts";
import type { Authenticator, Identity } from "./identity.ts";
import { sharedOidc } from "./oidc-authenticator.ts";
import { isSameCertificate } from "./wire.ts";

/** Creates the authenticator for the credentials of a config. */
export function createAuthenticator(config: RestConfig, clock: Clock): Authenticator {
  const credentials: Credentials = config.credentials ?? { kind: "anonymous" };
  switch (credentials.kind) {
    case "anonymous":
      return fixed(undefined);
    case "token":
      return fixed(`Bearer ${credentials.token}`);
    case "basic":
      return fixed(`Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString("base64")}`);
    case "token-file":
      return new TokenFileAuthenticator(credentials.path, clock);
    case "oidc":
      return sharedOidc(credentials.oidc, clock);
    case "exec":
    default:
      return config.tls?.cert === undefined ? sharedExec(credentials.exec, { config, clock }) : fixed(undefined);
  }
}

function fixed(authorization: string | undefined): Authenticator {
  const renew = (): Promise<undefined> => Promise.resolve(undefined);
  if (!isHeaderValue(authorization ?? "")) {
    const failure = new InvalidRestConfigError(`the token contains ${UNFIT_CHARACTER}`);
    return { identity: () => Promise.reject(failure), renew };
  }
  const identity = { authorization, certificate: undefined };
  return { identity: () => Promise.resolve(identity), renew };
}

// Kubelets rotate a token long before it expires; it is reread every 50 s.
const TOKEN_LIFE_MS = 50_000;

class TokenFileAuthenticator implements Authenticator {
  readonly #path: string;
  readonly #clock: Clock;
  #identity: Identity | undefined;
  #readAt = 0;

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#clock = clock;
  }

  async identity(): Promise<Identity> {
    const isFresh = this.#identity !== undefined && this.#clock.monotonic() - this.#readAt < TOKEN_LIFE_MS;
    return isFresh && this.#identity !== undefined ? this.#identity : this.#read();
  }

  async renew(rejected: Identity): Promise<Identity | undefined> {
    const identity = await this.#read();
    return identity.authorization === rejected.authorization ? undefined : identity;
  }

  async #read(): Promise<Identity> {
    try {
      const token = await this.#readToken();
      this.#readAt = this.#clock.monotonic();
      this.#identity = { authorization: `Bearer ${token}`, certificate: undefined };
      return this.#identity;
    } catch (error) {
      // A volume may be unreadable while it is updated; the previous token is still valid.
      if (this.#identity !== undefined) {
        return this.#identity;
      }
      throw error;
    }
  }

  async #readToken(): Promise<string> {
    let content: string;
    try {
      content = await readFile(this.#path, "utf8");
    } catch (cause) {
      throw new TokenFileError(this.#path, { detail: messageOf(cause), cause });
    }
    const token = content.trim();
    if (token === "") {
      throw new TokenFileError(this.#path, { detail: "the file is empty" });
    }
    if (!isHeaderValue(token)) {
      throw new TokenFileError(this.#path, { detail: `it contains ${UNFIT_CHARACTER}` });
    }
    return token;
  }
}

const execAuthenticators = new WeakMap<ExecCredentialConfig, ExecAuthenticator>();

// Clients of one config share the plugin's credentials, so that users log in once.
function sharedExec(
  exec: ExecCredentialConfig,
  context: { readonly config: RestConfig; readonly clock: Clock },
): Authenticator {
  const existing = execAuthenticators.get(exec);
  if (existing !== undefined) {
    return existing;
  }
  const created = new ExecAuthenticator(exec, context);
  execAuthenticators.set(exec, created);
  return created;
}

class ExecAuthenticator implements Authenticator {
  readonly #exec: ExecCredentialConfig;
  readonly #config: RestConfig;
  readonly #clock: Clock;
  #current: { readonly identity: Identity; readonly expiresAt: number | undefined } | undefined;
  #running: Promise<Identity> | undefined;

  constructor(exec: ExecCredentialConfig, { config, clock }: { readonly config: RestConfig; readonly clock: Clock }) {
    this.#exec = exec;
    this.#config = config;
    this.#clock = clock;
  }

  async identity(ending: Cancellation): Promise<Identity> {
    const { expiresAt } = this.#current ?? {};
    const isExpired = expiresAt !== undefined && this.#clock.now() > expiresAt;
    return this.#current === undefined || isExpired
      ? await untilAborted(this.#refresh(), ending)
      : this.#current.identity;
  }

  async renew(rejected: Identity, ending: Cancellation): Promise<Identity | undefined> {
    const identity =
      this.#current !== undefined && this.#current.identity !== rejected
        ? this.#current.identity
        : await untilAborted(this.#refresh(), ending);
    const isSame =
      identity.authorization === rejected.authorization &&
      isSameCertificate(identity.certificate, rejected.certificate);
    return isSame ? undefined : identity;
  }

  // Concurrent requests run the program once.
  async #refresh(): Promise<Identity> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(): Promise<Identity> {
    const credential = await runExecCredential(this.#exec, this.#config);
    const identity = identityOf(credential);
    this.#current = { identity, expiresAt: credential.expiresAt };
    return identity;
  }
}

function identityOf({ token, certificate }: ExecCredential): Identity {
  return { authorization: token === undefined ? undefined : `Bearer ${token}`, certificate };
}
