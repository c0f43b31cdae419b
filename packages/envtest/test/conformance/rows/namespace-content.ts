import { configMap, pathOf, widget } from "../kinds.ts";
import { objectOf, type Json, type KubeObject, type Row, type RowContext } from "../row.ts";
import { startWebhookServer } from "../webhook-server.ts";
import { device, installConverted, type ConversionResponse } from "./converted-devices.ts";

const ADMISSION = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
const MERGE = "application/merge-patch+json";

/** Rows about what the conditions of a namespace that is deleted state about its content. */
export const NAMESPACE_CONTENT_ROWS: readonly Row[] = [
  {
    row: 719,
    title: "content of a deleted namespace that cannot be read or deleted is a failure, and does not remain",
    needs: ["controllers"],
    run: async (context) => {
      const { namespace, quietly, note, eventually } = context;
      const group = "row719.example.com";
      let isBroken = true;
      const bad = (right: ConversionResponse): Json =>
        isBroken ? { uid: right["uid"], result: { status: "Failure", message: "the converter is broken" } } : right;
      const { path } = await installConverted(context, group, { answers: { bad } });
      await denyDeletes(context, () => isBroken);
      await quietly({ method: "POST", path: path("v1"), body: device(group, "v1", "bad") });
      const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "denied" } };
      await quietly({ method: "POST", path: pathOf("secrets", namespace), body: secret });
      const held = ["z.example.com/held", "a.example.com/held"];
      for (const [plural, body] of Object.entries({
        configmaps: configMap("held", {}, { finalizers: held.slice(0, 1) }),
        widgets: widget("held", { size: 1 }, { finalizers: held }),
      }))
        await quietly({ method: "POST", path: pathOf(plural, namespace), body });

      const self = `/api/v1/namespaces/${namespace}`;
      await quietly({ method: "PATCH", path: `${self}/status`, body: OTHER_CONDITION, contentType: MERGE });
      await quietly({ method: "DELETE", path: self });
      const failing = await eventually({ path: self }, ({ body }) =>
        JSON.stringify(body).includes("SomeResourcesRemain"),
      );
      note("failing", conditionsOf(objectOf(failing).status));
      isBroken = false;
      const recovered = await eventually(
        { path: self },
        ({ body }) =>
          !JSON.stringify(body).includes("FailedToDelete") && JSON.stringify(body).includes('"ContentDeleted"'),
      );
      note("recovered", conditionsOf(objectOf(recovered).status));
      for (const plural of ["configmaps", "widgets"]) {
        const one = { path: pathOf(plural, namespace, "held"), body: { metadata: { finalizers: null } } };
        await quietly({ method: "PATCH", ...one, contentType: MERGE });
      }
      note("gone", (await eventually({ path: self }, ({ status }) => status === 404)).status);
    },
  },
  {
    row: 750,
    title: "a namespace is not gone before all servers have stated their resources",
    needs: ["controllers"],
    // The namespaces of other rows would stay, too.
    isAlone: true,
    run: async (context) => {
      const { namespace, quietly, note, eventually, cleanUp } = context;
      const names = ["v1.z", "v1beta1.z", "v1.a"].map((name) => `${name}.row750.example.com`);
      for (const name of names) {
        cleanUp(() => quietly({ method: "DELETE", path: `${API_SERVICES}/${name}` }));
        await quietly({ method: "POST", path: API_SERVICES, body: apiService(name) });
      }
      for (const name of names)
        await eventually({ path: `${API_SERVICES}/${name}` }, ({ body }) => JSON.stringify(body).includes("NotFound"));
      await quietly({ method: "POST", path: pathOf("configmaps", namespace), body: configMap("gone") });
      const self = `/api/v1/namespaces/${namespace}`;
      await quietly({ method: "DELETE", path: self });
      for (const [index, name] of names.entries()) {
        const missing = names.length - index;
        const { body } = await eventually({ path: self }, (answer) =>
          JSON.stringify(answer.body).includes(`, ${String(missing)} failing`),
        );
        note(`without ${String(missing)} servers`, conditionsOf((body as KubeObject).status));
        note(
          `its content without ${String(missing)} servers`,
          (await quietly({ path: pathOf("configmaps", namespace, "gone") })).status,
        );
        await quietly({ method: "DELETE", path: `${API_SERVICES}/${name}` });
      }
      note("gone", (await eventually({ path: self }, ({ status }) => status === 404)).status);
    },
  },
];

const API_SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";

function apiService(name: string): Json {
  const [version = "", ...group] = name.split(".");
  const service = { namespace: "default", name: "missing" };
  const spec = { group: group.join("."), version, service, groupPriorityMinimum: 1000, versionPriority: 10 };
  return { apiVersion: "apiregistration.k8s.io/v1", kind: "APIService", metadata: { name }, spec };
}

// The namespace controller keeps what others state.
const OTHER_CONDITION = {
  status: {
    conditions: [
      {
        type: "example.com/Other",
        status: "True",
        reason: "Test",
        message: "x",
        lastTransitionTime: "2001-01-01T00:00:00Z",
      },
    ],
  },
};

function conditionsOf(status: Json | undefined): readonly string[] {
  const conditions = (status?.["conditions"] ?? []) as readonly Readonly<Record<string, string>>[];
  return conditions.map(({ type, status: state, reason, message }) => `${type} ${state} ${reason}: ${message}`);
}

async function denyDeletes({ namespace, quietly, cleanUp }: RowContext, isDenied: () => boolean): Promise<void> {
  const server = await startWebhookServer(() => ({
    kind: "response",
    response: isDenied() ? { allowed: false, status: { message: "stays here" } } : { allowed: true },
  }));
  cleanUp(() => server.close());
  cleanUp(() => quietly({ method: "DELETE", path: `${ADMISSION}/${namespace}` }));
  await quietly({
    method: "POST",
    path: ADMISSION,
    body: {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: namespace },
      webhooks: [
        {
          name: "stays.example.com",
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
          namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
          clientConfig: { url: server.url, caBundle: server.caBundle },
          rules: [{ apiGroups: [""], resources: ["secrets"], apiVersions: ["v1"], operations: ["DELETE"] }],
        },
      ],
    },
  });
}
