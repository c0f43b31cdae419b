// The API server of a soak, in its own process: `node --expose-gc server.mjs embedded|real`, started with fork. Sends the config of an administrator.
import process from "node:process";

import { createEmbeddedCluster } from "@kubescaffold/cluster";
import { Environment } from "@kubescaffold/envtest";

import { answerParent } from "./child.mjs";
import { memory } from "./memory.mjs";

const { config, stop } = process.argv[2] === "real" ? await startReal() : await startEmbedded();
answerParent({ ready: config, requests: { memory, stop } });
process.on("disconnect", () => void stop());

async function startEmbedded() {
  // The history is full after a minute, so that it does not grow afterwards.
  const cluster = createEmbeddedCluster({ historyLimit: 1000 });
  const { config: reachable } = await cluster.listen();
  return { config: reachable, stop: () => cluster.close() };
}

// The memory of this process says nothing about its children, etcd and kube-apiserver.
async function startReal() {
  const environment = new Environment({ backend: "binaries" });
  return { config: await environment.start(), stop: () => environment.stop() };
}
