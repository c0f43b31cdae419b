import { generateKeyPairSync } from "node:crypto";
import { access, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { createCertificateAuthority } from "@kubescaffold/cluster";
import type { RestConfig } from "@kubescaffold/k8s";
import { ConfigMap, Namespace, ServiceAccount } from "@kubescaffold/k8s/core/v1";
import { createClient, createToken } from "@kubescaffold/runtime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { probeServer } from "../../src/eventually/wait-until.ts";
import { startKubeApiServerStandIn } from "../../src/kube-apiserver/server.ts";

let folder: string;
const cleanUps: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "kubescaffold-server-"));
});
afterEach(async () => {
  for (const work of cleanUps.splice(0).toReversed()) await work();
  await rm(folder, { recursive: true, force: true });
});

async function file(name: string, text: string): Promise<string> {
  await writeFile(path.join(folder, name), text);
  return path.join(folder, name);
}

async function start(...args: readonly string[]): Promise<string> {
  const server = await startKubeApiServerStandIn(["--secure-port=0", ...args]);
  cleanUps.push(() => server.stop());
  return server.url;
}

const withToken = async (server: string, token: string): Promise<RestConfig> => ({
  server,
  credentials: { kind: "token", token },
  tls: { ca: await readFile(path.join(folder, "certs", "apiserver.crt"), "utf8") },
});

const WEBHOOK = `
apiVersion: v1
kind: Config
clusters: [{ name: webhook, cluster: { server: "http://127.0.0.1:1" } }]
contexts: [{ name: webhook, context: { cluster: webhook } }]
current-context: webhook
`;

const AUDIT_POLICY = "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: Metadata }]\n";

describe("the embedded API server with flags of kube-apiserver", () => {
  it("creates a certificate that clients can use as their CA, and uses it again", async () => {
    const args = [
      `--cert-dir=${path.join(folder, "certs")}`,
      `--token-auth-file=${await file("tokens", 'x,admin,1,"system:masters"\n')}`,
      "--authorization-mode=RBAC",
    ];
    const first = await withToken(await start(...args), "x");
    expect(await probeServer(first, "/readyz")).toBe("ok");
    const second = await withToken(await start(...args), "x");
    expect(second.tls).toEqual(first.tls);
    expect((await createClient(second).get(Namespace, { name: "default" })).status?.phase).toBe("Active");
  });

  it("accepts client certificates of the given authority, and users of the token file, with RBAC", async () => {
    const users = await createCertificateAuthority("users");
    const serving = await createCertificateAuthority("serving");
    const pair = await serving.issueServer({ dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] });
    const server = await start(
      `--tls-cert-file=${await file("tls.crt", pair.cert)}`,
      `--tls-private-key-file=${await file("tls.key", pair.key)}`,
      `--client-ca-file=${await file("ca.crt", users.cert)}`,
      `--token-auth-file=${await file("tokens", "x,bob,2\n")}`,
      "--authorization-mode=RBAC",
    );
    const admin = await users.issueClient({ user: "ann", groups: ["system:masters"] });
    const tls = { ca: serving.cert };
    const object = ConfigMap.create({ metadata: { name: "a", namespace: "default" } });
    const anonymous = { kind: "anonymous" } as const;
    expect(
      (await createClient({ server, credentials: anonymous, tls: { ...tls, ...admin } }).create(object)).metadata?.name,
    ).toBe("a");
    const bob = createClient({ server, credentials: { kind: "token", token: "x" }, tls });
    await expect(bob.get(ConfigMap, { namespace: "default", name: "a" })).rejects.toThrow(
      'User "bob" cannot get resource',
    );
    const stranger = await (await createCertificateAuthority("others")).issueClient({ user: "eve" });
    await expect(
      createClient({ server, credentials: anonymous, tls: { ...tls, ...stranger } }).get(ConfigMap, {
        namespace: "default",
        name: "a",
      }),
    ).rejects.toThrow("Unauthorized");
  });

  it("signs service account tokens with the key and the issuer of the flags", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", {
      modulusLength: 2048,
      privateKeyEncoding: { type: "pkcs1", format: "pem" },
      publicKeyEncoding: { type: "spki", format: "pem" },
    });
    const args = [
      `--cert-dir=${path.join(folder, "certs")}`,
      `--token-auth-file=${await file("tokens", 'x,admin,1,"system:masters"\n')}`,
      `--service-account-signing-key-file=${await file("sa.key", privateKey)}`,
      `--service-account-key-file=${await file("sa.pub", publicKey)}`,
      "--service-account-issuer=https://issuer.test",
      "--authorization-mode=RBAC",
    ];
    const config = await withToken(await start(...args), "x");
    const client = createClient(config);
    await client.create(ServiceAccount.create({ metadata: { name: "robot", namespace: "default" } }));
    const token =
      (await createToken(client, { namespace: "default", name: "robot" }, { audiences: [] })).status?.token ?? "";
    const [header = "", payload = ""] = token.split(".").map((part) => Buffer.from(part, "base64url").toString());
    expect(JSON.parse(header)).toMatchObject({ alg: "RS256" });
    expect(JSON.parse(payload)).toMatchObject({ iss: "https://issuer.test", aud: ["https://issuer.test"] });
    await expect(
      createClient({ ...config, credentials: { kind: "token", token } }).get(ConfigMap, {
        namespace: "default",
        name: "a",
      }),
    ).rejects.toThrow('User "system:serviceaccount:default:robot" cannot get');
  });

  it.each([
    [["--authorization-mode=Webhook"], "cannot use --authorization-mode=Webhook"],
    [["--tls-cert-file=x"], "--tls-cert-file and --tls-private-key-file need each other"],
    [["--client-ca-file=/nonexistent"], "cannot read the file of --client-ca-file"],
    [["--audit-policy-file=/nonexistent"], "cannot read the file of --audit-policy-file"],
    [["--runtime-config=api/all=true"], "cannot use --runtime-config=api/all=true"],
    [["--runtime-config=batch/v2alpha1=true"], "the embedded API server does not have batch/v2alpha1"],
    [["--runtime-config=apps/v1=false"], "the embedded API server always has apps/v1"],
    [["--runtime-config=batch/v1beta1=true"], "does not have batch/v1beta1"],
    ...["", ",admissionregistration.k8s.io/v1alpha1=true"].map((versions): [string[], string] => [
      ["--kubernetes=1.35", "--feature-gates=MutatingAdmissionPolicy=true", `--runtime-config=apps/v1=true${versions}`],
      "without the API admissionregistration.k8s.io/v1beta1 of the policies",
    ]),
    [["--tls-min-version=VersionTLS10"], "not VersionTLS12 or VersionTLS13"],
    [["--secure-port=70000"], 'invalid value "70000" for flag --secure-port: not a port'],
    [["--request-timeout=soon"], "not a duration such as 60s"],
    [["--service-node-port-range=80-"], 'invalid value "80-" for flag --service-node-port-range: not a range of ports'],
    [["--service-node-port-range=90-80"], "not a range of ports such as 30000-32767"],
    [["--service-cluster-ip-range=10.0.0.0"], 'cannot use "10.0.0.0" as a range of Service addresses'],
    [["--service-account-lookup=false"], "always looks up service accounts"],
  ])("%j fails", async (args, message) => {
    await expect(startKubeApiServerStandIn(args)).rejects.toThrow(message);
  });

  it("events for an audit webhook that cannot be reached are reported with its address", async () => {
    const policy = await file("audit.yaml", AUDIT_POLICY);
    const reports: string[] = [];
    const write = vi.spyOn(process.stderr, "write").mockImplementation((text) => reports.push(String(text)) > 0);
    cleanUps.push(async () => write.mockRestore());
    const server = await startKubeApiServerStandIn([
      "--secure-port=0",
      `--cert-dir=${path.join(folder, "certs")}`,
      `--audit-policy-file=${policy}`,
      `--audit-webhook-config-file=${await file("webhook.yaml", WEBHOOK)}`,
      "--audit-webhook-initial-backoff=1ms",
    ]);
    await probeServer(await withToken(server.url, "x"), "/readyz").catch(() => undefined);
    await server.stop();
    expect(reports.join("")).toMatch(
      /^cannot send \d+ audit events?: cannot reach the webhook at http:\/\/127\.0\.0\.1:1: /,
    );
  });

  it("a refused flag leaves no certificate behind", async () => {
    const directory = path.join(folder, "certificates");
    for (const flag of [
      "--service-cluster-ip-range=10.0.0.0/24,10.1.0.0/24",
      "--service-node-port-range=90-80",
      "--runtime-config=batch/v2alpha1=true",
      "--secure-port=70000",
    ]) {
      await expect(startKubeApiServerStandIn([`--cert-dir=${directory}`, flag])).rejects.toThrow(
        /^(?:cannot use|invalid value) /u,
      );
      await expect(access(directory)).rejects.toThrow("ENOENT");
    }
  });

  it.each([
    ["a missing file", undefined, [], "cannot read the file of --audit-webhook-config-file"],
    ["a file that is no kubeconfig", "[1]", [], "cannot use the file of --audit-webhook-config-file: "],
    ["a kubeconfig without a cluster", "{}", [], "cannot use the file of --audit-webhook-config-file: "],
    ["an unknown mode", WEBHOOK, ["--audit-webhook-mode=later"], 'invalid value "later" for flag --audit-webhook-mode'],
    ["an unknown version", WEBHOOK, ["--audit-webhook-version=audit.k8s.io/v2"], "not audit.k8s.io/v1"],
    ["no events in a batch", WEBHOOK, ["--audit-webhook-batch-max-size=0"], "not a positive number"],
    ["a negative rate", WEBHOOK, ["--audit-webhook-batch-throttle-qps=-1"], "not a positive number"],
    ["no duration", WEBHOOK, ["--audit-webhook-initial-backoff=1"], "not a duration such as 60s"],
  ])("an audit webhook with %s fails", async (_what, text, args, message) => {
    const policy = await file("audit.yaml", AUDIT_POLICY);
    const config = text === undefined ? "/nonexistent" : await file("webhook.yaml", text);
    const flags = [`--audit-policy-file=${policy}`, `--audit-webhook-config-file=${config}`, ...args];
    await expect(startKubeApiServerStandIn(flags)).rejects.toThrow(message);
  });

  it("a file that is not YAML fails at its position, and one in the place of a folder with the reason", async () => {
    const broken = await file("policy.yaml", "a: [b");
    await expect(startKubeApiServerStandIn([`--audit-policy-file=${broken}`])).rejects.toMatchObject({
      message: expect.stringContaining(`cannot use the file of --audit-policy-file: ${broken}:1:`),
      hint: "fix the YAML at this position",
    });
    for (const directory of [`${broken}/certificates`, "/proc/certificates"])
      await expect(startKubeApiServerStandIn([`--cert-dir=${directory}`])).rejects.toMatchObject({
        message: expect.stringContaining("cannot write the serving certificate: "),
        hint: expect.stringContaining("--cert-dir"),
      });
  });
});
