import { pathOf } from "../kinds.ts";
import type { Row } from "../row.ts";
import { startWebhookServer } from "../webhook-server.ts";
import { installPolicies } from "./policy-installation.ts";

const CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

export const CONNECT_ROWS: readonly Row[] = [
  {
    row: 325,
    title: "webhooks review streams and proxies as the operation CONNECT",
    isAlone: true,
    run: async ({ namespace, note, send, quietly, eventually, cleanUp }) => {
      const server = await startWebhookServer(() => ({
        kind: "response",
        response: { allowed: false, status: { message: "no connections" } },
      }));
      cleanUp(() => server.close());
      const pods = pathOf("pods", namespace);
      const services = pathOf("services", namespace);
      await quietly({ method: "POST", path: pods, body: POD });
      await quietly({ method: "POST", path: services, body: SERVICE });
      const webhook = {
        name: "connect.example.com",
        clientConfig: { url: server.url, caBundle: server.caBundle },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["*/*"], operations: ["CONNECT"] }],
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
      };
      await quietly({
        method: "POST",
        path: CONFIGURATIONS,
        body: {
          apiVersion: "admissionregistration.k8s.io/v1",
          kind: "ValidatingWebhookConfiguration",
          metadata: { name: namespace },
          webhooks: [webhook],
        },
      });
      cleanUp(() => quietly({ method: "DELETE", path: `${CONFIGURATIONS}/${namespace}` }));
      await eventually({ path: `${pods}/p/proxy/` }, () => server.takeCalls().length > 0);
      for (const [step, method, path] of [
        ["exec", "POST", `${pods}/p/exec?command=ls&command=-l&stdin=true&stdout=1&tty=false&container=main`],
        ["exec by GET", "GET", `${pods}/p/exec?command=ls&stdout=true`],
        ["attach", "POST", `${pods}/p/attach?stdin=true&stderr=true&container=main`],
        ["port-forward", "POST", `${pods}/p/portforward?ports=80&ports=81`],
        ["port-forward without ports", "GET", `${pods}/p/portforward`],
        ["the proxy of a Pod", "GET", `${pods}/http:p:80/proxy/a/b?c=d`],
        ["the proxy of a Pod without a path", "DELETE", `${pods}/p/proxy`],
        ["the proxy of a Service", "PUT", `${services}/s:http/proxy/x`],
        ["a Pod that does not exist", "POST", `${pods}/none/attach`],
        ["logs", "GET", `${pods}/p/log?container=none`],
      ] as const) {
        server.takeCalls();
        await send(step, { method, path });
        note(
          `reviews of ${step}`,
          server.takeCalls().map(({ review: { request } }) => ({ ...request, uid: "", userInfo: "" })),
        );
      }
      await send("a dry run", { method: "POST", path: `${pods}/p/attach?dryRun=All` });
    },
  },
  {
    row: 521,
    title: "policies validate streams and proxies as the operation CONNECT",
    isAlone: true,
    run: async (context) => {
      const { namespace, send, quietly } = context;
      const pods = pathOf("pods", namespace);
      const services = pathOf("services", namespace);
      await quietly({ method: "POST", path: pods, body: POD });
      await quietly({ method: "POST", path: services, body: SERVICE });
      const told = [
        "request.requestKind.kind + ' ' + request.name + ' ' + request.requestSubResource + ' ' + string(request.dryRun)",
        "(has(object.command) ? ' ' + object.command.join(' ') : '')",
        "(has(object.path) ? ' ' + object.path : '')",
        "(has(object.ports) ? ' ' + string(object.ports[0]) : '')",
        "(has(object.stdin) ? ' stdin' : '')",
        "(has(object.metadata) ? ' metadata' : '')",
        "(oldObject == null ? ' new ' : ' old ') + namespaceObject.metadata.name.substring(0, 1)",
      ];
      const policy = { validations: [{ expression: "false", messageExpression: told.join(" + ") }] };
      const rule = { operations: ["CONNECT"], resources: ["*/*"], resourceNames: [] };
      await installPolicies(context, [{ name: "connect", policy, rule }]);
      for (const [step, method, path] of [
        ["exec", "POST", `${pods}/p/exec?command=ls&command=-l&stdin=true&stdout=1&tty=false&container=main`],
        ["attach", "GET", `${pods}/p/attach?stdout=true`],
        ["port-forward", "POST", `${pods}/p/portforward?ports=80&ports=81`],
        ["the proxy of a Pod", "GET", `${pods}/http:p:80/proxy/a/b?c=d`],
        ["the proxy of a Service", "PUT", `${services}/s:http/proxy/x`],
        ["a Pod that does not exist", "POST", `${pods}/none/exec?command=ls&stdout=true`],
        ["the proxy of a Node", "GET", "/api/v1/nodes/none/proxy/x"],
        ["logs", "GET", `${pods}/p/log?container=none`],
      ] as const) {
        await send(step, { method, path });
      }
    },
  },
];

const POD = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p" },
  // No kubelet takes it.
  spec: { schedulerName: "none", containers: [{ name: "main", image: "main:1" }] },
};

const SERVICE = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "s" },
  spec: { selector: { app: "none" }, ports: [{ name: "http", port: 80 }] },
};
