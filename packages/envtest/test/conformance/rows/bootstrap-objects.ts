import { objectOf, type Json, type KubeObject, type Row, type RowContext } from "../row.ts";
import { selectedRelease } from "../selected-release.ts";

const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const FLOW_CONTROL = "/apis/flowcontrol.apiserver.k8s.io/v1";
const NETWORKING = "/apis/networking.k8s.io/v1";
const BOOTSTRAPPING = selected("kubernetes.io/bootstrapping=rbac-defaults");

// With `default`.
const controllerAccounts = (): number => (selectedRelease().since("1.37") ? 39 : 35);

export const BOOTSTRAP_OBJECT_ROWS: readonly Row[] = [
  {
    row: 237,
    title: "a new server has roles, flow schemas, API services, and addresses",
    needs: ["controllers"],
    run: async (tools) => {
      const { send } = tools;
      for (const resource of ["clusterroles", "clusterrolebindings", "roles", "rolebindings"]) {
        const path = `${RBAC}/${resource}?${BOOTSTRAPPING}`;
        for (const object of await listed(tools, path)) noteObject(tools, resource, object);
      }
      for (const resource of ["flowschemas", "prioritylevelconfigurations"]) {
        for (const object of await listed(tools, `${FLOW_CONTROL}/${resource}`)) noteObject(tools, resource, object);
      }
      const automatic = selected("kube-aggregator.kubernetes.io/automanaged=onstart");
      for (const object of await listed(tools, `/apis/apiregistration.k8s.io/v1/apiservices?${automatic}`)) {
        noteObject(tools, "apiservices", object);
      }
      const range = { path: `${NETWORKING}/servicecidrs/kubernetes` };
      await tools.eventually(range, ({ body }) => JSON.stringify(body).includes("Kubernetes Service CIDR is ready"));
      await send("the range of addresses", range);
      await send("the address of the server", { path: `${NETWORKING}/ipaddresses/10.0.0.1` });
      for (const name of ["system-cluster-critical", "system-node-critical"]) {
        const { value, preemptionPolicy } = objectOf(
          await tools.quietly({ path: `/apis/scheduling.k8s.io/v1/priorityclasses/${name}` }),
        );
        tools.note(`the PriorityClass ${name}`, { value, preemptionPolicy });
      }
      // Controllers start one after the other.
      const accounts = await tools.eventually(
        { path: "/api/v1/namespaces/kube-system/serviceaccounts" },
        (answer) => (objectOf(answer).items ?? []).length >= controllerAccounts(),
      );
      const names = (objectOf(accounts).items ?? []).map(({ metadata }) => metadata.name);
      tools.note("the service accounts of controllers", names);
    },
  },
];

function selected(labelSelector: string): string {
  return new URLSearchParams({ labelSelector }).toString();
}

async function listed({ quietly }: RowContext, path: string): Promise<readonly KubeObject[]> {
  return objectOf(await quietly({ path })).items ?? [];
}

// Other rows may create roles that are aggregated to these.
const AGGREGATED: ReadonlySet<string> = new Set(["admin", "edit", "view"]);

function noteObject({ note }: RowContext, resource: string, object: KubeObject): void {
  const { name, labels, annotations, generation } = object.metadata;
  const namespace = object.metadata["namespace"] as string | undefined;
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...content } = object;
  const shown: Json = AGGREGATED.has(name) ? { ...content, rules: null } : content;
  const place = namespace === undefined ? name : `${namespace}/${name}`;
  note(`${resource} ${place}`, { labels, annotations, generation, ...shown });
}
