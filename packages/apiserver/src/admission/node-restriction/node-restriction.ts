import { messageOf } from "@kubescaffold/k8s";

import { type AdmissionPlugin, refusal } from "../../pipeline/extension-points.ts";
import type { ServerContext } from "../../pipeline/server-context.ts";
import { KUBELET_PREFIX, nodeOfKubelet } from "../../request/kubelet-names.ts";
import { admitClaimStatus, admitNode } from "./node-objects.ts";
import { admitPod, admitPodEviction, admitPodStatus } from "./node-pods.ts";
import { admitToken } from "./node-tokens.ts";
import type { NodeWrite } from "./node-write.ts";

const LEASE_NAMESPACE = "kube-node-lease";

/** Reads the common name of a certificate request, which is PEM in base64. Fails: when it cannot be read. */
export type ReadCommonName = (request: string) => Promise<string>;

/** Restricts kubelets to their own Node, its Pods, and what these need. */
export function nodeRestriction(context: ServerContext, readCommonName: ReadCommonName): AdmissionPlugin {
  return {
    name: "NodeRestriction",
    mutate: async (attributes) => {
      const node = nodeOfKubelet(attributes.user);
      if (node === undefined || attributes.operation === "CONNECT") return undefined;
      if (node === "") {
        throw refusal(attributes, `could not determine node from user ${JSON.stringify(attributes.user.name)}`);
      }
      await admit({ context, attributes, node }, readCommonName);
      return undefined;
    },
  };
}

async function admit(write: NodeWrite, readCommonName: ReadCommonName): Promise<void> {
  const { group, resource } = write.attributes.resource;
  switch (group === "" ? resource : `${resource}.${group}`) {
    case "pods":
      return admitPodRequest(write);
    case "nodes":
      return admitNode(write);
    case "persistentvolumeclaims":
      return admitClaimStatus(write);
    case "serviceaccounts":
      return await admitToken(write);
    case "leases.coordination.k8s.io":
      return admitLease(write);
    case "csinodes.storage.k8s.io":
      return admitOwnName(write, "can only access CSINode with the same name as the requesting node");
    case "resourceslices.resource.k8s.io":
      return admitSlice(write);
    case "podcertificaterequests.certificates.k8s.io":
      throw refusal(write.attributes, "PodCertificateRequest feature gate is disabled");
    case "certificatesigningrequests.certificates.k8s.io":
      return await admitCertificateRequest(write, readCommonName);
    default:
  }
}

function admitPodRequest(write: NodeWrite): void {
  const { subresource } = write.attributes;
  switch (subresource) {
    case "":
      return admitPod(write);
    case "status":
      return admitPodStatus(write);
    case "eviction":
      return admitPodEviction(write);
    default:
      throw refusal(
        write.attributes,
        `unexpected pod subresource ${JSON.stringify(subresource)}, only 'status' and 'eviction' are allowed`,
      );
  }
}

function admitLease(write: NodeWrite): void {
  const { attributes } = write;
  if (attributes.namespace !== LEASE_NAMESPACE) {
    throw refusal(attributes, `can only access leases in the ${JSON.stringify(LEASE_NAMESPACE)} system namespace`);
  }
  admitOwnName(write, "can only access node lease with the same name as the requesting node");
}

function admitOwnName({ attributes, node }: NodeWrite, message: string): void {
  const { operation, object, name } = attributes;
  const actual = operation === "CREATE" ? object?.metadata.name : name;
  if (actual !== node) throw refusal(attributes, message);
}

function admitSlice({ attributes, node }: NodeWrite): void {
  const { operation, object, oldObject } = attributes;
  if (operation === "UPDATE") return;
  const { nodeName } = ((operation === "CREATE" ? object : oldObject)?.["spec"] ?? {}) as {
    readonly nodeName?: string;
  };
  if (nodeName === node) return;
  const verb = operation === "CREATE" ? "create" : "delete";
  throw refusal(attributes, `can only ${verb} ResourceSlice with the same NodeName as the requesting node`);
}

const KUBELET_SIGNERS: ReadonlySet<string> = new Set([
  "kubernetes.io/kubelet-serving",
  "kubernetes.io/kube-apiserver-client-kubelet",
]);

async function admitCertificateRequest({ attributes, node }: NodeWrite, readCommonName: ReadCommonName): Promise<void> {
  const { operation, object } = attributes;
  const { signerName = "", request = "" } = (object?.["spec"] ?? {}) as Readonly<Record<string, string | undefined>>;
  if (operation !== "CREATE" || !KUBELET_SIGNERS.has(signerName)) return;
  const commonName = await readCommonName(request).catch((error: unknown) => {
    throw refusal(attributes, `unable to parse csr: ${messageOf(error)}`);
  });
  if (commonName === `${KUBELET_PREFIX}${node}`) return;
  throw refusal(attributes, `can only create a node CSR with CN=${KUBELET_PREFIX}${node}`);
}
