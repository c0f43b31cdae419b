import { configMap, pathOf } from "../kinds.ts";
import type { Row } from "../row.ts";
import { startWebhookServer } from "../webhook-server.ts";

const COLLECTION = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

export const WEBHOOK_ADDRESS_ROWS: readonly Row[] = [
  {
    row: 170,
    title: "the path of a webhook's URL is cleaned, and its serving certificate is a valid caBundle",
    run: async ({ namespace, note, quietly, eventually, cleanUp }) => {
      const server = await startWebhookServer(() => ({ kind: "response", response: { allowed: true } }));
      cleanUp(() => server.close());
      for (const path of ["//double", "/trailing/", "/a/../b", "/%2e/x%20y", ""]) {
        for (const trusted of ["caBundle", "certificate"] as const) {
          const webhook = {
            name: "address.example.com",
            clientConfig: { url: `${server.url}${path}`, caBundle: server[trusted] },
            rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE"] }],
            namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
            sideEffects: "None",
            admissionReviewVersions: ["v1"],
          };
          const body = {
            apiVersion: "admissionregistration.k8s.io/v1",
            kind: "ValidatingWebhookConfiguration",
            metadata: { name: namespace },
            webhooks: [webhook],
          };
          await quietly({ method: "POST", path: COLLECTION, body });
          const ask = {
            method: "POST",
            path: `${pathOf("configmaps", namespace)}?dryRun=All`,
            body: configMap("probe"),
          } as const;
          let urls: readonly string[] = [];
          let status = 0;
          await eventually(ask, (answer) => {
            // A busy API server may call a webhook twice for one request; the row is about the address.
            urls = [...new Set(server.takeCalls().map(({ url }) => url))];
            status = answer.status;
            return urls.length > 0 || status >= 500;
          });
          note(`${path} with ${trusted}`, { status, urls });
          await quietly({ method: "DELETE", path: `${COLLECTION}/${namespace}` });
          await eventually(ask, () => server.takeCalls().length === 0);
        }
      }
    },
  },
];
