import { KUBERNETES_MINOR } from "@kubescaffold/k8s";

import type { Flag } from "../../../plugin/flag.ts";
import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";
import { KUBERNETES_FLAG, MINOR_RANGE } from "../../flags/kubernetes-flag.ts";

/** `scaffold apiserver`: the embedded API server with the flags of kube-apiserver. */
export const apiserverCommand: Command = defineCommand({
  path: ["apiserver"],
  worksAnywhere: true,
  summary: "Run the embedded API server with kube-apiserver's flags",
  description: [
    "Run an API server for tests in any language, in this process, with TLS, until it is interrupted. By default, it stores everything in memory, and runs no controllers.",
    "--kubernetes, or else the variable KUBESCAFFOLD_KUBERNETES_VERSION or the project of the current folder, selects the version.",
    "--controllers, --workloads, --images, --kubeconfig, --ready-file, --snapshot, and --save-snapshot add the rest of a cluster.",
    "The other flags are those of kube-apiserver. Flags that have no effect on this server are accepted; other flags that it does not simulate are refused.",
    "Clients need the kubeconfig of --kubeconfig, a token of --token-auth-file, or a certificate of --client-ca-file.",
  ].join("\n"),
  usage: "[flags]",
  examples: [
    "scaffold apiserver --secure-port=0 --workloads --kubeconfig=test.kubeconfig --ready-file=ready",
    "scaffold apiserver --kubernetes=1.37 --secure-port=0 --workloads --kubeconfig=test.kubeconfig --ready-file=ready",
    "scaffold apiserver --secure-port=6443 --cert-dir=certs --token-auth-file=tokens.csv --authorization-mode=RBAC",
  ],
  flags: [
    flag(KUBERNETES_FLAG, `minor version of Kubernetes: ${MINOR_RANGE}`, "string", KUBERNETES_MINOR),
    flag("controllers", "run the controllers of kube-controller-manager, and the scheduler", "boolean", "false"),
    flag("workloads", "simulate Nodes, and Pods that are ready at once; implies --controllers", "boolean", "false"),
    flag("images", "YAML file of the commands that images run; implies --workloads"),
    flag("kubeconfig", "file for an administrator's kubeconfig, removed at the end"),
    flag("ready-file", "file for the URL of the ready server, removed at the end"),
    flag("snapshot", "folder of a snapshot to start from, which stays unchanged"),
    flag("save-snapshot", "store all changes in the folder of --snapshot", "boolean", "false"),
    flag("admission-control-config-file", "AdmissionConfiguration; the configuration of PodSecurity is read"),
    flag("anonymous-auth", "allow requests without credentials", "boolean", "true"),
    flag("api-audiences", "audiences of the server", "list", "the issuers"),
    flag("audit-log-path", "file of the audit log; - is standard output"),
    flag("audit-policy-file", "policy of the audit log"),
    flag("audit-webhook-batch-buffer-size", "audit events that wait for a delayed batch", "integer", "10000"),
    flag("audit-webhook-batch-max-size", "audit events of a batch", "integer", "400"),
    flag("audit-webhook-batch-max-wait", "longest interval between two batches", "string", "30s"),
    flag("audit-webhook-batch-throttle-burst", "batches that are sent at once", "integer", "15"),
    flag("audit-webhook-batch-throttle-enable", "limit the rate of batches", "boolean", "true"),
    flag("audit-webhook-batch-throttle-qps", "batches a second", "string", "10"),
    flag("audit-webhook-config-file", "kubeconfig of the webhook for audit events"),
    flag("audit-webhook-initial-backoff", "wait before the first retry of a batch", "string", "10s"),
    flag("audit-webhook-mode", "batch, blocking, or blocking-strict", "string", "batch"),
    flag("audit-webhook-version", "API version of audit events", "string", "audit.k8s.io/v1"),
    flag("authorization-mode", "authorizers in order: Node, RBAC, AlwaysAllow, AlwaysDeny", "list", "AlwaysAllow"),
    flag("bind-address", "address to listen on", "string", "127.0.0.1"),
    flag("cert-dir", "folder of apiserver.crt and apiserver.key, created if missing"),
    flag("client-ca-file", "CA certificates that verify client certificates"),
    flag("disable-admission-plugins", "admission plugins to disable", "list"),
    flag("enable-admission-plugins", "admission plugins to enable", "list"),
    flag("feature-gates", "feature gates; CBORServingAndStorage and MutatingAdmissionPolicy can be changed", "list"),
    flag("max-mutating-requests-inflight", "limit of concurrent requests that write", "integer", "200"),
    flag("max-requests-inflight", "limit of concurrent requests that read", "integer", "400"),
    flag("request-timeout", "timeout of requests other than watches", "string", "1m0s"),
    flag("runtime-config", "default API versions, and v1alpha1 and v1beta1 of admissionregistration.k8s.io", "list"),
    flag("secure-port", "HTTPS port; 0 picks a free one", "integer", "6443"),
    flag("service-account-issuer", "issuer of service account tokens, followed by other accepted issuers", "list"),
    flag("service-account-key-file", "keys that verify service account tokens", "list"),
    flag("service-account-lookup", "require that the service account exists", "boolean", "true"),
    flag("service-account-signing-key-file", "key that signs service account tokens"),
    flag(
      "service-cluster-ip-range",
      "ranges of Service addresses: one, or one of each IP family",
      "string",
      "10.0.0.0/24",
    ),
    flag("service-node-port-range", "ports of the nodes that Services can have", "string", "30000-32767"),
    flag("tls-cert-file", "serving certificate, with its intermediates"),
    flag("tls-min-version", "VersionTLS12 or VersionTLS13", "string", "VersionTLS12"),
    flag("tls-private-key-file", "key of the serving certificate"),
    flag("token-auth-file", 'CSV file of tokens: token,user,uid,"group,group"'),
  ],
  takesWords: true,
  // The simulation parses them as kube-apiserver does.
  parse: () => undefined,
  run: async (_options, invocation) => {
    const { runApiserver } = await import("./run-apiserver.ts");
    return runApiserver(invocation);
  },
});

function flag(name: string, help: string, kind: Flag["kind"] = "string", fallback?: string): Flag {
  return { name, kind, help, ...(fallback === undefined ? {} : { default: fallback }) };
}
