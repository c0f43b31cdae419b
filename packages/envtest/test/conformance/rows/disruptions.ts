import { objectOf, type Json, type Row, type RowContext } from "../row.ts";
import { kubectlIn } from "./kubectl.ts";
import { createNode } from "./node-tools.ts";

const MERGE = "application/merge-patch+json";

export const DISRUPTION_ROWS: readonly Row[] = [
  {
    row: 340,
    title: "a disruption budget counts its pods by the scale of their controllers",
    needs: ["controllers", "workloads"],
    run: async (tools) => {
      await createBudget(tools, "empty", { minAvailable: 1 });
      await noteBudget(tools, "empty", ({ observedGeneration }) => observedGeneration === 1);
      await noteEvents(tools, "empty");
      for (const name of ["first", "second"]) await createPod(tools, name, "counted", true);
      await createPod(tools, "third", "counted", false);
      await createBudget(tools, "counted", { minAvailable: 1 });
      await noteBudget(
        tools,
        "counted",
        ({ currentHealthy, expectedPods }) => currentHealthy === 2 && expectedPods === 3,
      );
      await createPod(tools, "unmanaged", "unmanaged", true);
      await createBudget(tools, "unmanaged", { minAvailable: "50%" });
      await noteBudget(tools, "unmanaged", ({ currentHealthy }) => currentHealthy === 1);
      await noteEvents(tools, "unmanaged");
      await createDeployment(tools, "scaled", 3);
      await createBudget(tools, "scaled", { maxUnavailable: "50%" });
      await noteBudget(tools, "scaled", ({ currentHealthy }) => currentHealthy === 3);
      await patchBudget(tools, "scaled", { maxUnavailable: null, minAvailable: "50%" });
      await noteBudget(
        tools,
        "scaled",
        ({ observedGeneration }) => observedGeneration === 2,
        "scaled, by a percentage",
      );
      await patchBudget(tools, "scaled", { minAvailable: 5 });
      await noteBudget(tools, "scaled", ({ observedGeneration }) => observedGeneration === 3, "scaled, by a count");
      await failsForOtherControllers(tools);
    },
  },
  {
    row: 341,
    title: "evictions spend the disruption budget of their pods",
    needs: ["controllers"],
    run: async (tools) => {
      for (const name of ["first", "second"]) await createPod(tools, name, "held", true);
      await createPod(tools, "unready", "held", false);
      await createBudget(tools, "held", { minAvailable: 1 });
      await noteBudget(tools, "held", ({ disruptionsAllowed }) => disruptionsAllowed === 1);
      const other = await evict(tools, "first", { preconditions: { resourceVersion: "1" } });
      tools.note("another version of the pod", [other.status, objectOf(other)["reason"]]);
      // The version was compared after the budget was charged.
      await noteBudget(tools, "held", ({ currentHealthy }) => currentHealthy === 1, "held, charged in vain");
      await tools.quietly({
        method: "PATCH",
        path: `${budgets(tools)}/held/status`,
        body: { status: { disruptedPods: null } },
        contentType: MERGE,
      });
      await noteBudget(tools, "held", ({ disruptionsAllowed }) => disruptionsAllowed === 1, "held, corrected");
      await sendEviction(tools, "first");
      await noteBudget(tools, "held", ({ expectedPods }) => expectedPods === 2, "held, without the first pod");
      await sendEviction(tools, "second");
      await patchBudget(tools, "held", { minAvailable: 2 });
      await noteBudget(tools, "held", ({ observedGeneration }) => observedGeneration === 2, "held, unhealthy");
      await sendEviction(tools, "unready");
      await patchBudget(tools, "held", { unhealthyPodEvictionPolicy: "AlwaysAllow" });
      await noteBudget(tools, "held", ({ observedGeneration }) => observedGeneration === 3, "held, for unready pods");
      await sendEviction(tools, "unready", "the eviction of unready, allowed");
      await createBudget(tools, "held", { minAvailable: 1 }, "other");
      await noteBudget(tools, "other", ({ observedGeneration }) => observedGeneration === 1);
      await sendEviction(tools, "second", "the eviction of second, with two budgets");
    },
  },
  {
    row: 342,
    title: "kubectl drain waits for the disruption budget of the pods of a node",
    needs: ["controllers", "workloads", "kubectl"],
    run: async (tools) => {
      const [first, second] = [`${tools.namespace}-first`, `${tools.namespace}-second`];
      // The order of the lines differs from run to run.
      const note = (step: string, fact: unknown): void => tools.note(step, sortedLines(fact as KubectlRun));
      const { kubectl } = await kubectlIn({ ...tools, note });
      const drain = ["drain", first, "--pod-selector", "app=drained", "--delete-emptydir-data"] as const;
      await createNode(tools, first);
      await createDeployment(tools, "drained", 2, { nodeSelector: { row: tools.namespace } });
      await createBudget(tools, "drained", { maxUnavailable: 0 });
      await noteBudget(tools, "drained", ({ currentHealthy }) => currentHealthy === 2);
      await kubectl("without a disruption that is allowed", ...drain, "--timeout=2s");
      await createNode(tools, second);
      await patchBudget(tools, "drained", { maxUnavailable: 1 });
      await noteBudget(
        tools,
        "drained",
        ({ disruptionsAllowed }) => disruptionsAllowed === 1,
        "drained, with a disruption",
      );
      await kubectl("with one disruption at a time", ...drain, "--timeout=55s");
      const pods = `/api/v1/namespaces/${tools.namespace}/pods?labelSelector=${encodeURIComponent("app=drained")}`;
      const moved = await tools.eventually({ path: pods }, (answer) =>
        (objectOf(answer).items ?? []).every(({ spec }) => spec?.["nodeName"] === second),
      );
      tools.note(
        "nodes of the pods",
        (objectOf(moved).items ?? []).map(({ spec }) => spec?.["nodeName"]),
      );
    },
  },
];

interface KubectlRun {
  readonly exitCode: number;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
}

const POD_NAME = /drained-[a-z\d]+-[a-z\d]{5}/gu;

function sortedLines({ exitCode, stdout, stderr }: KubectlRun): Json {
  const lines = (all: readonly string[]): readonly string[] =>
    [...new Set(all.map((line) => line.replaceAll(POD_NAME, "<pod>")))].toSorted();
  // Refused evictions are reported as often as they are repeated.
  return { exitCode, stdout: lines(stdout), stderr: lines(stderr).filter((line) => line.startsWith("error: ")) };
}

async function failsForOtherControllers(tools: RowContext): Promise<void> {
  const { namespace, quietly } = tools;
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const owner = objectOf(await quietly({ method: "POST", path, body: { metadata: { name: "owner" } } }));
  const reference = { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: owner.metadata.uid, controller: true };
  await createBudget(tools, "owned", { maxUnavailable: 1 });
  await noteBudget(tools, "owned", ({ observedGeneration }) => observedGeneration === 1);
  await createPod(tools, "owned", "owned", true, [reference]);
  await noteBudget(
    tools,
    "owned",
    ({ conditions }) => (conditions as readonly Json[])[0]?.["reason"] === "SyncFailed",
    "owned, with a pod",
  );
  await noteEvents(tools, "owned");
  await sendEviction(tools, "owned");
}

function budgets({ namespace }: RowContext): string {
  return `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`;
}

async function createBudget(tools: RowContext, app: string, spec: Json, name: string = app): Promise<void> {
  const body = { metadata: { name }, spec: { selector: { matchLabels: { app } }, ...spec } };
  await tools.quietly({ method: "POST", path: budgets(tools), body });
}

async function patchBudget(tools: RowContext, name: string, spec: Json): Promise<void> {
  await tools.quietly({ method: "PATCH", path: `${budgets(tools)}/${name}`, body: { spec }, contentType: MERGE });
}

async function noteBudget(
  tools: RowContext,
  name: string,
  isWanted: (status: Json) => boolean,
  step: string = `the budget ${name}`,
): Promise<void> {
  const answer = await tools.eventually({ path: `${budgets(tools)}/${name}` }, (each) =>
    isWanted(objectOf(each).status ?? {}),
  );
  tools.note(step, objectOf(answer).status);
}

async function createPod(
  { namespace, quietly }: RowContext,
  name: string,
  app: string,
  isReady: boolean,
  ownerReferences: readonly Json[] = [],
): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/pods`;
  const spec = { schedulerName: "none", containers: [{ name: "main", image: "main:1" }] };
  await quietly({ method: "POST", path, body: { metadata: { name, labels: { app }, ownerReferences }, spec } });
  const status = { phase: "Running", conditions: [{ type: "Ready", status: isReady ? "True" : "False" }] };
  await quietly({ method: "PATCH", path: `${path}/${name}/status`, body: { status }, contentType: MERGE });
}

async function createDeployment(
  { namespace, quietly, eventually }: RowContext,
  app: string,
  replicas: number,
  podSpec: Json = {},
): Promise<void> {
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  const template = {
    metadata: { labels: { app } },
    spec: { containers: [{ name: "main", image: "main:1" }], ...podSpec },
  };
  const spec = { replicas, selector: { matchLabels: { app } }, template };
  await quietly({ method: "POST", path, body: { metadata: { name: app }, spec } });
  await eventually({ path: `${path}/${app}` }, (answer) => objectOf(answer).status?.["availableReplicas"] === replicas);
}

function evictionOf({ namespace }: RowContext, name: string, deleteOptions?: Json) {
  const more = deleteOptions === undefined ? {} : { deleteOptions };
  const body = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name, namespace }, ...more };
  return { method: "POST", path: `/api/v1/namespaces/${namespace}/pods/${name}/eviction`, body } as const;
}

async function evict(tools: RowContext, name: string, deleteOptions: Json) {
  return await tools.quietly(evictionOf(tools, name, deleteOptions));
}

async function sendEviction(tools: RowContext, name: string, step: string = `the eviction of ${name}`): Promise<void> {
  await tools.send(step, evictionOf(tools, name));
}

async function noteEvents(tools: RowContext, name: string): Promise<void> {
  const selector = encodeURIComponent(`involvedObject.name=${name},involvedObject.kind=PodDisruptionBudget`);
  const path = `/api/v1/namespaces/${tools.namespace}/events?fieldSelector=${selector}`;
  const answer = await tools.eventually({ path }, (each) => (objectOf(each).items ?? []).length > 0);
  const events = (objectOf(answer).items ?? []).map(({ type, reason, message, source, reportingComponent }) => ({
    type,
    reason,
    message,
    source,
    reportingComponent,
  }));
  const unique = new Map(events.map((event) => [JSON.stringify(event), event]));
  tools.note(
    `events of ${name}`,
    [...unique].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, event]) => event),
  );
}
