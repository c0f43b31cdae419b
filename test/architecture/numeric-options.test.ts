import { expect, it } from "vitest";

import { listSources, readSource } from "./source-files.ts";

const PACKAGES = ["runtime", "apiserver", "cluster", "envtest"] as const;

/** Numeric members that are no options of something that starts, with the reason. */
const EXEMPT: Readonly<Record<string, string>> = {
  "packages/apiserver/src/admission/event-rate-limit/event-rate-limit-options.ts: cacheSize":
    "is a field of a configuration file, which is validated",
  "packages/apiserver/src/authentication/service-account-token.ts: warnAfter":
    "is a claim of a token, whose signature is checked",
  "packages/apiserver/src/authentication/token-request.ts: expirationSeconds":
    "is a field of a request, which is validated",
  "packages/apiserver/src/resources/built-in/rules/built-in-rules.ts: mostLevels": "is a constant of a kind",
  "packages/apiserver/src/resources/built-in/rules/core/node-ports.ts: requested":
    "is a field of an object, which is validated",
  "packages/apiserver/src/resources/custom/crd-object.ts: priority": "is a field of an object, which is validated",
  "packages/cluster/src/cluster/cluster-listener.ts: port":
    "is passed to the listener of the API server, which checks it",
  "packages/cluster/src/cluster/embedded-cluster.ts: bookmarkIntervalMs":
    "is passed to the API server, which checks it",
  "packages/cluster/src/cluster/embedded-cluster.ts: historyLimit": "is passed to the API server, which checks it",
  "packages/cluster/src/controllers/autoscaling/autoscaling-controller.ts: currentReplicas":
    "is a field of an object, which is validated",
  "packages/cluster/src/controllers/autoscaling/autoscaling-controller.ts: desiredReplicas":
    "is a field of an object, which is validated",
  "packages/cluster/src/controllers/workload/jobs/job-pods.ts: index": "is computed",
  "packages/cluster/src/controllers/workload/stateful-sets/stateful-set-sync.ts: waitMs": "is computed",
  "packages/cluster/src/kubelet/containers/container.ts: readyAfterMs":
    "is that of a fault of a container, and only compared and waited for",
  "packages/cluster/src/kubelet/containers/remote-command.ts: code": "is the status of a program",
  "packages/envtest/src/chaos/fault-log.ts: event": "is a count of what happened",
  "packages/envtest/src/kube-apiserver/image-behaviors.ts: exitCode": "is a field of a file, which is validated",
  "packages/envtest/src/verify/play-record.ts: holdMs": "is a constant of the reference",
  "packages/envtest/src/operator/development-cluster.ts: port":
    "is passed to the listener of the API server, which checks it",
  "packages/runtime/src/certificates/certificate-request.ts: expirationSeconds":
    "is a field of an object, which the server validates",
  "packages/runtime/src/client/options.ts: gracePeriodSeconds":
    "is a parameter of a request, which the server validates",
  "packages/runtime/src/client/options.ts: limit": "is a parameter of a request, which the server validates",
  "packages/runtime/src/client/options.ts: timeoutSeconds": "is a parameter of a request, which the server validates",
  "packages/runtime/src/expansions/pod-logs.ts: limitBytes": "is a parameter of a request, which the server validates",
  "packages/runtime/src/expansions/pod-logs.ts: sinceSeconds":
    "is a parameter of a request, which the server validates",
  "packages/runtime/src/expansions/pod-logs.ts: tailLines": "is a parameter of a request, which the server validates",
  "packages/runtime/src/observe/observer.ts: merged": "is a count of what happened",
  "packages/runtime/src/observe/observer.ts: requeueAfterMs": "is what a reconcile returned, and checked there",
  "packages/runtime/src/reconcile/reconcile.ts: priority": "is checked when a reconcile returns",
  "packages/runtime/src/reconcile/reconcile.ts: requeueAfterMs": "is checked when a reconcile returns",
  "packages/runtime/src/workqueue/queue.ts: afterMs": "is a delay that counts where it is above zero",
  "packages/runtime/src/workqueue/queue.ts: priority": "is only compared",
};

const MEMBER = /^\s+readonly (?<name>\w+)\?: number;/gmu;

const rules = Object.fromEntries(
  PACKAGES.map((name) => {
    const texts = listSources()
      .filter((file) => file.startsWith(`packages/${name}/src/`))
      .map((file) => readSource(file))
      .filter((text) => text.includes("checkNumbers("));
    const found = texts.flatMap((text) => [
      ...text.matchAll(/\b(?<name>\w+): "(?:number|finite|duration|integer|count|size|interval|port)"/gu),
    ]);
    return [name, new Set(found.map(({ groups }) => groups?.["name"]))];
  }),
);

function numericMembers(): readonly (readonly [package_: string, file: string, member: string])[] {
  return PACKAGES.flatMap((name) =>
    listSources()
      .filter((file) => file.startsWith(`packages/${name}/src/`))
      .flatMap((file) =>
        [...readSource(file).matchAll(MEMBER)].map(({ groups }) => [name, file, groups?.["name"] ?? ""] as const),
      ),
  );
}

it("each optional number of the public types is checked, or has a reason why not", () => {
  const members = numericMembers();
  expect(members.length).toBeGreaterThan(60);
  const unchecked = members.filter(([name, , member]) => rules[name]?.has(member) !== true);
  expect(unchecked.map(([, file, member]) => `${file}: ${member}`).toSorted()).toEqual(Object.keys(EXEMPT).toSorted());
});
