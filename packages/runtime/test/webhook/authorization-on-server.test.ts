import { Environment } from "@kubescaffold/envtest";
import { isForbidden, messageOf } from "@kubescaffold/k8s";
import type { SubjectAccessReview } from "@kubescaffold/k8s/authorization/v1";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { expect, it, onTestFinished } from "vitest";

import { createClient } from "../../src/client/create-client.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { allowed, denied, noOpinion } from "../../src/webhook/authorization/authorization-response.ts";
import { authorizationWebhook } from "../../src/webhook/authorization/authorization-webhook.ts";
import { serveWebhooks, writeWebhookKubeconfig } from "./support/webhook-on-loopback.ts";

// The embedded server calls no webhook to authorize.
const isReal = process.env["KUBESCAFFOLD_ENVTEST_BACKEND"] === "binaries";

it.skipIf(!isReal).each(["v1", "v1beta1"])(
  "kube-apiserver asks the authorization webhook in version %s whether a user may do what RBAC does not allow",
  { timeout: 120_000 },
  async (version) => {
    const asked: SubjectAccessReview["spec"][] = [];
    const webhook = authorizationWebhook({
      log: silentLogger,
      handler: ({ spec }) => {
        asked.push(spec);
        const { user, resourceAttributes: { name = "", namespace = "" } = {} } = spec;
        if (user !== "ann" || namespace === "") return noOpinion();
        if (name === "broken") throw new Error("no connection to the directory");
        return name === "secret-plan" ? denied("ann does not read plans") : allowed("ann may");
      },
    });
    const file = await writeWebhookKubeconfig(await serveWebhooks({ "/authorize": webhook }), "/authorize");
    const environment = new Environment({
      backend: "binaries",
      controllers: false,
      apiServerArgs: [
        "--authorization-mode=Webhook",
        `--authorization-webhook-config-file=${file}`,
        `--authorization-webhook-version=${version}`,
        "--authorization-webhook-cache-authorized-ttl=0s",
        "--authorization-webhook-cache-unauthorized-ttl=0s",
      ],
    });
    onTestFinished(async () => await environment.stop());
    const config = await environment.start();
    const groups = ["staff"];
    const ofAnn = createClient({ ...config, impersonate: { userName: "ann", groups, extra: { team: ["x"] } } });
    const ofBob = createClient({ ...config, impersonate: { userName: "bob" } });
    const plan = (name: string): { readonly namespace: string; readonly name: string } => ({
      namespace: "default",
      name,
    });
    await ofAnn.create(ConfigMap.create({ metadata: plan("notes") }));
    expect((await ofAnn.get(ConfigMap, plan("notes"))).metadata.name).toBe("notes");
    const refusal = await ofAnn.get(ConfigMap, plan("secret-plan")).catch((error: unknown) => error);
    expect(isForbidden(refusal)).toBe(true);
    expect(messageOf(refusal)).toContain("ann does not read plans");
    await expect(ofAnn.get(ConfigMap, plan("broken"))).rejects.toSatisfy(isForbidden);
    await expect(ofBob.get(ConfigMap, plan("notes"))).rejects.toSatisfy(isForbidden);
    expect(asked).toContainEqual({
      user: "ann",
      groups: [...groups, "system:authenticated"],
      extra: { team: ["x"] },
      resourceAttributes: { verb: "get", version: "v1", resource: "configmaps", ...plan("notes") },
    });
  },
);
