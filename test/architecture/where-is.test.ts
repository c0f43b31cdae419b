import { existsSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { readSource, ROOT } from "./source-files.ts";

// Questions of newcomers who know Kubernetes, written without a look at the tree: the place, and the words that must lead there, in its path or in the line of its folder.
const QUESTIONS: readonly (readonly [question: string, file: string, words: readonly string[]])[] = [
  ["the backoff of a failed reconcile", "packages/runtime/src/workqueue/rate-limiter.ts", ["backoff"]],
  ["the renewal of a manager's lease", "packages/runtime/src/leader-election/leader-elector.ts", ["lease"]],
  ["the call of a kind's finalizers", "packages/runtime/src/finalizer/finalizers.ts", ["finalizer"]],
  ["an exec plugin of a kubeconfig", "packages/runtime/src/rest/exec-credential.ts", ["exec plugin"]],
  ["0/1 nodes are available", "packages/cluster/src/scheduler/fit-message.ts", ["scheduler", "message"]],
  [
    "the delay of CrashLoopBackOff",
    "packages/cluster/src/kubelet/containers/restart-policy.ts",
    ["container", "restart", "delay"],
  ],
  [
    "the next time of a CronJob",
    "packages/cluster/src/controllers/workload/cron-jobs/cron-schedule.ts",
    ["cron-job", "schedule"],
  ],
  ["413 for a body that is too large", "packages/apiserver/src/http/exchange.ts", ["413", "limit", "bodies"]],
  ["410 for a watch from an old version", "packages/apiserver/src/handlers/watch.ts", ["too old", "watch"]],
  ["the conversion of custom resources", "packages/apiserver/src/resources/custom/convert-objects.ts", ["convert"]],
  ["exceeded quota", "packages/apiserver/src/admission/resource-quota/charge-quotas.ts", ["exceeds", "quota"]],
  ["the ClusterRole view", "packages/apiserver/src/release/bootstrap-table.ts", ["bootstrap policy", "`view`"]],
  [
    "the endpoints of the Service kubernetes",
    "packages/apiserver/src/service-network/server-endpoints.ts",
    ["endpoint"],
  ],
  [
    "the columns of kubectl get pods",
    "packages/apiserver/src/resources/table/core-columns.ts",
    ["kubectl get", "columns"],
  ],
  ["a strategic merge patch", "packages/schema/src/patch/strategic", ["strategic", "patch"]],
  ["the estimated cost of a CEL rule", "packages/schema/src/cel/cost/estimate-cost.ts", ["cel", "cost"]],
  ["the grammar of markers", "packages/generators/src/markers/parse-marker.ts", ["marker", "grammar"]],
  [
    "+kubebuilder:validation:Maximum",
    "packages/generators/src/markers/definitions/validation-definitions.ts",
    ["definition", "validation"],
  ],
  ["reading PROJECT", "src/project/project-file.ts", ["PROJECT file"]],
  ["pushing a manager's image", "src/image/registry/push-image.ts", ["push", "image"]],
  ["values.yaml of a chart", "plugins/helm/chart/values.ts", ["chart", "values"]],
  ["the timeline of reconciles", "packages/dashboard/src/page/controllers/timeline.ts", ["timeline"]],
  ["scaffold create webhook", "src/cli/commands/create-webhook/run-create-webhook.ts", ["one folder per command"]],
  [
    "a further controller of kube-controller-manager",
    "packages/cluster/src/cluster/cluster-controllers.ts",
    ["list of controllers"],
  ],
  ["startSuite of a project's tests", "templates/api/controller/suite.ts.hbs", ["startSuite"]],
  ["the Role that RBAC markers become", "packages/generators/src/rbac/generate-rbac.ts", ["rbac", "generate"]],
  ["the rate limit of a client", "packages/runtime/src/rest/rest-client.ts", ["client", "rate limit"]],
  ["the restart of a manager in scaffold dev", "src/cli/commands/dev/dev-session.ts", ["restarts the manager"]],
  ["the server of admission webhooks", "packages/runtime/src/webhook/webhook-server.ts", ["webhook server"]],
  ["the answer to kubectl logs", "packages/cluster/src/kubelet/containers/pod-log.ts", ["logs", "answers"]],
  ["a check of scaffold doctor", "src/cli/commands/doctor/run-doctor.ts", ["one folder per command", "doctor"]],
  ["the schema of a type", "packages/generators/src/crd/type-to-schema.ts", ["schema"]],
];

const MAP = readSource("ARCHITECTURE.md").split("\n");

describe("the map", () => {
  it.each(QUESTIONS)("leads to the place of: %s", (_, file, words) => {
    expect(existsSync(path.join(ROOT, file))).toBe(true);
    const text = `${lineOf(file)} ${file}`.toLowerCase();
    expect(words.filter((word) => !text.includes(word.toLowerCase()))).toEqual([]);
  });
});

// The line of the nearest folder.
function lineOf(file: string): string {
  const folders = MAP.flatMap((line) => {
    const folder = /^\| `([^`]+)` \|/u.exec(line)?.[1];
    return folder !== undefined && file.startsWith(`${folder}/`) ? [{ folder, line }] : [];
  });
  return folders.toSorted((left, right) => right.folder.length - left.folder.length)[0]?.line ?? "";
}
