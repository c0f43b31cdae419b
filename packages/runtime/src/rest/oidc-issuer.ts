import { messageOf, type OidcConfig } from "@kubescaffold/k8s";
import type { Clock } from "@kubescaffold/platform/clock";

import { OidcError } from "./errors.ts";
import { createPoolSender } from "./pool-sender.ts";
import type { WireHeaders, WireResponse } from "./wire.ts";

/** Refreshed tokens. */
export interface OidcTokens {
  /** The ID token, which API servers accept as a bearer token. */
  readonly idToken: string;
  /** The refresh token for the next time. */
  readonly refreshToken: string;
}

const TIMEOUT_MS = 30_000;
const MOST_BYTES = 1024 * 1024;
const LONGEST_DETAIL = 200;

/**
 * Refreshes the tokens of an OpenID Connect user at the token endpoint of its issuer.
 *
 * Guarantees: requests use HTTPS, end after 30 seconds, follow no redirects, and read at most 1 MiB; the refresh token and the client secret go only to
 * the token endpoint that the issuer names, and are not in errors.
 * Fails: {@link OidcError}.
 */
export async function refreshOidcTokens(config: OidcConfig, refreshToken: string, clock: Clock): Promise<OidcTokens> {
  const exchange = new OidcExchange(config, refreshToken, clock);
  return exchange.refresh();
}

interface Call {
  readonly method: "GET" | "POST";
  readonly headers: WireHeaders;
  readonly body?: string;
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

interface TokenEndpoint {
  readonly url: URL;
  /** The supported ways to authenticate the client; undefined if the issuer does not list them. */
  readonly methods: readonly unknown[] | undefined;
}

class OidcExchange {
  readonly #config: OidcConfig;
  readonly #refreshToken: string;
  readonly #clock: Clock;

  constructor(config: OidcConfig, refreshToken: string, clock: Clock) {
    this.#config = config;
    this.#refreshToken = refreshToken;
    this.#clock = clock;
  }

  async refresh(): Promise<OidcTokens> {
    const endpoint = await this.#tokenEndpoint();
    const inHeader = this.#authenticatesInHeader(endpoint);
    let answer = await this.#requestTokens(endpoint, inHeader);
    // Some issuers do not list their methods, and accept only one of them.
    if (isUnknownClient(answer) && this.#config.clientSecret !== undefined) {
      answer = await this.#requestTokens(endpoint, !inHeader);
    }
    return this.#readTokens(answer);
  }

  async #tokenEndpoint(): Promise<TokenEndpoint> {
    const { issuerUrl } = this.#config;
    const base = issuerUrl.replace(/(?<!\/)\/+$/u, "");
    const url = this.#checkedUrl(`${base}/.well-known/openid-configuration`, "the discovery document");
    const { status, body } = await this.#send(url, { method: "GET", headers: {} });
    if (status !== 200) {
      throw this.#error(`its discovery document has status ${String(status)}`);
    }
    const { issuer, token_endpoint: endpoint, token_endpoint_auth_methods_supported: methods } = body;
    if (typeof issuer !== "string" || issuer.replace(/(?<!\/)\/+$/u, "") !== base) {
      throw this.#error(`its discovery document is that of ${JSON.stringify(issuer)}`);
    }
    if (typeof endpoint !== "string" || endpoint === "") {
      throw this.#error("its discovery document has no token_endpoint");
    }
    return {
      url: this.#checkedUrl(endpoint, "the token endpoint"),
      methods: Array.isArray(methods) ? methods : undefined,
    };
  }

  // Without a list, issuers support `client_secret_basic`.
  #authenticatesInHeader({ methods = ["client_secret_basic"] }: TokenEndpoint): boolean {
    return this.#config.clientSecret !== undefined && methods.includes("client_secret_basic");
  }

  async #requestTokens({ url }: TokenEndpoint, inHeader: boolean): Promise<Answer> {
    const { clientId, clientSecret } = this.#config;
    const form = new URLSearchParams({ grant_type: "refresh_token", refresh_token: this.#refreshToken });
    if (!inHeader) {
      form.set("client_id", clientId);
      if (clientSecret !== undefined) form.set("client_secret", clientSecret);
    }
    const pair = `${formEncoded(clientId)}:${formEncoded(clientSecret ?? "")}`;
    return this.#send(url, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        ...(inHeader ? { authorization: `Basic ${Buffer.from(pair).toString("base64")}` } : {}),
      },
      body: form.toString(),
    });
  }

  #readTokens({ status, body }: Answer): OidcTokens {
    const { error: reason, error_description: description, id_token: idToken, refresh_token: next } = body;
    if (status !== 200 || typeof reason === "string") {
      const said = [reason, description].filter((text) => typeof text === "string" && text !== "").join(": ");
      throw this.#error(`the refresh failed with status ${String(status)}${said === "" ? "" : `: ${said}`}`, {
        reason: typeof reason === "string" ? this.#printable(reason) : undefined,
      });
    }
    if (typeof idToken !== "string" || expiryOf(idToken) === undefined) {
      throw this.#error(
        "its response has no ID token; either the scope openid was not requested at the login, or the issuer does not refresh ID tokens",
      );
    }
    return { idToken, refreshToken: typeof next === "string" && next !== "" ? next : this.#refreshToken };
  }

  #checkedUrl(text: string, purpose: string): URL {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url?.protocol !== "https:" || url.username !== "" || url.password !== "") {
      throw this.#error(`the address of ${purpose} (${text}) is not an https address`);
    }
    return url;
  }

  async #send(url: URL, call: Call): Promise<Answer> {
    const { ca } = this.#config;
    const sender = createPoolSender({ server: url.origin, ...(ca === undefined ? {} : { tls: { ca } }) });
    const deadline = new AbortController();
    const timer = this.#clock.setTimeout(() => deadline.abort(), TIMEOUT_MS);
    try {
      const response = await sender.send({
        method: call.method,
        path: `${url.pathname}${url.search}`,
        headers: { accept: "application/json", ...call.headers },
        body: call.body,
        signal: deadline.signal,
        reading: "pieces",
        bodyTimeoutMs: TIMEOUT_MS,
      });
      return await this.#readAnswer(url, response);
    } catch (error) {
      if (error instanceof OidcError) throw error;
      const detail = deadline.signal.aborted
        ? `${url.origin} did not answer within ${String(TIMEOUT_MS / 1000)} s`
        : `cannot reach ${url.origin}: ${messageOf(error)}`;
      throw this.#error(detail, { cause: error });
    } finally {
      timer.cancel();
      await sender.close().catch(() => undefined);
    }
  }

  async #readAnswer(url: URL, response: WireResponse): Promise<Answer> {
    const { status } = response;
    if (status >= 300 && status < 400) {
      throw this.#error(
        `${url.origin} redirects to ${response.header("location") ?? "nowhere"}, which is not followed`,
      );
    }
    const text = await this.#readText(url, response);
    const body = parseObject(text);
    if (body === undefined && status === 200) {
      throw this.#error(`the answer of ${url.origin} is not JSON: ${text.slice(0, LONGEST_DETAIL)}`);
    }
    return { status, body: body ?? {} };
  }

  async #readText(url: URL, response: WireResponse): Promise<string> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.chunks()) {
      size += chunk.byteLength;
      if (size > MOST_BYTES) {
        throw this.#error(`the answer of ${url.origin} is longer than 1 MiB`);
      }
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString("utf8");
  }

  #error(detail: string, options: { readonly reason?: string | undefined; readonly cause?: unknown } = {}): OidcError {
    return new OidcError(this.#printable(this.#config.issuerUrl), { detail: this.#printable(detail), ...options });
  }

  // An issuer may repeat what it received, and send control characters to the terminal.
  #printable(text: string): string {
    const secrets = [this.#refreshToken, this.#config.clientSecret, this.#config.idToken].flatMap((secret) =>
      secret === undefined || secret === "" ? [] : [secret, formEncoded(secret)],
    );
    const redacted = secrets.reduce((result, secret) => result.replaceAll(secret, "[redacted]"), text);
    return redacted.replaceAll(/[\p{Cc}\p{Cf}]/gu, " ").slice(0, LONGEST_DETAIL * 2);
  }
}

function isUnknownClient({ status, body }: Answer): boolean {
  return status === 401 || (status === 400 && body["error"] === "invalid_client");
}

function formEncoded(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the expiry of an ID token in milliseconds since 1970, 0 if it has none; undefined if the text is not a token. The signature is not verified. */
export function expiryOf(idToken: string): number | undefined {
  const [, payload] = /^[\w-]+\.([\w-]+)\.[\w-]*$/u.exec(idToken) ?? [];
  const claims = payload === undefined ? undefined : parseObject(Buffer.from(payload, "base64url").toString("utf8"));
  if (claims === undefined) {
    return undefined;
  }
  const { exp } = claims;
  return typeof exp === "number" ? Math.trunc(exp) * 1000 : 0;
}
