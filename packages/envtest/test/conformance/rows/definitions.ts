import { crd, GROUP, pathOf, widget } from "../kinds.ts";
import { objectOf, type Answer, type Json, type Row } from "../row.ts";
import { CRDS_PATH, installCrd } from "./install-crd.ts";

const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

export const DEFINITION_ROWS: readonly Row[] = [
  {
    row: 64,
    title: "a new definition gets its defaults, accepted names and the conditions NamesAccepted and Established",
    run: async ({ send, eventually, quietly, cleanUp, note, watch }) => {
      const definition = crd({
        group: "row64.example.com",
        kind: "Simple",
        shortNames: ["sm"],
        schema: { spec: { type: "object" } },
      });
      const path = `${CRDS_PATH}/simples.row64.example.com`;
      const list = objectOf(await quietly({ path: CRDS_PATH }));
      const stream = await watch(
        `${CRDS_PATH}?watch=1&fieldSelector=metadata.name%3Dsimples.row64.example.com&resourceVersion=${list.metadata.resourceVersion}`,
      );
      await send("create", {
        method: "POST",
        path: CRDS_PATH,
        body: { ...definition, status: { storedVersions: ["bogus"] } },
      });
      cleanUp(() => quietly({ method: "DELETE", path }));
      const established = await eventually({ path }, (answer) =>
        JSON.stringify(answer.body).includes("InitialNamesAccepted"),
      );
      note("established", established.body);
      const events = await stream.take(3);
      note("first and last event", [events[0]?.type, events.at(-1)?.type]);
      await eventually({ path: "/apis/row64.example.com/v1/simples" }, (answer) => answer.status === 200);
      await send("list of its objects", { path: "/apis/row64.example.com/v1/simples" });
    },
  },
  {
    row: 74,
    title: "deleting a definition deletes its objects, then itself",
    run: async ({ namespace, quietly, send, note, watch, eventually, cleanUp }) => {
      const definition = crd({ group: "row74.example.com", kind: "Goner", schema: { spec: { type: "object" } } });
      await installCrd({ quietly, eventually, cleanUp }, definition);
      const objects = `/apis/row74.example.com/v1/namespaces/${namespace}/goners`;
      for (const [name, finalizers] of [
        ["free", []],
        ["held", ["example.com/hold"]],
      ] as const) {
        await quietly({
          method: "POST",
          path: objects,
          body: { apiVersion: "row74.example.com/v1", kind: "Goner", metadata: { name, finalizers }, spec: {} },
        });
      }
      const list = objectOf(await quietly({ path: objects }));
      const stream = await watch(`${objects}?watch=1&resourceVersion=${list.metadata.resourceVersion}`);
      const path = `${CRDS_PATH}/goners.row74.example.com`;
      await send("delete", { method: "DELETE", path });
      const terminating = await eventually({ path }, (answer) =>
        JSON.stringify(answer.body).includes("InstanceDeletionInProgress"),
      );
      note("terminating", conditionsOf(terminating));
      await eventually({ path: `${objects}/free` }, (answer) => answer.status === 404);
      const held = await eventually(
        { path: `${objects}/held` },
        (answer) => objectOf(answer).metadata["deletionTimestamp"] !== undefined,
      );
      note("the held one is marked", objectOf(held).metadata["deletionTimestamp"] !== undefined);
      await quietly({
        method: "PATCH",
        path: `${objects}/held`,
        body: { metadata: { finalizers: null } },
        contentType: "application/merge-patch+json",
      });
      await eventually({ path }, (answer) => answer.status === 404);
      await send("it is gone", { path });
      const gone = await eventually({ path: objects }, (answer) => answer.status === 404);
      note("so are its paths", { status: gone.status, body: gone.body });
      note(
        "events",
        (await stream.take(3))
          .map(({ type, object }) => `${type} ${objectOf({ body: object } as Answer).metadata.name}`)
          .sort((a, b) => a.localeCompare(b)),
      );
    },
  },
  {
    row: 76,
    title: "discovery lists a custom resource with its names, categories and subresources, in both forms",
    run: async ({ send, note, quietly, eventually, cleanUp }) => {
      const definition = crd({
        group: "row76.example.com",
        kind: "Listed",
        shortNames: ["ls", "lst"],
        categories: ["all", "mine"],
        scope: "Cluster",
        schema: {
          spec: { type: "object", properties: { replicas: { type: "integer" } } },
          status: { type: "object", properties: { replicas: { type: "integer" }, selector: { type: "string" } } },
        },
        version: {
          subresources: {
            status: {},
            scale: {
              specReplicasPath: ".spec.replicas",
              statusReplicasPath: ".status.replicas",
              labelSelectorPath: ".status.selector",
            },
          },
        },
      });
      const spec = definition["spec"] as Json & { versions: Json[] };
      const [v1] = spec.versions;
      spec.versions = [
        { ...v1, name: "v1beta1", storage: false },
        { ...v1, name: "v1" },
        { ...v1, name: "v1alpha1", storage: false, served: false },
      ];
      await installCrd({ quietly, eventually, cleanUp }, definition);
      await eventually({ path: "/apis/row76.example.com" }, (answer) => answer.status === 200);
      await send("the group", { path: "/apis/row76.example.com" });
      await send("its resources", { path: "/apis/row76.example.com/v1" });
      const shared = (await quietly({ path: `/apis/${GROUP}/v1` })).body as { resources: { name: string }[] };
      note("the resources of the shared group", {
        ...shared,
        resources: shared.resources.sort((a, b) => a.name.localeCompare(b.name)),
      });
      const groups = await eventually({ path: "/apis" }, (answer) =>
        JSON.stringify(answer.body).includes("row76.example.com"),
      );
      note(
        "among all groups",
        (groups.body as { groups: Json[] }).groups.find((group) => group["name"] === "row76.example.com"),
      );
      const aggregated = await eventually({ path: "/apis", headers: { accept: AGGREGATED } }, (answer) =>
        JSON.stringify(answer.body).includes("row76.example.com"),
      );
      note("content type of the aggregated form", aggregated.headers.get("content-type"));
      note(
        "aggregated",
        (aggregated.body as { items: { metadata: { name: string } }[] }).items.find(
          (item) => item.metadata.name === "row76.example.com",
        ),
      );
      const core = await quietly({ path: "/api", headers: { accept: AGGREGATED } });
      note("aggregated configmaps", configMapsOf(core));
      const { serverAddressByClientCIDRs: _addresses, ...versions } = (await quietly({ path: "/api" })).body as Json;
      note("legacy versions", versions);
      const resources = (await quietly({ path: "/api/v1" })).body as { resources: Json[] };
      note(
        "legacy configmaps",
        resources.resources.find((resource) => resource["name"] === "configmaps"),
      );
    },
  },
  {
    row: 78,
    title: "a version, a group or a resource that is not served is a plain 404",
    run: async ({ namespace, send, quietly, eventually, cleanUp }) => {
      const definition = crd({ group: "row78.example.com", kind: "Partial", schema: { spec: { type: "object" } } });
      const spec = definition["spec"] as Json & { versions: Json[] };
      spec.versions = [...spec.versions, { ...spec.versions[0], name: "v2", served: false, storage: false }];
      await installCrd({ quietly, eventually, cleanUp }, definition);
      await send("a version that is not served", {
        path: `/apis/row78.example.com/v2/namespaces/${namespace}/partials`,
      });
      await send("a version that does not exist", {
        path: `/apis/row78.example.com/v9/namespaces/${namespace}/partials`,
      });
      await send("discovery of it", { path: "/apis/row78.example.com/v9" });
      await send("a group that does not exist", { path: "/apis/none.example.com/v1/things" });
      await send("discovery of that group", { path: "/apis/none.example.com" });
      await send("a resource that does not exist in a custom group", { path: "/apis/row78.example.com/v1/nones" });
      await send("a resource that does not exist in a built-in group", { path: "/apis/apps/v1/nones" });
      await send("a core resource that does not exist", { path: `/api/v1/namespaces/${namespace}/nones` });
      await send("a namespaced resource without a namespace", { path: "/apis/row78.example.com/v1/partials/x" });
      await send("an unknown subresource", {
        path: `/apis/row78.example.com/v1/namespaces/${namespace}/partials/x/none`,
      });
      await send("a status that is not declared", {
        path: `/apis/row78.example.com/v1/namespaces/${namespace}/partials/x/status`,
      });
      await send("a method that is not allowed", { method: "POST", path: "/api/v1/configmaps", body: {} });
      await send("a path of nobody", { path: "/none" });
    },
  },
  {
    row: 80,
    title: "a table has the definition's columns, their priorities and ages",
    run: async ({ namespace, quietly, send, note }) => {
      const table = async (step: string, target: string): Promise<void> =>
        note(step, withoutTexts(await quietly({ path: target, headers: { accept: TABLE } })));
      const path = pathOf("widgets", namespace);
      await quietly({ method: "POST", path, body: widget("full", { size: 3, image: "nginx" }) });
      await quietly({
        method: "PATCH",
        path: `${path}/full/status`,
        body: { status: { phase: "Ready" } },
        contentType: "application/merge-patch+json",
      });
      await quietly({ method: "POST", path, body: widget("empty", {}) });
      await table("list", `${path}?limit=500`);
      await table("get", `${path}/full`);
      await send("get what is not there", { path: `${path}/none`, headers: { accept: TABLE } });
      await table("a kind without columns", pathOf("gadgets", namespace));
      await quietly({
        method: "POST",
        path: pathOf("configmaps", namespace),
        body: {
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: { name: "c", labels: { l: "1" } },
          data: { a: "1", b: "2" },
        },
      });
      await table("configmaps", `${pathOf("configmaps", namespace)}?labelSelector=l`);
    },
  },
  {
    row: 85,
    title: "every request to a deprecated version warns",
    run: async ({ namespace, send, quietly, eventually, cleanUp }) => {
      const definition = crd({ group: "row85.example.com", kind: "Aging", schema: { spec: { type: "object" } } });
      const spec = definition["spec"] as Json & { versions: Json[] };
      const [v1] = spec.versions;
      spec.versions = [
        { ...v1, name: "v1" },
        { ...v1, name: "v1beta1", storage: false, deprecated: true },
        { ...v1, name: "v1alpha1", storage: false, deprecated: true, deprecationWarning: 'say "no" to v1alpha1' },
      ];
      await installCrd({ quietly, eventually, cleanUp }, definition);
      const list = `/namespaces/${namespace}/agings`;
      await send("create", {
        method: "POST",
        path: `/apis/row85.example.com/v1beta1${list}`,
        body: { apiVersion: "row85.example.com/v1beta1", kind: "Aging", metadata: { name: "a" }, spec: {} },
      });
      await send("list", { path: `/apis/row85.example.com/v1beta1${list}` });
      await send("get with a text of its own", { path: `/apis/row85.example.com/v1alpha1${list}/a` });
      await send("the version that stays", { path: `/apis/row85.example.com/v1${list}/a` });
    },
  },
];

function conditionsOf(answer: Answer): unknown {
  return objectOf(answer).status?.["conditions"];
}

function configMapsOf(answer: Answer): unknown {
  const { items } = answer.body as { items: { versions: { resources: { resource: string }[] }[] }[] };
  return items[0]?.versions[0]?.resources.find((resource) => resource.resource === "configmaps");
}

// Columns of the server itself are described in the reference's words, which are not ours to repeat.
function withoutTexts({ status, body }: Answer): unknown {
  const { columnDefinitions, ...table } = body as { columnDefinitions: readonly Json[] } & Json;
  const columns = columnDefinitions.map(({ description, ...column }) => ({
    ...column,
    description: OWN_DESCRIPTIONS.has(String(description)) ? description : typeof description,
  }));
  return { code: status, ...table, columnDefinitions: columns };
}

const OWN_DESCRIPTIONS = new Set(["Its size", ...[".status.phase", ".spec.image"].map(columnText)]);

function columnText(jsonPath: string): string {
  return `Custom resource definition column (in JSONPath format): ${jsonPath}`;
}
