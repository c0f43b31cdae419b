import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { execa } from "execa";

import { kubeconfigOf } from "../../../src/control-plane/kubeconfig.ts";
import { deployment, pathOf, widget } from "../kinds.ts";
import type { Json, Row, RowContext } from "../row.ts";

export const KUBECTL_ROWS: readonly Row[] = [
  {
    row: 120,
    title: "kubectl applies, gets, describes, labels, waits, explains and deletes",
    needs: ["kubectl", "workloads"],
    run: async (context) => {
      const { namespace, quietly } = context;
      const { kubectl, file } = await kubectlIn(context);
      await kubectl("api-resources", "api-resources", "--api-group=conformance.example.com", "--no-headers=true");
      await kubectl("explain a field", "explain", "widgets.spec.size");
      await kubectl("explain a kind", "explain", "widgets", "--recursive");
      await kubectl("explain what is not there", "explain", "widgets.spec.none");
      const one = await file("widget.json", widget("w", { size: 2, mode: "Fast" }));
      await kubectl("apply", "apply", "-f", one);
      await kubectl("apply again", "apply", "-f", one);
      await kubectl("apply a change", "apply", "-f", await file("changed.json", widget("w", { size: 3 })));
      await kubectl("get", "get", "widgets");
      await kubectl("get wide", "get", "wd", "w", "-o", "wide");
      await kubectl("get a field", "get", "widget/w", "-o", "jsonpath={.spec}");
      await kubectl("get what is not there", "get", "widget", "none");
      await kubectl("label", "label", "widget", "w", "tier=web");
      await kubectl("apply an unknown field", "apply", "-f", await file("unknown.json", widget("x", { bogus: 1 })));
      await kubectl("apply an invalid object", "apply", "-f", await file("invalid.json", widget("x", { size: 99 })));
      await kubectl("describe", "describe", "widget", "w");
      await quietly({
        method: "PATCH",
        path: `${pathOf("widgets", namespace, "w")}/status`,
        body: { status: { phase: "Ready" } },
        contentType: "application/merge-patch+json",
      });
      await kubectl("wait for a field", "wait", "widget/w", "--for=jsonpath={.status.phase}=Ready", "--timeout=10s");
      await kubectl("delete", "delete", "widget", "w");
      await kubectl("apply a deployment", "apply", "-f", await file("deployment.json", deployment("web")));
      await kubectl("wait for it", "wait", "--for=condition=Available", "deployment/web", "--timeout=45s");
      await kubectl("get it", "get", "deployment", "web");
      await kubectl("scale it", "scale", "deployment", "web", "--replicas=2");
      await kubectl("roll out", "rollout", "status", "deployment/web", "--timeout=45s");
      await kubectl("delete it", "delete", "deployment", "web", "--wait=true", "--timeout=45s");
    },
  },
  {
    row: 131,
    title: "kubectl checks the items of a List itself, by the document of version 2",
    needs: ["kubectl"],
    run: async (context) => {
      const { kubectl, file } = await kubectlIn(context);
      const list = async (...items: readonly Json[]): Promise<string> =>
        file("list.json", { apiVersion: "v1", kind: "List", items });
      await kubectl("create", "create", "-f", await list(widget("w", { size: 2 }), settings({ a: "1" })));
      await kubectl("replace", "replace", "-f", await list(widget("w", { size: 3 }), settings({ a: "2" })));
      await kubectl("apply", "apply", "-f", await list(deployment("web"), job()));
      await kubectl(
        "unknown fields",
        "replace",
        "-f",
        await list(widget("w", { bogus: 1 }), { ...settings(), bogus: 1 }),
      );
      await kubectl("a wrong type", "replace", "-f", await list(widget("w", { size: "many" }), settings({ a: [] })));
      await kubectl("a missing field", "apply", "-f", await list({ ...deployment("web"), spec: {} }));
      await kubectl("a kind that nobody knows", "replace", "-f", await list({ ...settings(), kind: "Unknown" }));
      await kubectl("what is stored", "get", "widget/w", "configmap/settings", "-o", "jsonpath={.items[*].spec}");
    },
  },
  {
    row: 136,
    title: "kubectl's typed commands, which send protobuf, create and change objects",
    needs: ["kubectl", "workloads"],
    run: async (context) => {
      const { kubectl } = await kubectlIn(context);
      for (const [index, command] of TYPED_COMMANDS.entries()) {
        const isRepeated = TYPED_COMMANDS.indexOf(command) < index;
        await kubectl(isRepeated ? `${command}, command ${String(index + 1)}` : command, ...command.split(" "));
      }
      for (const [resource, field] of CREATED) {
        await kubectl(`what is in ${resource}`, "get", resource, "-o", `jsonpath={${field}}`);
      }
    },
  },
];

const TYPED_COMMANDS = [
  "create configmap settings --from-literal=a=b",
  "create configmap settings --from-literal=a=b",
  "create secret generic password --from-literal=p=q",
  "create serviceaccount robot",
  "create role reader --verb=get,list --resource=pods,deployments.apps",
  "create rolebinding readers --role=reader --serviceaccount=default:robot --user=me",
  "create quota limits --hard=services.nodeports=10,count/leases.coordination.k8s.io=5",
  "create poddisruptionbudget budget --selector=app=web --min-available=50%",
  "create ingress entry --rule=example.com/=web:80",
  "create service clusterip web --tcp=80:http",
  "create job once --image=example.invalid/job -- echo hi",
  "create cronjob nightly --image=example.invalid/job --schedule=@daily -- echo hi",
  "create deployment web --image=example.invalid/web --replicas=1",
  "rollout status deployment/web --timeout=45s",
  "scale deployment web --replicas=2",
  "rollout status deployment/web --timeout=45s",
  "set image deployment/web web=example.invalid/web:2",
  "rollout status deployment/web --timeout=45s",
  "rollout undo deployment/web",
  "expose deployment web --name=exposed --port=80 --target-port=http",
  "autoscale deployment web --max=3 --cpu=80%",
  "run one --image=example.invalid/one --port=80",
  "annotate pod one note=text",
  "auth can-i create pods",
  "auth can-i delete nodes --as=nobody",
  "delete pod one --now",
];

const CREATED = [
  ["configmap/settings", ".data"],
  ["secret/password", ".data"],
  ["role/reader", ".rules"],
  ["rolebinding/readers", ".subjects"],
  ["quota/limits", ".spec"],
  ["pdb/budget", ".spec"],
  ["ingress/entry", ".spec"],
  ["service/web", ".spec.ports"],
  ["service/exposed", ".spec.ports"],
  ["job/once", ".spec.template.spec.containers"],
  ["cronjob/nightly", ".spec.jobTemplate.spec.template.spec"],
  ["deployment/web", ".spec.template.spec.containers"],
  ["hpa/web", ".spec"],
] as const;

function settings(data: Json = {}): Json {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" }, data };
}

// Probes have ports that are numbers or texts, and resources have quantities.
function job(): Json {
  const httpGet = { port: "http", path: "/" };
  const resources = { requests: { cpu: 1, memory: "64Mi" } };
  const container = {
    name: "a",
    image: "a",
    livenessProbe: { httpGet },
    readinessProbe: { httpGet: { port: 8080 } },
    resources,
  };
  const template = { spec: { restartPolicy: "Never", containers: [container] } };
  return { apiVersion: "batch/v1", kind: "Job", metadata: { name: "job" }, spec: { suspend: true, template } };
}

interface KubectlOfRow {
  /** Runs kubectl, and notes what it printed under the name of the step. */
  readonly kubectl: (step: string, ...args: readonly string[]) => Promise<void>;
  /** Writes a file in the row's folder and returns its path. */
  readonly file: (name: string, value: unknown) => Promise<string>;
}

/** Returns what a row runs kubectl with. */
export async function kubectlIn({
  namespace,
  admin,
  note,
  cleanUp,
  kubectl: program,
}: RowContext): Promise<KubectlOfRow> {
  const folder = await mkdtemp(path.join(tmpdir(), "kubescaffold-kubectl-"));
  cleanUp(() => rm(folder, { recursive: true, force: true }));
  const kubeconfig = path.join(folder, "config");
  await writeFile(kubeconfig, kubeconfigOf(admin));
  return {
    file: async (name, value) => {
      await writeFile(path.join(folder, name), JSON.stringify(value));
      return path.join(folder, name);
    },
    kubectl: async (step, ...args) => {
      const result = await execa(
        program,
        [...args, "--kubeconfig", kubeconfig, "--namespace", namespace, "--cache-dir", path.join(folder, "cache")],
        { reject: false, stdin: "ignore", timeout: 60_000 },
      );
      note(step, {
        exitCode: result.exitCode,
        stdout: linesOf(result.stdout, folder),
        stderr: linesOf(result.stderr, folder),
      });
    },
  };
}

// What says where and when is replaced, and columns are separated by one space, since an age may widen them.
function linesOf(text: string, folder: string): readonly string[] {
  return text
    .replaceAll(folder, "<folder>")
    .split("\n")
    .map((line) =>
      line
        .trimEnd()
        .replaceAll(/\b(?:\d+[smh])+$/gu, "<age>")
        .replaceAll(/\b(?:\d+[smh])+(?= {2,})/gu, "<age>")
        .replaceAll(/(?<=\S) {2,}/gu, "  "),
    )
    .map((line) => line.replace(/ from \S+ namespace$/u, ""))
    .filter((line) => !line.startsWith("Waiting for deployment"))
    .filter((line) => !/^\s*(?:UID|Resource Version|Creation Timestamp):/u.test(line));
}
