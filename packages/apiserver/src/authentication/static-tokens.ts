import type { AuthenticationResult, Authenticator } from "../pipeline/authenticator.ts";
import type { ServerRequest } from "../request/server-request.ts";
import type { UserInfo } from "../request/user-info.ts";

/** Hands out bearer tokens that stand for users as long as the server runs. */
export class StaticTokens implements Authenticator {
  readonly #users = new Map<string, UserInfo>();

  /** Lets a token stand for a user from now on. */
  add(token: string, user: UserInfo): void {
    this.#users.set(token, user);
  }

  /** Returns the user that a token stands for. */
  find(token: string): UserInfo | undefined {
    return this.#users.get(token);
  }

  authenticate(request: ServerRequest): AuthenticationResult {
    const token = bearerToken(request);
    const user = token === undefined ? undefined : this.#users.get(token);
    return user === undefined ? { kind: "none" } : { kind: "user", user };
  }
}

/** Returns the bearer token of a request. */
export function bearerToken(request: Pick<ServerRequest, "header">): string | undefined {
  const match = /^bearer +(\S+)\s*$/iu.exec(request.header("authorization") ?? "");
  return match?.[1];
}
