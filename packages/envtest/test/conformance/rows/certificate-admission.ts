import { objectOf, type Call, type Json, type Row, type RowContext } from "../row.ts";

const SIGNING = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const SIGNER = "example.com/one";

export const CERTIFICATE_ADMISSION_ROWS: readonly Row[] = [
  {
    row: 407,
    title:
      "approving and signing certificate requests needs rights for their signer, and no client is an administrator",
    run: async (tools) => {
      const { quietly, note, namespace } = tools;
      await prepare(tools);
      const path = `${SIGNING}/${namespace}`;
      const stored = objectOf(await quietly({ path }));
      const approved = { type: "Approved", status: "True", reason: "Row", message: "row" };
      const put = (subresource: string, status: Json): Call => ({
        method: "PUT",
        path: `${path}/${subresource}?dryRun=All`,
        body: { ...stored, status },
      });
      const calls: Readonly<Record<string, Call>> = {
        approve: put("approval", { conditions: [approved] }),
        "approve without a change": put("approval", {}),
        fail: put("status", { conditions: [{ ...approved, type: "Failed" }] }),
        "status without a change": put("status", {}),
      };
      for (const user of ["none", "one", "wild", "other"]) {
        for (const [step, call] of Object.entries(calls)) {
          const answer = await quietly({ ...call, headers: { "impersonate-user": `row-407-${user}` } });
          const { message, reason } = answer.body as Readonly<Record<string, unknown>>;
          note(`${user}: ${step}`, { status: answer.status, ...(answer.status < 400 ? {} : { message, reason }) });
        }
      }
      for (const [step, subject, signerName] of [
        ["an administrator", "admin", "kubernetes.io/kube-apiserver-client"],
        ["a user", "user", "kubernetes.io/kube-apiserver-client"],
        ["an administrator of another signer", "admin", SIGNER],
      ] as const) {
        const body = requestOf(`${namespace}-${subject}`, subject, signerName);
        const answer = await quietly({ method: "POST", path: `${SIGNING}?dryRun=All`, body });
        note(step, { status: answer.status, ...(answer.status < 400 ? {} : { body: answer.body }) });
      }
    },
  },
];

async function prepare({ namespace, quietly, eventually, cleanUp }: RowContext): Promise<void> {
  cleanUp(async () => await quietly({ method: "DELETE", path: `${SIGNING}/${namespace}` }));
  await quietly({ method: "POST", path: SIGNING, body: requestOf(namespace, "user", SIGNER) });
  const write = { apiGroups: ["certificates.k8s.io"], resources: ["certificatesigningrequests/*"], verbs: ["update"] };
  const read = { apiGroups: ["certificates.k8s.io"], resources: ["certificatesigningrequests"], verbs: ["get"] };
  const signer = (name: string): Json => ({
    apiGroups: ["certificates.k8s.io"],
    resources: ["signers"],
    resourceNames: [name],
    verbs: ["approve", "sign"],
  });
  const roles: Readonly<Record<string, readonly Json[]>> = {
    none: [write, read],
    one: [write, read, signer(SIGNER)],
    wild: [write, read, signer("example.com/*")],
    other: [write, read, signer("example.com/two")],
  };
  const apiGroup = "rbac.authorization.k8s.io";
  for (const [user, rules] of Object.entries(roles)) {
    const name = `row-407-${user}`;
    for (const kind of ["clusterroles", "clusterrolebindings"])
      cleanUp(async () => await quietly({ method: "DELETE", path: `${RBAC}/${kind}/${name}` }));
    await quietly({ method: "POST", path: `${RBAC}/clusterroles`, body: { metadata: { name }, rules } });
    const subjects = [{ apiGroup, kind: "User", name }];
    const roleRef = { apiGroup, kind: "ClusterRole", name };
    await quietly({
      method: "POST",
      path: `${RBAC}/clusterrolebindings`,
      body: { metadata: { name }, roleRef, subjects },
    });
    await eventually(
      { path: `${SIGNING}/${namespace}`, headers: { "impersonate-user": name } },
      ({ status }) => status === 200,
    );
  }
}

function requestOf(name: string, subject: "admin" | "user", signerName: string): Json {
  const request = Buffer.from(`${REQUESTS[subject].join("\n")}\n`).toString("base64");
  return {
    apiVersion: "certificates.k8s.io/v1",
    kind: "CertificateSigningRequest",
    metadata: { name },
    spec: { request, signerName, usages: ["client auth"] },
  };
}

// Their keys are not kept.
// cspell:disable
const REQUESTS = {
  // O = system:masters, CN = row-407-admin.
  admin: [
    "-----BEGIN CERTIFICATE REQUEST-----",
    "MIHrMIGTAgEAMDExFzAVBgNVBAoMDnN5c3RlbTptYXN0ZXJzMRYwFAYDVQQDDA1y",
    "b3ctNDA3LWFkbWluMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaRNTpsnhZL1q",
    "uH+B/mzCLMdiAcB6zdoabHK+EyoBE5Q76eerRF3Lw22vyVBxGX8rvcdeNE72aqOB",
    "8IBOQ+VfgqAAMAoGCCqGSM49BAMCA0cAMEQCH2TC965978fMMHwy5q+Rg5uhzvhe",
    "7yh+KQe3RC352DACIQCLTQMjBevjpadnV4zIFXq6+1SE7J/ejWK4efNE8RNt1Q==",
    "-----END CERTIFICATE REQUEST-----",
  ],
  // O = users, CN = row-407-user.
  user: [
    "-----BEGIN CERTIFICATE REQUEST-----",
    "MIHiMIGJAgEAMCcxDjAMBgNVBAoMBXVzZXJzMRUwEwYDVQQDDAxyb3ctNDA3LXVz",
    "ZXIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQqDECg5saa2MfhlWyn45atxiiJ",
    "CY9c8MBsznn3WAtb+sDUy5bfi9pvzcog9pGALEX2E2fOGZsUp+03UbZ63wq4oAAw",
    "CgYIKoZIzj0EAwIDSAAwRQIgDLObnuQPN4vm62RJehDdOuQtQbMv0kaS9PIwIyQh",
    "DZYCIQDF3ChDWjkpaenHUzpIquIvqJA23gR7pH4rBXXOIVXyJA==",
    "-----END CERTIFICATE REQUEST-----",
  ],
} as const;
