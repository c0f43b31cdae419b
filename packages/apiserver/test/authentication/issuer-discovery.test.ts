import { createPublicKey, generateKeyPairSync, type JsonWebKey, verify } from "node:crypto";

import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { afterEach, describe, expect, it } from "vitest";

import { requestsOf } from "../support/cluster-requests.ts";

let cluster: EmbeddedCluster;

afterEach(async () => cluster.close());

const CONFIGURATION = "/.well-known/openid-configuration";

describe("the issuer of service account tokens", () => {
  it("publishes the keys that verify its tokens", async () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const signingKey = privateKey.export({ type: "pkcs8", format: "pem" }) as string;
    cluster = createEmbeddedCluster({ serviceAccountTokens: { keys: { signingKey } } });
    const { port } = await cluster.listen({ tls: true, advertiseAddress: "172.18.0.9" });
    await cluster.server.idle();
    const admin = requestsOf(cluster.config);
    const { body: configuration } = await admin.get(CONFIGURATION);
    expect(configuration).toEqual({
      issuer: "https://kubernetes.default.svc.cluster.local",
      jwks_uri: `https://172.18.0.9:${String(port)}/openid/v1/jwks`,
      response_types_supported: ["id_token"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
    });
    const request = {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      metadata: {},
      spec: { audiences: ["me"] },
    };
    const { body: issued } = await admin.post("/api/v1/namespaces/default/serviceaccounts/default/token", request);
    const { token } = (issued as unknown as { readonly status: { readonly token: string } }).status;
    const [header = "", payload = "", signature = ""] = token.split(".");
    const { body } = await admin.get("/openid/v1/jwks");
    const { keys } = body as unknown as { readonly keys: readonly [JsonWebKey & { readonly kid: string }] };
    expect(keys[0]).toMatchObject({ use: "sig", kty: "RSA", alg: "RS256" });
    expect(JSON.parse(Buffer.from(header, "base64url").toString("utf8"))).toMatchObject({ kid: keys[0].kid });
    const key = createPublicKey({ key: keys[0], format: "jwk" });
    expect(verify("sha256", Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, "base64url"))).toBe(true);
  });

  it("publishes nothing for tokens that a secret signs", async () => {
    cluster = createEmbeddedCluster();
    await cluster.listen();
    expect((await requestsOf(cluster.config).get(CONFIGURATION)).status).toBe(404);
  });

  it("advertises the address of the server in the endpoints of the Service kubernetes", async () => {
    cluster = createEmbeddedCluster();
    const { port } = await cluster.listen({ advertiseAddress: "172.18.0.9" });
    await cluster.server.idle();
    const admin = requestsOf(cluster.config);
    const { body } = await admin.get("/api/v1/namespaces/default/endpoints/kubernetes");
    expect(body).toMatchObject({ subsets: [{ addresses: [{ ip: "172.18.0.9" }], ports: [{ name: "https", port }] }] });
    const path = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
    const { body: slices } = await admin.get(path);
    expect(slices).toMatchObject({
      items: [
        {
          metadata: { name: "kubernetes", labels: { "kubernetes.io/service-name": "kubernetes" } },
          endpoints: [{ addresses: ["172.18.0.9"], conditions: { ready: true } }],
        },
      ],
    });
  });
});
