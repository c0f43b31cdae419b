import { configMap, pathOf } from "../kinds.ts";
import type { Json, Row, RowContext } from "../row.ts";
import { startWebhookServer } from "../webhook-server.ts";
import { ADMISSION } from "./policy-installation.ts";

const MERGE = "application/merge-patch+json";

export const MATCH_CONDITION_ROWS: readonly Row[] = [
  {
    row: 260,
    title: "match conditions of webhooks are checked when they are written",
    run: async (context) => {
      for (const [step, matchConditions] of Object.entries(INVALID)) {
        await context.send(step, {
          method: "POST",
          path: `${ADMISSION}/validatingwebhookconfigurations`,
          body: configuration(context, "ValidatingWebhookConfiguration", { matchConditions }),
        });
      }
      await context.send("a mutating one", {
        method: "POST",
        path: `${ADMISSION}/mutatingwebhookconfigurations?dryRun=All`,
        body: configuration(context, "MutatingWebhookConfiguration", {
          matchConditions: [
            { name: "bad", expression: "object.x + y" },
            { name: "good", expression: "true" },
          ],
        }),
      });
    },
  },
  {
    row: 271,
    title: "webhook configurations are checked when they are written",
    run: async (context) => {
      for (const [step, webhook] of Object.entries(INVALID_WEBHOOKS)) {
        await context.send(step, {
          method: "POST",
          path: `${ADMISSION}/mutatingwebhookconfigurations?dryRun=All`,
          body: configuration(context, "MutatingWebhookConfiguration", webhook),
        });
      }
      const body = configuration(context, "MutatingWebhookConfiguration", { failurePolicy: "Ignore" });
      const path = `${ADMISSION}/mutatingwebhookconfigurations`;
      context.cleanUp(async () => context.quietly({ method: "DELETE", path: `${path}/row-271` }));
      await context.quietly({ method: "POST", path, body });
      await context.send("an update without a version", { method: "PUT", path: `${path}/row-271`, body });
    },
  },
  {
    row: 261,
    title: "a webhook is called only if its match conditions hold",
    run: async (context) => {
      const { namespace, send, quietly, cleanUp, eventually, note } = context;
      const server = await startWebhookServer(() => ({
        kind: "response",
        response: { allowed: false, status: { message: "called" } },
      }));
      cleanUp(async () => server.close());
      await quietly({ method: "POST", path: pathOf("configmaps", namespace), body: configMap("updated") });
      const path = `${ADMISSION}/validatingwebhookconfigurations`;
      for (const failurePolicy of ["Fail", "Ignore"]) {
        const body = configuration(context, "ValidatingWebhookConfiguration", {
          failurePolicy,
          clientConfig: { url: server.url, caBundle: server.caBundle },
          matchConditions: CONDITIONS,
        });
        cleanUp(async () => quietly({ method: "DELETE", path: `${path}/${namespace}` }));
        await quietly({ method: "POST", path, body });
        const create = (name: string, data: Json = {}): Parameters<RowContext["send"]>[1] => ({
          method: "POST",
          path: `${pathOf("configmaps", namespace)}?dryRun=All`,
          body: configMap(name, data),
        });
        await eventually(create("called"), ({ status }) => status !== 201);
        server.takeCalls();
        for (const name of NAMES) {
          await send(`${failurePolicy}: ${name}`, create(name, name === "expensive" ? { long: "x".repeat(3000) } : {}));
        }
        note(`${failurePolicy}: calls`, server.takeCalls().length);
        for (const [step, data] of Object.entries({ "other data": { b: "1" }, "more data": { more: "true" } })) {
          await send(`${failurePolicy}: an update with ${step}`, {
            method: "PATCH",
            path: `${pathOf("configmaps", namespace, "updated")}?dryRun=All`,
            body: { data },
            contentType: MERGE,
          });
        }
        await send(`${failurePolicy}: a delete`, {
          method: "DELETE",
          path: `${pathOf("configmaps", namespace, "updated")}?dryRun=All`,
        });
        await quietly({ method: "DELETE", path: `${path}/${namespace}` });
        await eventually(create("called"), ({ status }) => status === 201);
      }
    },
  },
];

const INVALID_WEBHOOKS: Readonly<Record<string, Json>> = {
  "no name": { name: "" },
  "a name of two parts": { name: "a.b" },
  "an invalid name": { name: "A b.c.d" },
  "no side effects": { sideEffects: undefined },
  "some side effects": { sideEffects: "Some" },
  "no versions": { admissionReviewVersions: [] },
  "unknown versions": { admissionReviewVersions: ["v2", "v2", "A"] },
  choices: { failurePolicy: "a", matchPolicy: "b", reinvocationPolicy: "c", timeoutSeconds: 31 },
  "an empty service": { clientConfig: { service: { name: "", namespace: "" } } },
  "a service without a namespace": { clientConfig: { service: { name: "a" } } },
  rules: {
    rules: [
      {
        apiGroups: [],
        apiVersions: ["*", "v1"],
        operations: ["*", "LIST"],
        resources: ["*/*", "a/*", "a/b"],
        scope: "A",
      },
    ],
  },
};

const INVALID: Readonly<Record<string, readonly Json[]>> = {
  "no name": [{ expression: "true" }],
  "no expression": [{ name: "a" }],
  "a blank expression": [{ name: "a", expression: "  " }],
  "an invalid name": [{ name: "-a b", expression: "true" }],
  "the same name twice": [
    { name: "a", expression: "true" },
    { name: "a", expression: "true" },
  ],
  "another type": [{ name: "a", expression: "'text'" }],
  "any type": [{ name: "a", expression: "object.data" }],
  "a list": [{ name: "a", expression: "[1, 2]" }],
  "an unknown variable": [{ name: "a", expression: "self.x == 1" }],
  params: [{ name: "a", expression: "params.x == 1" }],
  variables: [{ name: "a", expression: "variables.x == 1" }],
  "an unknown field of the request": [{ name: "a", expression: "request.object.x == 1" }],
  "a wrong comparison": [{ name: "a", expression: "request.userInfo.groups == 'x'" }],
  "too many": Array.from({ length: 65 }, (_, index) => ({ name: `c${String(index)}`, expression: "true" })),
  "a wrong verb of an authorizer": [{ name: "a", expression: "authorizer.group('').check('get').allowed()" }],
};

const CONDITIONS: readonly Json[] = [
  { name: "not-excluded", expression: "request.operation != 'CREATE' || object.metadata.name != 'excluded'" },
  {
    name: "no-data",
    expression: "request.operation != 'CREATE' || object.metadata.name != 'no-key' || object.data.key == 'x'",
  },
  {
    name: "may-read-nodes",
    expression:
      "request.operation != 'CREATE' || object.metadata.name != 'authorized' || !authorizer.group('').resource('nodes').check('list').allowed()",
  },
  {
    name: "request-resource",
    expression:
      "request.operation != 'CREATE' || object.metadata.name != 'request-resource' || !authorizer.requestResource.check('create').allowed()",
  },
  {
    name: "namespace-object",
    expression: "request.operation != 'CREATE' || object.metadata.name != 'namespace' || namespaceObject == null",
  },
  {
    name: "namespace-name",
    expression:
      "request.operation != 'CREATE' || object.metadata.name != 'namespace-name' || namespaceObject.metadata.name == 'x'",
  },
  {
    name: "request",
    expression:
      "request.operation != 'CREATE' || object.metadata.name != 'request' || (request.kind.kind == 'ConfigMap' && request.resource.resource == 'configmaps' && request.dryRun && request.requestKind.version == 'v1' && request.name == 'request' && request.options.dryRun == ['All'] && oldObject == null)",
  },
  { name: "adds-data", expression: "oldObject == null || request.operation == 'DELETE' || has(object.data.more)" },
  {
    name: "two-errors",
    expression: "request.operation != 'CREATE' || object.metadata.name != 'two-errors' || object.a.b",
  },
  {
    name: "two-errors-2",
    expression:
      "request.operation != 'CREATE' || object.metadata.name != 'two-errors' || object.data['c'] == oldObject.data",
  },
  {
    name: "error-and-false",
    expression: "request.operation != 'CREATE' || object.metadata.name != 'error-and-false' || object.a == 1",
  },
  { name: "false", expression: "request.operation != 'CREATE' || object.metadata.name != 'error-and-false'" },
  {
    name: "expensive",
    expression: `request.operation != 'CREATE' || object.metadata.name != 'expensive' || ${Array.from({ length: 12 }, () => "object.data.long.contains(object.data.long)").join(" && ")}`,
  },
];

const NAMES = [
  "called",
  "excluded",
  "no-key",
  "authorized",
  "request-resource",
  "namespace",
  "namespace-name",
  "request",
  "two-errors",
  "error-and-false",
  "expensive",
];

function configuration({ namespace }: Pick<RowContext, "namespace">, kind: string, webhook: Json): Json {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind,
    metadata: { name: namespace },
    webhooks: [
      {
        name: "conditions.example.com",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        clientConfig: { url: "https://127.0.0.1:1/" },
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] }],
        ...webhook,
      },
    ],
  };
}
