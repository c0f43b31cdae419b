import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { TOKEN_ISSUER } from "../../src/authentication/service-account-token.ts";
import { requestsOf, type Answer, type Requests } from "../support/cluster-requests.ts";

const ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";

let clock: FakeClock;
let cluster: EmbeddedCluster;
let admin: Requests;

beforeEach(async () => {
  clock = new FakeClock();
  cluster = createEmbeddedCluster({ clock });
  admin = requestsOf(cluster.config);
  await admin.post(ACCOUNTS, { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot" } });
});

afterEach(async () => cluster.close());

async function request(spec: object, metadata: object = {}, name = "robot"): Promise<Answer> {
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", metadata, spec };
  return admin.post(`${ACCOUNTS}/${name}/token`, body);
}

function tokenOf({ body }: Answer): string {
  return (body["status"] as { readonly token: string }).token;
}

async function statusWith(token: string): Promise<number> {
  const config = { ...cluster.config, credentials: { kind: "token", token } as const };
  return (await requestsOf(config).get("/api/v1/namespaces")).status;
}

describe("a token request", () => {
  it("is answered with a token for the server that lasts an hour", async () => {
    const answer = await request({});
    expect(answer).toMatchObject({
      status: 201,
      body: {
        metadata: { name: "robot", namespace: "default" },
        spec: { audiences: [TOKEN_ISSUER], expirationSeconds: 3600, boundObjectRef: null },
        status: { expirationTimestamp: "2026-01-01T01:00:00Z" },
      },
    });
    expect(await statusWith(tokenOf(answer))).toBe(403);
    clock.step(3_600_000);
    expect(await statusWith(tokenOf(answer))).toBe(401);
  });

  it("stands for nobody once the account is gone, even when another of its name comes", async () => {
    const token = tokenOf(await request({}));
    await admin.delete(`${ACCOUNTS}/robot`);
    expect(await statusWith(token)).toBe(401);
    await admin.post(ACCOUNTS, { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot" } });
    expect(await statusWith(token)).toBe(401);
  });

  it("for other audiences makes tokens that the server itself does not take", async () => {
    expect(await statusWith(tokenOf(await request({ audiences: ["vault"] })))).toBe(401);
    expect(await statusWith(tokenOf(await request({ audiences: ["vault", TOKEN_ISSUER] })))).toBe(403);
  });

  it.each([
    [{ expirationSeconds: 599 }, {}, "spec.expirationSeconds", "may not specify a duration less than 10 minutes"],
    [
      { expirationSeconds: 2 ** 32 + 1 },
      {},
      "spec.expirationSeconds",
      "may not specify a duration larger than 2^32 seconds",
    ],
    [{}, { name: "other" }, "metadata.name", "must match the service account name if specified"],
  ])("with %o and %o is invalid at %s", async (spec, metadata, field, detail) => {
    const answer = await request(spec, metadata);
    expect(answer).toMatchObject({ status: 422, body: { details: { causes: [{ field }] } } });
    expect(answer.body["message"]).toContain(detail);
  });

  it("for an account that does not exist is 404", async () => {
    expect(await request({}, {}, "nobody")).toMatchObject({ status: 404 });
  });
});
