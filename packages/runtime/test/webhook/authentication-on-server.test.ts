import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { createCertificateAuthority } from "@kubescaffold/cluster";
import { Environment } from "@kubescaffold/envtest";
import { isUnauthorized } from "@kubescaffold/k8s";
import { SelfSubjectReview } from "@kubescaffold/k8s/authentication/v1";
import { expect, it, onTestFinished } from "vitest";

import { createClient } from "../../src/client/create-client.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { authenticated, errored, unauthenticated } from "../../src/webhook/authentication/authentication-response.ts";
import { authenticationWebhook } from "../../src/webhook/authentication/authentication-webhook.ts";
import { WebhookServer } from "../../src/webhook/webhook-server.ts";

// The embedded server calls no webhook to authenticate.
const isReal = process.env["KUBESCAFFOLD_ENVTEST_BACKEND"] === "binaries";

it.skipIf(!isReal)(
  "row 95: kube-apiserver asks the authentication webhook who the user of a token is",
  { timeout: 120_000 },
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "token-webhook-"));
    onTestFinished(async () => await rm(folder, { recursive: true }));
    const authority = await createCertificateAuthority("token-webhook");
    const { cert, key } = await authority.issueServer({ dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] });
    await writeFile(path.join(folder, "tls.crt"), cert);
    await writeFile(path.join(folder, "tls.key"), key);
    const server = new WebhookServer({
      host: "127.0.0.1",
      port: 0,
      certDir: folder,
      log: silentLogger,
      registry: createMetricsRegistry(),
    });
    const asked: (string | undefined)[] = [];
    const webhook = authenticationWebhook({
      log: silentLogger,
      handler: ({ spec }) => {
        asked.push(spec.token);
        if (spec.token === "broken") return errored(new Error("no connection to the directory"));
        return spec.token === "of-ann"
          ? authenticated("", { username: "ann", uid: "7", groups: ["a"], extra: { "demo/team": ["x"] } })
          : unauthenticated("unknown token");
      },
    });
    server.register("/authenticate", webhook);
    const stopping = new AbortController();
    const running = server.start(stopping.signal);
    onTestFinished(async () => {
      stopping.abort();
      await running;
    });
    await Promise.race([server.listening, running]);
    const file = path.join(folder, "webhook.kubeconfig");
    await writeFile(file, kubeconfigOf(`https://127.0.0.1:${String(server.port)}/authenticate`, authority.cert));
    const environment = new Environment({
      backend: "binaries",
      controllers: false,
      apiServerArgs: [
        `--authentication-token-webhook-config-file=${file}`,
        "--authentication-token-webhook-version=v1",
        "--authentication-token-webhook-cache-ttl=0s",
      ],
    });
    onTestFinished(async () => await environment.stop());
    const { server: address, tls: { ca } = {} } = await environment.start();
    const userOf = async (token: string): Promise<unknown> => {
      const config = {
        server: address,
        tls: ca === undefined ? {} : { ca },
        credentials: { kind: "token", token } as const,
      };
      return (await createClient(config).create(SelfSubjectReview.create({ metadata: {} }))).status?.userInfo;
    };
    expect(await userOf("of-ann")).toEqual({
      username: "ann",
      uid: "7",
      groups: ["a", "system:authenticated"],
      extra: { "demo/team": ["x"] },
    });
    await expect(userOf("of-nobody")).rejects.toSatisfy(isUnauthorized);
    await expect(userOf("broken")).rejects.toSatisfy(isUnauthorized);
    expect(new Set(asked)).toEqual(new Set(["of-ann", "of-nobody", "broken"]));
  },
);

function kubeconfigOf(server: string, ca: string): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "webhook",
    clusters: [
      { name: "webhook", cluster: { server, "certificate-authority-data": Buffer.from(ca).toString("base64") } },
    ],
    users: [{ name: "webhook", user: {} }],
    contexts: [{ name: "webhook", context: { cluster: "webhook", user: "webhook" } }],
  });
}
