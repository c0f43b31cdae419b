import { mergeKubeconfigs, parseKubeconfig } from "../../../packages/runtime/src/config/kubeconfig.ts";
import { namespaceOf } from "../../../packages/runtime/src/config/rest-config-of.ts";
import { accepted, type FuzzTarget, requireThat } from "../engine/fuzz-target.ts";

/** Kubeconfigs: they are read or refused, and merging one with itself changes nothing. */
export const target: FuzzTarget = {
  name: "kubeconfig",
  kind: "text",
  seeds: [
    "apiVersion: v1\nkind: Config\ncurrent-context: c\nclusters:\n- name: a\n  cluster: {server: 'https://h:1', certificate-authority: ca.crt}\nusers:\n- name: u\n  user: {token: t, exec: {command: x, args: [a], env: [{name: n, value: v}]}}\ncontexts:\n- name: c\n  context: {cluster: a, user: u, namespace: n}\n",
    '{"clusters":[{"name":"__proto__","cluster":{}}],"contexts":null,"users":[]}',
  ],
  dictionary: [
    "clusters:",
    "users:",
    "contexts:",
    "current-context: ",
    "- name: ",
    "cluster:",
    "user:",
    "context:",
    "server: ",
    "certificate-authority-data: ",
    "client-key: ",
    "exec:",
    "args: [",
    "namespace: ",
    "extensions:",
    "~",
    "\n  ",
  ],
  run: (text) => {
    const read = accepted(() => parseKubeconfig(text, { source: "the input", folder: "/home/user" }));
    if (read === undefined) return;
    const merged = mergeKubeconfigs([read, read]);
    requireThat(
      merged.clusters.size === read.clusters.size && merged.users.size === read.users.size,
      "merging adds entries",
    );
    accepted(() => namespaceOf(read));
  },
};
