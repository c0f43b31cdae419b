/*
Copyright 2026 The Kubescaffold authors.

SPDX-License-Identifier: Apache-2.0
*/

import { existsSync } from "node:fs";

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import {
  installCertManager,
  isCertManagerInstalled,
  kubectl,
  loadImage,
  npmRun,
  run,
  untilTrue,
  webhookAuthorities,
} from "./cluster.ts";

// Tests the deployed image of the operator in a namespace that enforces the Pod Security Standard "restricted".
const NAMESPACE = "multiversion-system";
const SERVICE_ACCOUNT = "multiversion-controller-manager";
const METRICS_SERVICE = "multiversion-controller-manager-metrics-service";
const METRICS_BINDING = "multiversion-metrics-binding";
const WEBHOOK_SERVICE = "multiversion-webhook-service";
const TOKEN_FILE = "/var/run/secrets/kubernetes.io/serviceaccount/token";
const IMAGE = "example.com/multiversion:v0.0.1";
// Written by `scaffold create webhook`.
const hasWebhooks = existsSync("config/webhook/service.yaml");

describe("the manager", () => {
  let podName = "";
  let ownsCertManager = false;

  beforeAll(async () => {
    npmRun("docker-build", { IMG: IMAGE });
    loadImage(IMAGE);
    ownsCertManager = process.env["CERT_MANAGER_INSTALL_SKIP"] !== "true" && !isCertManagerInstalled();
    if (ownsCertManager) await installCertManager();
    kubectl("create", "namespace", NAMESPACE);
    kubectl("label", "--overwrite", "namespace", NAMESPACE, "pod-security.kubernetes.io/enforce=restricted");
    npmRun("install-crds");
    npmRun("deploy", { IMG: IMAGE });
  });

  afterEach(({ task }) => {
    if (task.result?.state !== "fail") return;
    for (const args of [
      ["logs", podName, "-n", NAMESPACE],
      ["get", "events", "-n", NAMESPACE, "--sort-by=.lastTimestamp"],
      ["logs", "curl-metrics", "-n", NAMESPACE],
      ["describe", "pod", podName, "-n", NAMESPACE],
    ]) {
      console.error(`--- kubectl ${args.join(" ")}\n${kubectl.orMessage(...args)}`);
    }
  });

  afterAll(() => {
    kubectl.orMessage("delete", "pod", "curl-metrics", "-n", NAMESPACE, "--ignore-not-found");
    kubectl.orMessage("delete", "clusterrolebinding", METRICS_BINDING, "--ignore-not-found");
    // Cleans up, because the cluster may outlive the tests.
    run("npm", ["run", "--silent", "undeploy", "--", "--delete-crds", "--ignore-not-found"]);
    if (ownsCertManager) installCertManager.undo();
  });

  it("runs", async () => {
    await untilTrue("a manager Pod is running", () => {
      const names = kubectl(
        "get",
        "pods",
        "-l",
        "control-plane=controller-manager",
        "-n",
        NAMESPACE,
        "--field-selector=status.phase=Running",
        "-o",
        "jsonpath={.items[*].metadata.name}",
      ).split(" ");
      podName = names[0] ?? "";
      return names.length === 1 && podName.includes("controller-manager");
    });
  });

  it.runIf(hasWebhooks)("serves webhooks that the API server trusts", async () => {
    await untilTrue("the webhook endpoint is ready", () => {
      const service = `kubernetes.io/service-name=${WEBHOOK_SERVICE}`;
      const addresses = "jsonpath={.items[*].endpoints[*].addresses[*]}";
      return kubectl("get", "endpointslices", "-n", NAMESPACE, "-l", service, "-o", addresses) !== "";
    });
    await untilTrue("cert-manager has injected its CA into all webhooks", () => {
      const authorities = webhookAuthorities(NAMESPACE);
      return authorities.length > 0 && !authorities.includes("");
    });
  });

  it("serves metrics to authorized clients", async () => {
    kubectl(
      "create",
      "clusterrolebinding",
      METRICS_BINDING,
      "--clusterrole=multiversion-metrics-reader",
      `--serviceaccount=${NAMESPACE}:${SERVICE_ACCOUNT}`,
    );
    await untilTrue("the metrics endpoint is ready", () =>
      kubectl("get", "endpointslices", "-n", NAMESPACE, "-l", `kubernetes.io/service-name=${METRICS_SERVICE}`).includes(
        "8443",
      ),
    );
    // +kubebuilder:scaffold:e2e-metrics-webhooks-readiness
    kubectl(
      "run",
      "curl-metrics",
      "--restart=Never",
      "-n",
      NAMESPACE,
      "--image=curlimages/curl:8.16.0",
      "--overrides",
      curlPod(
        // The token of the Pod, since other users of this machine can read the arguments of kubectl.
        `curl -sk -o /dev/null -w %{http_code} -H "Authorization: Bearer $(cat ${TOKEN_FILE})" https://${METRICS_SERVICE}.${NAMESPACE}.svc.cluster.local:8443/metrics`,
      ),
    );
    await untilTrue(
      "the request has completed",
      () => kubectl("get", "pod", "curl-metrics", "-n", NAMESPACE, "-o", "jsonpath={.status.phase}") === "Succeeded",
    );
    expect(kubectl("logs", "curl-metrics", "-n", NAMESPACE)).toContain("200");
  });

  // +kubebuilder:scaffold:e2e-webhooks-checks
});

function curlPod(command: string): string {
  return JSON.stringify({
    spec: {
      serviceAccountName: SERVICE_ACCOUNT,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: "RuntimeDefault" } },
      containers: [
        {
          name: "curl",
          image: "curlimages/curl:8.16.0",
          command: ["/bin/sh", "-c", command],
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ["ALL"] },
          },
        },
      ],
    },
  });
}
