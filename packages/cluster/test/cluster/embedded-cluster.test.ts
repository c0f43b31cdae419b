import { once } from "node:events";
import { request } from "node:https";
import { connect } from "node:tls";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { requestsOf } from "../../../apiserver/test/support/cluster-requests.ts";
import { createCertificateAuthority, type KeyPair } from "../../src/cluster/certificate-authority.ts";
import type { ClusterListener } from "../../src/cluster/cluster-listener.ts";
import { createEmbeddedCluster, type EmbeddedCluster } from "../../src/cluster/embedded-cluster.ts";

const REVIEW = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };

let cluster: EmbeddedCluster;

beforeEach(() => {
  cluster = createEmbeddedCluster();
});

afterEach(async () => cluster.close());

interface Identity {
  readonly token?: string;
  readonly pair?: KeyPair;
}

// Asks over TLS who one is; the certificate of the server is checked.
async function whoAmI(
  { config }: ClusterListener,
  { token, pair }: Identity,
): Promise<{ readonly code: number; readonly user: unknown }> {
  const outgoing = request(`${config.server}/apis/authentication.k8s.io/v1/selfsubjectreviews`, {
    method: "POST",
    ca: config.tls?.ca,
    agent: false,
    ...pair,
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
  });
  outgoing.end(JSON.stringify(REVIEW));
  const [incoming] = (await once(outgoing, "response")) as [AsyncIterable<Buffer> & { readonly statusCode: number }];
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { status } = JSON.parse(Buffer.concat(chunks).toString()) as {
    readonly status: { readonly userInfo?: unknown };
  };
  return { code: incoming.statusCode, user: status.userInfo };
}

describe("an embedded cluster", () => {
  it("gives its administrator every right and other users those of their roles", async () => {
    const path = "/api/v1/namespaces";
    expect(await requestsOf(cluster.config).get(path)).toMatchObject({ status: 200 });
    expect(await requestsOf(cluster.addUser({ name: "jane" })).get(path)).toMatchObject({ status: 403 });
    const root = cluster.addUser({ name: "root", groups: ["system:masters"] });
    expect(await requestsOf(root).get(path)).toMatchObject({ status: 200 });
  });

  it("makes another token for every user, also for the same one", () => {
    const tokens = [cluster.config, cluster.addUser({ name: "a" }), cluster.addUser({ name: "a" })].map(
      ({ credentials }) => (credentials?.kind === "token" ? credentials.token : ""),
    );
    expect(new Set(tokens).size).toBe(3);
  });

  it("does not know the tokens of another cluster", async () => {
    const other = createEmbeddedCluster();
    const config = {
      ...cluster.config,
      ...(other.config.credentials === undefined ? {} : { credentials: other.config.credentials }),
    };
    expect(await requestsOf(config).get("/api/v1/namespaces")).toMatchObject({ status: 401 });
    await other.close();
  });

  it("takes requests without credentials for anonymous ones, and unknown tokens for wrong ones, even for health", async () => {
    const { credentials: _, ...anonymous } = cluster.config;
    expect((await requestsOf(anonymous).get("/api/v1/nodes")).body["message"]).toContain(
      'User "system:anonymous" cannot list',
    );
    expect(await requestsOf(anonymous).get("/healthz")).toMatchObject({ status: 200 });
    const wrong = { ...cluster.config, credentials: { kind: "token", token: "nonsense" } as const };
    expect(await requestsOf(wrong).get("/healthz")).toMatchObject({ status: 401 });
    const odd = requestsOf(anonymous, [["authorization", "Weird x"]]);
    expect(await odd.get("/api/v1/nodes")).toMatchObject({ status: 403 });
  });

  it("runs no controllers where they are switched off", async () => {
    const quiet = createEmbeddedCluster({ lifecycleControllers: false });
    const admin = requestsOf(quiet.config);
    quiet.server.start();
    await quiet.server.idle();
    expect(await admin.get("/api/v1/namespaces/default/serviceaccounts/default")).toMatchObject({ status: 404 });
    await quiet.close();
  });
});

describe("an embedded cluster that listens", () => {
  it("speaks plain HTTP by default", async () => {
    const listener = await cluster.listen();
    expect(listener.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/u);
    expect(listener.config.tls).toBeUndefined();
    const response = await fetch(`${listener.url}/readyz`);
    expect(response.status).toBe(200);
  });

  it("knows users over TLS by token and by client certificate, and refuses certificates of others", async () => {
    const listener = await cluster.listen({ tls: true });
    const authority = await cluster.certificateAuthority();
    const { credentials } = cluster.addUser({ name: "jane", groups: ["devs"] }, listener.config);
    const token = credentials?.kind === "token" ? credentials.token : "";
    const jane = { code: 201, user: { username: "jane", groups: ["devs", "system:authenticated"] } };
    expect(await whoAmI(listener, { token })).toEqual(jane);
    const client = { user: "jane", groups: ["devs"] };
    expect(await whoAmI(listener, { pair: await authority.issueClient(client) })).toEqual(jane);
    const stranger = await createCertificateAuthority("embedded-cluster");
    expect(await whoAmI(listener, { pair: await stranger.issueClient(client) })).toMatchObject({ code: 401 });
    expect(await whoAmI(listener, {})).toMatchObject({ code: 403 });
  });

  it("has a certificate for the names of the Kubernetes service", async () => {
    const listener = await cluster.listen({ tls: true });
    const { cert: ca } = await cluster.certificateAuthority();
    for (const servername of ["localhost", "kubernetes.default.svc"]) {
      const socket = connect({ host: listener.host, port: listener.port, ca, servername });
      await once(socket, "secureConnect");
      expect(socket.authorized).toBe(true);
      socket.destroy();
    }
  });

  it("uses the same authority for every listener", async () => {
    const [one, two] = [await cluster.listen({ tls: true }), await cluster.listen({ tls: true })];
    expect(one.port).not.toBe(two.port);
    expect(one.config.tls?.ca).toBe(two.config.tls?.ca);
  });
});
