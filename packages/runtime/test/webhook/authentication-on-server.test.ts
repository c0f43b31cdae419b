import { Environment } from "@kubescaffold/envtest";
import { isUnauthorized } from "@kubescaffold/k8s";
import { SelfSubjectReview } from "@kubescaffold/k8s/authentication/v1";
import { expect, it, onTestFinished } from "vitest";

import { createClient } from "../../src/client/create-client.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { authenticated, errored, unauthenticated } from "../../src/webhook/authentication/authentication-response.ts";
import { authenticationWebhook } from "../../src/webhook/authentication/authentication-webhook.ts";
import { serveWebhooks, writeWebhookKubeconfig } from "./support/webhook-on-loopback.ts";

// The embedded server calls no webhook to authenticate.
const isReal = process.env["KUBESCAFFOLD_ENVTEST_BACKEND"] === "binaries";

it.skipIf(!isReal)(
  "row 95: kube-apiserver asks the authentication webhook who the user of a token is",
  { timeout: 120_000 },
  async () => {
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
    const file = await writeWebhookKubeconfig(await serveWebhooks({ "/authenticate": webhook }), "/authenticate");
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
