import { X509Certificate } from "node:crypto";

import { objectOf, type Json, type KubeObject, type Row, type RowContext } from "../row.ts";
import { kubectlIn } from "./kubectl.ts";

const SIGNING = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const CLIENT = "kubernetes.io/kube-apiserver-client";
const KUBELET_CLIENT = "kubernetes.io/kube-apiserver-client-kubelet";
const KUBELET_SERVING = "kubernetes.io/kubelet-serving";

export const CERTIFICATE_ROWS: readonly Row[] = [
  {
    row: 344,
    title: "approved certificate signing requests are signed, or fail, by the rules of their signer",
    needs: ["controllers", "kubectl"],
    run: async (tools) => {
      const { kubectl } = await kubectlIn(tools);
      const approve = async (name: string): Promise<void> =>
        await kubectl(`approve ${name}`, "certificate", "approve", nameOf(tools, name));
      await request(tools, "client", { signerName: CLIENT, usages: ["digital signature", "client auth"] });
      await approve("client");
      await noteCertificate(tools, "client");
      for (const expirationSeconds of [600, 3600, 36_000, 100_000_000]) {
        const name = `client-${String(expirationSeconds)}`;
        await request(tools, name, { signerName: CLIENT, usages: ["client auth"], expirationSeconds }, "client");
        await approve(name);
        await noteCertificate(tools, name);
      }
      await request(tools, "wrong-usage", { signerName: CLIENT, usages: ["server auth"] }, "client");
      await request(tools, "missing-usage", { signerName: CLIENT, usages: ["digital signature"] }, "client");
      await request(tools, "wrong-kubelet", { signerName: KUBELET_CLIENT, usages: ["client auth"] }, "client");
      await request(tools, "wrong-usages", { signerName: KUBELET_CLIENT, usages: ["client auth"] }, "node");
      await request(tools, "wrong-names", { signerName: KUBELET_CLIENT, usages: CLIENT_USAGES }, "serving");
      await request(tools, "no-names", { signerName: KUBELET_SERVING, usages: SERVING_USAGES }, "node");
      for (const name of ["wrong-usage", "missing-usage", "wrong-kubelet", "wrong-usages", "wrong-names", "no-names"]) {
        await approve(name);
        await noteStatus(tools, name, "Failed");
      }
      await request(tools, "serving", { signerName: KUBELET_SERVING, usages: SERVING_USAGES });
      await approve("serving");
      await noteCertificate(tools, "serving");
      await noteApprovals(tools);
    },
  },
];

const CLIENT_USAGES = ["digital signature", "key encipherment", "client auth"];
const SERVING_USAGES = ["digital signature", "key encipherment", "server auth"];

// Users that may do everything are kubelets as far as approvals go.
async function noteApprovals(tools: RowContext): Promise<void> {
  const { quietly, cleanUp, namespace } = tools;
  const bindings = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
  const user = { apiGroup: "rbac.authorization.k8s.io", kind: "User" };
  const body = {
    metadata: { name: namespace },
    roleRef: { apiGroup: user.apiGroup, kind: "ClusterRole", name: "cluster-admin" },
    subjects: ["system:node:row-344", "row-344-bootstrap"].map((name) => ({ ...user, name })),
  };
  cleanUp(async () => await quietly({ method: "DELETE", path: `${bindings}/${namespace}` }));
  await quietly({ method: "POST", path: bindings, body });
  const spec = { signerName: KUBELET_CLIENT, usages: CLIENT_USAGES };
  for (const [name, impersonated] of [
    ["self", "system:node:row-344"],
    ["bootstrap", "row-344-bootstrap"],
  ] as const) {
    await request(tools, name, spec, "node", { "impersonate-user": impersonated });
    await noteCertificate(tools, name);
    await noteStatus(tools, name, "Approved");
  }
}

const nameOf = ({ namespace }: RowContext, name: string): string => `${namespace}-${name}`;

async function request(
  tools: RowContext,
  name: string,
  spec: Json,
  subject: string = name,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { quietly, cleanUp } = tools;
  const path = `${SIGNING}/${nameOf(tools, name)}`;
  cleanUp(async () => await quietly({ method: "DELETE", path }));
  const pem = `${(REQUESTS[subject] ?? []).join("\n")}\n`;
  const body = {
    metadata: { name: nameOf(tools, name) },
    spec: { request: Buffer.from(pem).toString("base64"), ...spec },
  };
  await quietly({ method: "POST", path: SIGNING, body, headers });
}

async function noteCertificate(tools: RowContext, name: string): Promise<void> {
  const answer = await tools.eventually(
    { path: `${SIGNING}/${nameOf(tools, name)}` },
    (each) => objectOf(each).status?.["certificate"] !== undefined,
  );
  const pem = Buffer.from(String(objectOf(answer).status?.["certificate"]), "base64").toString();
  const { subject, keyUsage, subjectAltName, ca, validFrom, validTo } = new X509Certificate(pem);
  const validSeconds = (Date.parse(validTo) - Date.parse(validFrom)) / 1000;
  tools.note(`the certificate of ${name}`, {
    subject,
    keyUsage,
    subjectAltName: subjectAltName ?? null,
    ca,
    validSeconds,
  });
}

async function noteStatus(tools: RowContext, name: string, type: string): Promise<void> {
  const conditionsOf = ({ status }: KubeObject): readonly Json[] => (status?.["conditions"] ?? []) as readonly Json[];
  const answer = await tools.eventually({ path: `${SIGNING}/${nameOf(tools, name)}` }, (each) =>
    conditionsOf(objectOf(each)).some((condition) => condition["type"] === type),
  );
  tools.note(`the conditions of ${name}`, conditionsOf(objectOf(answer)));
}

// Their keys are not kept.
// cspell:disable
const REQUESTS: Readonly<Record<string, readonly string[]>> = {
  // O = group-a and group-b, CN = row-344-user.
  client: [
    "-----BEGIN CERTIFICATE REQUEST-----",
    "MIH2MIGdAgEAMDsxEDAOBgNVBAoMB2dyb3VwLWExEDAOBgNVBAoMB2dyb3VwLWIx",
    "FTATBgNVBAMMDHJvdy0zNDQtdXNlcjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA",
    "BPieJmBJmAl5Tr2s5V5lX+lXpa3mt3a0XLOh0bMOaTQN2uLANq0WvoakVpF6ZMJh",
    "F9DUeHRTX6l0jbrIFKkQKSigADAKBggqhkjOPQQDAgNIADBFAiAH+1zNmUkO85uh",
    "308y1nU/dZFlza4j9hnoKgdIdG+woAIhAIBMUtbg0pUeM/yFR7n94IoOj/C6FzXa",
    "PKoawXdBMgsN",
    "-----END CERTIFICATE REQUEST-----",
  ],
  // O = system:nodes, CN = system:node:row-344.
  node: [
    "-----BEGIN CERTIFICATE REQUEST-----",
    "MIHwMIGXAgEAMDUxFTATBgNVBAoMDHN5c3RlbTpub2RlczEcMBoGA1UEAwwTc3lz",
    "dGVtOm5vZGU6cm93LTM0NDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABOBMLXil",
    "LYq3Cq9oHdrP+MTpmjz2+o7X6y5YjwyECo8DkFwps0pTEY/cPLe0r/pVZ62i/4a2",
    "qvW/c3E2SoOjTVmgADAKBggqhkjOPQQDAgNIADBFAiA9m5OiWmSsQl1Q6grmvjIB",
    "tHkHJNsZNeS7XiA6bnMdGwIhANa5yW94ji3tKTHvirCndinegF6xjbIEieAuSNxm",
    "miUa",
    "-----END CERTIFICATE REQUEST-----",
  ],
  // The same with the names row-344.example.com and 10.1.2.3.
  serving: [
    "-----BEGIN CERTIFICATE REQUEST-----",
    "MIIBKDCBzgIBADA1MRUwEwYDVQQKDAxzeXN0ZW06bm9kZXMxHDAaBgNVBAMME3N5",
    "c3RlbTpub2RlOnJvdy0zNDQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASGAVCM",
    "Z5PRNwNVBr/VMQzlho5uNQ2l8GTR51V8AHso5gQMH+8dfXHMWCdQMA7hsw+A/Sn5",
    "ARo5fy1a4iu/OnkUoDcwNQYJKoZIhvcNAQkOMSgwJjAkBgNVHREEHTAbghNyb3ct",
    "MzQ0LmV4YW1wbGUuY29thwQKAQIDMAoGCCqGSM49BAMCA0kAMEYCIQDggEgVqIpC",
    "YGhfl1rTZgdsB0MVdewYN5uwUlMaa7SPrgIhALYw0xszGp+nMSNH0E7S2k++WEO0",
    "NSKHlBvnz/fb+8Vh",
    "-----END CERTIFICATE REQUEST-----",
  ],
};
