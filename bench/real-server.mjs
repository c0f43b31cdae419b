// Starts etcd and kube-apiserver from local programs, with no more than they need to become ready.
import { spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { performance } from "node:perf_hooks";

import { resolveAsset } from "@kubescaffold/envtest";

import { inTemporaryFolder } from "./places.mjs";
import { untilReady } from "./ready.mjs";

/** Returns the programs that are needed, or nothing where one is missing. */
export async function findRealServer() {
  try {
    return { etcd: await resolveAsset("etcd"), apiServer: await resolveAsset("kube-apiserver") };
  } catch {
    return undefined;
  }
}

/** Returns how long it takes from the start of etcd until kube-apiserver is ready. */
export function timeRealServer({ etcd, apiServer }) {
  return inTemporaryFolder(async (folder) => {
    const [clientPort, peerPort, port] = await freePorts(3);
    const keyFile = path.join(folder, "service-account.pem");
    writeFileSync(keyFile, signingKey());
    const etcdUrl = `http://127.0.0.1:${String(clientPort)}`;
    const running = [];
    try {
      const start = performance.now();
      running.push(startQuietly(etcd, etcdArguments({ folder, etcdUrl, peerPort })));
      await untilReady({ server: etcdUrl }, "/health");
      running.push(startQuietly(apiServer, apiServerArguments({ folder, etcdUrl, port, keyFile })));
      await untilReady({ server: `https://127.0.0.1:${String(port)}` });
      return performance.now() - start;
    } finally {
      for (const child of running.reverse()) await stop(child);
    }
  });
}

function etcdArguments({ folder, etcdUrl, peerPort }) {
  const peerUrl = `http://127.0.0.1:${String(peerPort)}`;
  return [
    `--data-dir=${path.join(folder, "etcd")}`,
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
    "--unsafe-no-fsync",
  ];
}

function apiServerArguments({ folder, etcdUrl, port, keyFile }) {
  return [
    `--etcd-servers=${etcdUrl}`,
    `--cert-dir=${path.join(folder, "certificates")}`,
    "--bind-address=127.0.0.1",
    `--secure-port=${String(port)}`,
    "--service-cluster-ip-range=10.0.0.0/24",
    "--service-account-issuer=https://127.0.0.1",
    `--service-account-key-file=${keyFile}`,
    `--service-account-signing-key-file=${keyFile}`,
    "--authorization-mode=RBAC",
  ];
}

function signingKey() {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return privateKey.export({ type: "pkcs1", format: "pem" });
}

function startQuietly(file, args) {
  return spawn(file, args, { stdio: "ignore" });
}

async function stop(child) {
  if (child.exitCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
