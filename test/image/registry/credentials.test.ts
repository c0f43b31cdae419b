import { describe, expect, it } from "vitest";

import { type Credentials, findCredentials } from "../../../src/image/registry/credentials.ts";

const auth = (text: string): string => Buffer.from(text).toString("base64");

function find(
  registry: string,
  config: object | string | undefined,
  runStore: (store: string, server: string) => Promise<string> = () => Promise.reject(new TypeError("not installed")),
): Promise<Credentials | undefined> {
  const text = typeof config === "object" ? JSON.stringify(config) : config;
  return findCredentials(registry, { config: text, file: "config.json", runStore });
}

describe("findCredentials", () => {
  it.each([
    ["example.com", { auths: { "example.com": { auth: auth("a:b:c") } } }],
    ["example.com", { auths: { "https://example.com/v2/": { auth: auth("a:b:c") } } }],
    ["example.com", { auths: { "example.com": { username: "a", password: "b:c" } } }],
    ["docker.io", { auths: { "https://index.docker.io/v1/": { auth: auth("a:b:c") } } }],
  ])("finds the password for %s in %j", async (registry, config) => {
    expect(await find(registry, config)).toEqual({ kind: "password", username: "a", password: "b:c" });
  });

  it("finds tokens", async () => {
    expect(await find("x.example", { auths: { "x.example": { auth: auth("a:"), identitytoken: "t" } } })).toEqual({
      kind: "identity-token",
      token: "t",
    });
    expect(await find("x.example", { auths: { "x.example": { registrytoken: "t" } } })).toEqual({
      kind: "registry-token",
      token: "t",
    });
  });

  it("asks the store of a registry before the common one, and the file when a store has nothing", async () => {
    const config = {
      credHelpers: { "own.example": "own" },
      credsStore: "common",
      auths: { "own.example": { auth: auth("file:x") }, "other.example": { auth: auth("file:x") } },
    };
    const asked: string[] = [];
    const answer = async (store: string, server: string): Promise<string> => {
      asked.push(`${store} ${server}`);
      return JSON.stringify({ ServerURL: server, Username: store === "own" ? "<token>" : "user", Secret: "s" });
    };
    expect(await find("own.example", config, answer)).toEqual({ kind: "identity-token", token: "s" });
    expect(await find("docker.io", config, answer)).toEqual({ kind: "password", username: "user", password: "s" });
    expect(asked).toEqual(["own own.example", "common https://index.docker.io/v1/"]);
    expect(await find("own.example", config)).toMatchObject({ username: "file" });
  });

  it("finds nothing for other registries, and nothing without a file", async () => {
    expect(await find("sub.example.com", { auths: { "example.com": { auth: auth("a:b") } } })).toBeUndefined();
    expect(await find("example.com", { auths: { "example.com": {} } })).toBeUndefined();
    expect(await find("example.com", undefined)).toBeUndefined();
  });

  it.each(["{", "1", { auths: { "x.example": { auth: auth("no colon") } } }])(
    "refuses the damaged file %j",
    async (config) => {
      await expect(find("x.example", config)).rejects.toMatchObject({ code: "IMAGE_REGISTRY_CREDENTIALS" });
    },
  );
});
