import { describe, expect, it } from "vitest";

import { StaticTokens } from "../../src/authentication/authenticators.ts";
import { bearerToken } from "../../src/authentication/bearer-token.ts";
import type { ServerRequest } from "../../src/request/server-request.ts";

function requestWith(authorization: string | undefined): ServerRequest {
  return { header: (name: string) => (name === "authorization" ? authorization : undefined) } as ServerRequest;
}

describe("bearerToken", () => {
  it.each([
    ["Bearer abc", "abc"],
    ["bearer abc ", "abc"],
    ["bearer   abc ", undefined],
    ["bearer abc def", undefined],
    ["Bearer", undefined],
    ["Basic abc", undefined],
    ["Bearer a b", undefined],
    [undefined, undefined],
  ])("reads %o as %o", (header, token) => {
    expect(bearerToken(requestWith(header))).toBe(token);
  });
});

describe("StaticTokens", () => {
  it("knows the users of its tokens and leaves all others to the next authenticator", () => {
    const tokens = new StaticTokens();
    const user = { name: "jane", groups: [] };
    tokens.add("abc", user);
    expect(tokens.authenticate(requestWith("Bearer abc"))).toEqual({ kind: "user", user });
    expect(tokens.authenticate(requestWith("Bearer abd"))).toEqual({ kind: "none" });
    expect(tokens.authenticate(requestWith(undefined))).toEqual({ kind: "none" });
  });
});
