import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { TOKEN_ISSUER } from "../../src/authentication/service-account-token.ts";
import { requestsOf, type Requests } from "../support/cluster-requests.ts";

const GROUP = "/apis/authentication.k8s.io/v1";
const ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";

let cluster: EmbeddedCluster;
let admin: Requests;
let vaultToken: string;

beforeAll(async () => {
  cluster = createEmbeddedCluster();
  admin = requestsOf(cluster.config);
  await admin.post(ACCOUNTS, { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot" } });
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { audiences: ["vault"] } };
  const answer = await admin.post(`${ACCOUNTS}/robot/token`, body);
  vaultToken = (answer.body["status"] as { readonly token: string }).token;
});

afterAll(async () => cluster.close());

async function review(spec: object): Promise<unknown> {
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec };
  return (await admin.post(`${GROUP}/tokenreviews`, body)).body["status"];
}

describe("a token review", () => {
  it("names the user of a static token and the audiences asked for", async () => {
    const { credentials } = cluster.addUser({ name: "jane", groups: ["devs"] });
    const token = credentials?.kind === "token" ? credentials.token : "";
    const user = { username: "jane", groups: ["devs", "system:authenticated"] };
    expect(await review({ token })).toEqual({ authenticated: true, user, audiences: [TOKEN_ISSUER] });
    expect(await review({ token, audiences: ["x"] })).toEqual({ authenticated: true, user, audiences: ["x"] });
  });

  it("names a service account with its groups, and of the audiences those that its token has", async () => {
    expect(await review({ token: vaultToken, audiences: ["other", "vault"] })).toMatchObject({
      authenticated: true,
      user: {
        username: "system:serviceaccount:default:robot",
        groups: ["system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated"],
      },
      audiences: ["vault"],
    });
  });

  it("does not authenticate tokens that nobody knows or that are for others", async () => {
    expect(await review({ token: "nonsense" })).toEqual({ user: {}, error: "invalid bearer token" });
    expect(await review({ token: vaultToken })).toEqual({
      user: {},
      error: `[invalid bearer token, token audiences ["vault"] is invalid for the target audiences ["${TOKEN_ISSUER}"]]`,
    });
  });

  it("needs a token", async () => {
    const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: {} };
    expect(await admin.post(`${GROUP}/tokenreviews`, body)).toMatchObject({ status: 400 });
  });
});

describe("a self subject review", () => {
  it("says who asks", async () => {
    const jane = requestsOf(cluster.addUser({ name: "jane", groups: ["devs"] }));
    const body = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
    const answer = await jane.post(`${GROUP}/selfsubjectreviews`, body);
    expect(answer.body["status"]).toEqual({ userInfo: { username: "jane", groups: ["devs", "system:authenticated"] } });
    expect(answer.body["metadata"]).toHaveProperty("creationTimestamp");
  });
});
