import { describe, expect, it } from "vitest";

import { bootstrapPolicy } from "../../../apiserver/src/authorization/bootstrap-policy.ts";
import { loadRelease } from "../../../apiserver/src/release/release.ts";
import { ALL_CONTROLLERS, CONTROLLER_POLICIES } from "../../src/cluster/cluster-controllers.ts";
import { RESOURCE_CLAIM_CONTROLLER } from "../../src/scheduler/scheduling-reports.ts";

const ROLE = "system:controller:";
const SERVICE_ACCOUNT = "system:serviceaccount:kube-system:";

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

// Controllers do what those of this version do, on servers of all versions.
const RELEASE = loadRelease("1.35");

// The roles that kube-apiserver creates, without those of other controllers.
const ROLES: ReadonlyMap<string, readonly Rule[]> = new Map(
  (RELEASE === undefined ? [] : bootstrapPolicy(RELEASE, []))
    .filter(({ kind }) => kind === "ClusterRole")
    .map(
      ({ metadata, rules }) =>
        [(metadata as { readonly name: string }).name, rules as unknown as readonly Rule[]] as const,
    )
    .filter(([name]) => name.startsWith(ROLE))
    .map(([name, rules]) => [name.slice(ROLE.length), rules]),
);

describe("the controllers of a cluster", () => {
  it.each(CONTROLLER_POLICIES)("$name has the rules of its bootstrap role", ({ name, rules }) => {
    expect(permissions(rules)).toEqual(permissions(ROLES.get(name) ?? []));
  });

  it("act as service accounts that have a role", () => {
    const accounts = ALL_CONTROLLERS.map(({ user }) => user.name)
      .filter((name) => name.startsWith(SERVICE_ACCOUNT))
      .map((name) => name.slice(SERVICE_ACCOUNT.length));
    expect(accounts.length).toBeGreaterThan(CONTROLLER_POLICIES.length);
    expect([...accounts, RESOURCE_CLAIM_CONTROLLER].filter((name) => !ROLES.has(name))).toEqual([]);
  });

  it("act as another user only if they are parts of the API server, the scheduler, or simulated", () => {
    const others = ALL_CONTROLLERS.filter(({ rules }) => rules.length === 0).map(({ name, user }) => [name, user.name]);
    expect(Object.fromEntries(others)).toEqual({
      "service-addresses": "kubernetes-admin",
      "custom-api-services": "system:apiserver",
      "api-service-availability": "system:apiserver",
      "metrics-registration": "kubernetes-admin",
      "flow-schema-status": "system:apiserver",
      "event-correlation": "system:apiserver",
      "server-endpoints": "system:apiserver",
      "authentication-trust": "system:apiserver",
      "default-scheduler": "system:kube-scheduler",
      "taint-eviction-controller": `${SERVICE_ACCOUNT}node-controller`,
      "simulated-volume-provisioner": `${SERVICE_ACCOUNT}persistent-volume-binder`,
      "simulated-volume-resizer": `${SERVICE_ACCOUNT}persistent-volume-binder`,
      // Each acts as the kubelets of its Nodes.
      "node-simulator": "system:apiserver",
      "node-leases": "system:apiserver",
      "pod-simulator": "system:apiserver",
    });
  });

  it("have different names", () => {
    const names = ALL_CONTROLLERS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

// Each combination of a verb, a group, a resource, and the name of an object.
function permissions(rules: readonly Rule[]): readonly string[] {
  const all = rules.flatMap(({ apiGroups = [], resources = [], resourceNames = [""], verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        resourceNames.flatMap((name) => verbs.map((verb) => `${verb} ${group}/${resource} ${name}`)),
      ),
    ),
  );
  return [...new Set(all)].toSorted();
}
