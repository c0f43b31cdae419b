import { describe, expect, it, onTestFinished } from "vitest";

import { AUTHENTICATION_TRUST, FRONT_PROXY_USER } from "../../src/authentication/authentication-trust.ts";
import { PublishedValue } from "../../src/controllers/published-value.ts";
import { createApiServer } from "../../src/server/create-api-server.ts";
import { type Requests, requestsOf } from "../support/cluster-requests.ts";

const PATH = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";

function start(): {
  readonly admin: Requests;
  readonly rootCa: PublishedValue<string>;
  readonly idle: () => Promise<void>;
} {
  const rootCa = new PublishedValue<string>();
  const server = createApiServer({ controllers: [(context) => AUTHENTICATION_TRUST.create(context, { rootCa })] });
  onTestFinished(async () => await server.close());
  server.start();
  return { admin: requestsOf(server.restConfig()), rootCa, idle: async () => await server.idle() };
}

describe("the ConfigMap of the trust between API servers", () => {
  it("does not exist before the server has a certificate", async () => {
    const { admin, idle } = start();
    await idle();
    expect((await admin.get(PATH)).status).toBe(404);
  });

  it("names the authority and the proxy, and is restored after a change and a deletion", async () => {
    const { admin, rootCa, idle } = start();
    rootCa.publish("certificate");
    await idle();
    const { data } = (await admin.get(PATH)).body;
    expect(data).toMatchObject({
      "client-ca-file": "certificate",
      "requestheader-client-ca-file": "certificate",
      "requestheader-allowed-names": JSON.stringify([FRONT_PROXY_USER]),
    });
    for (const spoil of [
      async () => await admin.patch(PATH, { data: { "client-ca-file": "other" } }),
      async () => await admin.delete(PATH),
    ]) {
      expect((await spoil()).status).toBe(200);
      await idle();
      expect((await admin.get(PATH)).body["data"]).toEqual(data);
    }
  });
});
