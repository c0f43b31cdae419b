import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import type { RestConfig } from "@kubescaffold/k8s";

import { kubeconfigOf } from "../../packages/envtest/src/control-plane/kubeconfig.ts";
import {
  type ManagedProcess,
  startEtcd,
  startProcess,
  waitUntilReady,
} from "../../packages/envtest/src/control-plane/managed-process.ts";
import { probeServer } from "../../packages/envtest/src/eventually/wait-until.ts";
import { NODE_ADDRESS, NODE_NAME, SERVER } from "./addresses.ts";
import { clientCertificate } from "./client-certificate.ts";

const START_TIMEOUT_MS = 180_000;

/** The control plane of a node. */
export interface NodeControlPlane {
  readonly processes: readonly ManagedProcess[];
  readonly config: RestConfig;
  /** The kubeconfig of the administrator. */
  readonly kubeconfig: string;
  /** The kubeconfig of the kubelet. */
  readonly kubeletKubeconfig: string;
  /** The authority of the certificate with which kube-apiserver calls the kubelet. */
  readonly kubeletClientCa: string;
}

/** Starts etcd, kube-apiserver, kube-controller-manager, and kube-scheduler. Fails: ControlPlaneStartError. */
export async function startNodeControlPlane(programs: string, folder: string): Promise<NodeControlPlane> {
  mkdirSync(folder, { recursive: true });
  const tokens = { admin: randomBytes(24).toString("hex"), kubelet: randomBytes(24).toString("hex") };
  const kubeletClient = await clientCertificate("kube-apiserver-kubelet-client", "system:masters");
  const file = (name: string, content: string): string => {
    const target = path.join(folder, name);
    writeFileSync(target, content, { mode: 0o600 });
    return target;
  };
  const files = {
    tokens: file(
      "tokens.csv",
      `${tokens.admin},admin,admin,"system:masters"\n${tokens.kubelet},system:node:${NODE_NAME},kubelet,"system:nodes"\n`,
    ),
    serviceAccountKey: file("service-account.key", serviceAccountKey()),
    kubeletClientCert: file("kubelet-client.crt", kubeletClient.cert),
    kubeletClientKey: file("kubelet-client.key", kubeletClient.key),
    serving: path.join(folder, "apiserver.crt"),
  };
  const etcd = await startEtcd({
    file: path.join(programs, "etcd"),
    dataDirectory: path.join(folder, "etcd"),
    extraArgs: [],
    startTimeoutMs: START_TIMEOUT_MS,
  });
  const apiServer = startProcess({
    name: "kube-apiserver",
    file: path.join(programs, "kube-apiserver"),
    args: apiServerArgs(etcd.url, folder, files),
  });
  await waitUntilReady(apiServer, async () => await isReady(files.serving), START_TIMEOUT_MS);
  const ca = readFileSync(files.serving, "utf8");
  const config: RestConfig = { server: SERVER, credentials: { kind: "token", token: tokens.admin }, tls: { ca } };
  const kubeconfig = file("admin.kubeconfig", kubeconfigOf(config));
  const kubeletConfig: RestConfig = { ...config, credentials: { kind: "token", token: tokens.kubelet } };
  const controllers = startProcess({
    name: "kube-controller-manager",
    file: path.join(programs, "kube-controller-manager"),
    args: [
      `--kubeconfig=${kubeconfig}`,
      "--leader-elect=false",
      "--secure-port=0",
      // The kubelet of a busy machine renews its Lease late.
      "--node-monitor-grace-period=10m",
      "--use-service-account-credentials=true",
      `--service-account-private-key-file=${files.serviceAccountKey}`,
      `--root-ca-file=${files.serving}`,
    ],
  });
  const scheduler = startProcess({
    name: "kube-scheduler",
    file: path.join(programs, "kube-scheduler"),
    args: [`--kubeconfig=${kubeconfig}`, "--leader-elect=false", "--secure-port=0"],
  });
  return {
    processes: [etcd.process, apiServer, controllers, scheduler],
    config,
    kubeconfig,
    kubeletKubeconfig: file("kubelet.kubeconfig", kubeconfigOf(kubeletConfig)),
    kubeletClientCa: files.kubeletClientCert,
  };
}

interface ServerFiles {
  readonly tokens: string;
  readonly serviceAccountKey: string;
  readonly kubeletClientCert: string;
  readonly kubeletClientKey: string;
}

function apiServerArgs(etcdUrl: string, folder: string, files: ServerFiles): readonly string[] {
  return [
    `--etcd-servers=${etcdUrl}`,
    "--bind-address=0.0.0.0",
    `--advertise-address=${NODE_ADDRESS}`,
    "--secure-port=6443",
    `--cert-dir=${folder}`,
    `--token-auth-file=${files.tokens}`,
    "--authorization-mode=Node,RBAC",
    "--enable-admission-plugins=NodeRestriction",
    "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
    `--service-account-key-file=${files.serviceAccountKey}`,
    `--service-account-signing-key-file=${files.serviceAccountKey}`,
    "--service-cluster-ip-range=10.0.0.0/24",
    // Resolves the Services of webhooks to endpoints, in place of kube-proxy and DNS.
    "--enable-aggregator-routing=true",
    `--kubelet-client-certificate=${files.kubeletClientCert}`,
    `--kubelet-client-key=${files.kubeletClientKey}`,
    "--kubelet-preferred-address-types=InternalIP",
    "--allow-privileged=true",
  ];
}

async function isReady(servingFile: string): Promise<boolean> {
  try {
    const ca = readFileSync(servingFile, "utf8");
    return (await probeServer({ server: SERVER, tls: { ca } }, "/readyz")) === "ok";
  } catch {
    return false;
  }
}

function serviceAccountKey(): string {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return privateKey.export({ type: "pkcs1", format: "pem" }).toString();
}
