// The cluster of one conformance spec: the embedded API server with simulated workloads on two Nodes.
import { generateKeyPairSync } from "node:crypto";

import { createEmbeddedCluster } from "@kubescaffold/cluster";
import { kubeconfigOf } from "@kubescaffold/envtest";
import { readDescriptions } from "@kubescaffold/envtest/descriptions";

import { defineImages } from "./images.mjs";

// Some specs need two Nodes; the cluster starts with one.
const SECOND_NODE = { apiVersion: "v1", kind: "Node", metadata: { name: "node-1" } };

// Where Pods find the API server, beside the addresses of the Nodes.
const SERVER_ADDRESS = "172.18.255.254";

// Verified by others with the public key that the server publishes, as in a real cluster.
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const signingKey = privateKey.export({ type: "pkcs8", format: "pem" });

// As often as kube-apiserver compacts etcd, after which pages of earlier lists have expired.
const COMPACTION_MS = 5 * 60 * 1000;

/** Starts a cluster of a minor of Kubernetes with the Nodes that the suite expects. */
export async function startConformanceCluster(minor) {
  const cluster = createEmbeddedCluster({
    kubernetesVersion: minor,
    workloadSimulation: true,
    enableAdmissionPlugins: ["ServiceAccount"],
    serviceAccountTokens: { keys: { signingKey } },
    // A spec reads Kubernetes' own descriptions, which `scaffold k8s-docs` caches.
    descriptions: async () => await readDescriptions(),
  });
  defineImages(cluster.images);
  const { config } = await cluster.listen({ tls: true, advertiseAddress: SERVER_ADDRESS });
  const { transport, credentials } = cluster.config;
  const response = await transport(
    new Request("http://in.process/api/v1/nodes", {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${credentials.token}` },
      body: JSON.stringify(SECOND_NODE),
    }),
  );
  if (!response.ok) throw new Error(`cannot create a Node: ${await response.text()}`);
  const compaction = setInterval(() => cluster.server.faults.expireHistory(), COMPACTION_MS).unref();
  return {
    kubeconfig: kubeconfigOf(config),
    close: async () => {
      clearInterval(compaction);
      await cluster.close();
    },
  };
}
