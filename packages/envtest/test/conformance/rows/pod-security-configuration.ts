import { writeFile } from "node:fs/promises";
import path from "node:path";

import type { FlagRow } from "../flag-row.ts";
import { pathOf } from "../kinds.ts";
import type { Json } from "../row.ts";

const CONFIGURATION = `
apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
  - name: PodSecurity
    path: pod-security.yaml
`;

const POD_SECURITY = `
apiVersion: pod-security.admission.config.k8s.io/v1
kind: PodSecurityConfiguration
defaults:
  enforce: baseline
  enforce-version: v1.30
  warn: restricted
exemptions:
  usernames: [jane]
  runtimeClasses: [sandbox]
  namespaces: [row-413-exempt]
`;

export const POD_SECURITY_CONFIGURATION_ROWS: readonly FlagRow[] = [
  {
    row: 413,
    title: "the configuration of PodSecurity has levels of namespaces without labels, and exemptions",
    flags: async (folder) => {
      const file = path.join(folder, "admission.yaml");
      await writeFile(file, CONFIGURATION);
      await writeFile(path.join(folder, "pod-security.yaml"), POD_SECURITY);
      return [`--admission-control-config-file=${file}`];
    },
    run: async ({ namespace, quietly, send }) => {
      const level = (name: string, value: string): Json => ({ [`pod-security.kubernetes.io/${name}`]: value });
      const exempt = `${namespace}-exempt`;
      const create = async (step: string, name: string, labels: Json): Promise<void> => {
        const body = { apiVersion: "v1", kind: "Namespace", metadata: { name, labels } };
        await send(step, { method: "POST", path: "/api/v1/namespaces", body });
      };
      await create("an exempt namespace with levels", exempt, {
        ...level("enforce", "restricted"),
        ...level("audit-version", "v1.20"),
      });
      await create("a namespace with a level", `${namespace}-privileged`, level("enforce", "privileged"));
      await quietly({
        method: "POST",
        path: "/apis/node.k8s.io/v1/runtimeclasses",
        body: { apiVersion: "node.k8s.io/v1", kind: "RuntimeClass", metadata: { name: "sandbox" }, handler: "sandbox" },
      });
      const host = { hostNetwork: true };
      const pod = async (
        step: string,
        { at = namespace, spec = {}, user = "" }: { at?: string; spec?: Json; user?: string },
      ): Promise<void> => {
        const containers = [{ name: "main", image: "image" }];
        await send(step, {
          method: "POST",
          path: `${pathOf("pods", at)}?dryRun=All`,
          body: { apiVersion: "v1", kind: "Pod", metadata: { name: "pod" }, spec: { containers, ...spec } },
          ...(user === "" ? {} : { headers: { "impersonate-user": user, "impersonate-group": "system:masters" } }),
        });
      };
      await pod("a pod that violates the enforced level", { spec: host });
      await pod("a pod that violates the level of warnings", {});
      await pod("a pod in an exempt namespace", { at: exempt, spec: host });
      await pod("a pod in a privileged namespace", { at: `${namespace}-privileged`, spec: host });
      await pod("a pod of an exempt user", { spec: host, user: "jane" });
      await pod("a pod of another user", { spec: host, user: "john" });
      await pod("a pod with an exempt runtime class", { spec: { ...host, runtimeClassName: "sandbox" } });
      const merge = { method: "PATCH", contentType: "application/merge-patch+json" } as const;
      await send("a new level of an exempt namespace", {
        ...merge,
        path: `/api/v1/namespaces/${exempt}`,
        body: { metadata: { labels: level("enforce", "baseline") } },
      });
      await send("another new level of an exempt namespace", {
        ...merge,
        path: `/api/v1/namespaces/${exempt}`,
        body: { metadata: { labels: { ...level("enforce", "restricted"), ...level("warn", "restricted") } } },
      });
    },
  },
];
