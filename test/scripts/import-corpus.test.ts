import { describe, expect, it } from "vitest";

import { grants } from "../../src/go-project/compare-manifests.ts";
import { importScript } from "../support/import-script.ts";

interface Compared {
  readonly cells: readonly string[];
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

interface CompareDeployed {
  readonly compareDeployed: (
    wanted: readonly object[],
    made: readonly object[],
    options: { readonly grants: typeof grants },
  ) => Compared;
}

const { compareDeployed } = await importScript<CompareDeployed>("import-corpus/compare-deployed.mjs");

const compare = (wanted: readonly object[], made: readonly object[]): Compared =>
  compareDeployed(wanted, made, { grants });

interface Names {
  readonly configuration?: string;
  readonly service?: string;
  readonly app?: string;
}

const webhooks = (
  { configuration = "mutating", service = "hooks", app = "go" }: Names,
  change: object = {},
): object => ({
  kind: "MutatingWebhookConfiguration",
  metadata: { name: configuration },
  webhooks: [
    {
      name: "mcaptain.kb.io",
      clientConfig: { caBundle: app, service: { name: service, namespace: "fleet", path: "/mutate", port: 443 } },
      failurePolicy: "Fail",
      ...change,
    },
  ],
});

const service = ({ service: name = "hooks", app = "go" }: Names, change: object = {}): object => ({
  kind: "Service",
  metadata: { name, namespace: "fleet" },
  spec: { selector: { app }, ports: [{ port: 443, targetPort: 9443 }], ...change },
});

const deployment = (name: string, { app = "go" }: Names = {}, replicas = 1): object => ({
  kind: "Deployment",
  metadata: { name, namespace: "fleet" },
  spec: {
    replicas,
    template: {
      metadata: { labels: { app, more: "x" } },
      spec: { containers: [{ name: "manager", ports: [{ name: "hooks", containerPort: 9876 }] }] },
    },
  },
});

const project = (names: Names): readonly object[] => [webhooks(names), service(names), deployment("manager", names)];

describe("webhooks of two projects", () => {
  const renamed = { configuration: "fleet-mutating", service: "webhook-service", app: "ts" };

  it("are equal if only the names of configurations, Services, and labels differ, which are notes", () => {
    expect(compare(project({}), project(renamed))).toEqual({
      cells: ["none", "none", "1 of 1", "1 of 1"],
      problems: [],
      notes: [
        "MutatingWebhookConfiguration mutating is now MutatingWebhookConfiguration fleet-mutating",
        "Service fleet/hooks is now Service fleet/webhook-service",
      ],
    });
  });

  it("are equal if Pods listen on another port, which is a note", () => {
    const named = service({}, { ports: [{ port: 443, targetPort: "hooks" }] });
    const { cells, notes } = compare([webhooks({}), named, deployment("manager")], project({}));
    expect(cells[2]).toBe("1 of 1");
    expect(notes).toEqual(["the Pods of Service fleet/hooks listen on 9876, now on 9443"]);
  });

  it.each([
    ["its path", webhooks({}, { clientConfig: { service: { name: "hooks", namespace: "fleet", path: "/other" } } })],
    [
      "its port",
      webhooks({}, { clientConfig: { service: { name: "hooks", namespace: "fleet", path: "/mutate", port: 1 } } }),
    ],
    ["its policy", webhooks({}, { failurePolicy: "Ignore" })],
    ["its rules", webhooks({}, { rules: [{ operations: ["CREATE"] }] })],
    ["its selector", webhooks({}, { objectSelector: { matchLabels: { a: "b" } } })],
  ])("differ if one has another value of %s", (_, other) => {
    const { cells, problems } = compare(project({}), [other, service({}), deployment("manager")]);
    expect(cells[2]).toBe("0 of 1");
    expect(problems).toEqual([
      expect.stringMatching(/^MutatingWebhookConfiguration webhook mcaptain\.kb\.io differs \(/u),
    ]);
  });

  it.each([
    ["no Service", [deployment("manager"), service({ service: "other" })]],
    [
      "a Service in another namespace",
      [deployment("manager"), { ...service({}), metadata: { name: "hooks", namespace: "x" } }],
    ],
    ["a Service without its port", [deployment("manager"), service({}, { ports: [{ port: 80 }] })]],
    ["a Service that selects no Pod", [deployment("manager"), service({}, { selector: { app: "other" } })]],
    ["a Service without a selector", [deployment("manager"), service({}, { selector: {} })]],
    ["Pods without the port", [deployment("manager"), service({}, { ports: [{ port: 443, targetPort: "none" }] })]],
  ])("differ if one calls %s", (_, objects) => {
    expect(compare(project({}), [webhooks({}), ...objects]).cells[2]).toBe("0 of 1");
  });
});

describe("roles of two projects", () => {
  const role = (name: string, verbs: readonly string[], kind = "ClusterRole"): object => ({
    kind,
    metadata: { name },
    rules: [{ apiGroups: [""], resources: ["pods"], verbs }],
  });

  it("are equal if the new one grants more, or the same under another name", () => {
    expect(
      compare([role("a", ["get"]), role("b", ["list"])], [role("a", ["get", "list"]), role("c", ["list"])]),
    ).toEqual({
      cells: ["none", "2 of 2", "none", "none"],
      problems: [],
      notes: ["ClusterRole b is now ClusterRole c"],
    });
  });

  it("differ if the new one grants less; those of another name that grant more are no counterparts", () => {
    const { cells, problems } = compare(
      [role("a", ["get", "list"]), role("b", ["list"])],
      [role("a", ["get"]), role("c", ["*"]), role("b", ["list"], "Role")],
    );
    expect(cells[1]).toBe("0 of 2");
    expect(problems).toEqual([
      "ClusterRole a differs",
      "ClusterRole b is missing",
      "ClusterRole c is new",
      "Role b is new",
    ]);
  });

  it("pairs the roles for leader election, to which the new project may add rules", () => {
    const elects = (prefix: string, verbs: readonly string[]): object =>
      role(`${prefix}-leader-election-role`, verbs, "Role");
    expect(compare([elects("hnc", ["get"])], [elects("fleet", ["get", "patch"])])).toMatchObject({
      cells: ["none", "1 of 1", "none", "none"],
      notes: ["Role hnc-leader-election-role is now Role fleet-leader-election-role"],
    });
    expect(compare([elects("hnc", ["get"])], [elects("fleet", ["patch"])]).cells[1]).toBe("0 of 1");
  });
});

describe("Deployments of two projects", () => {
  it("are paired by name, and then in their order", () => {
    const { cells, notes } = compare([deployment("one"), deployment("two")], [deployment("two"), deployment("three")]);
    expect(cells[3]).toBe("2 of 2");
    expect(notes).toEqual(["Deployment one is now Deployment three"]);
  });

  it("name the only one that is left of several", () => {
    const { cells, problems } = compare([deployment("one"), deployment("two")], [deployment("two", {}, 3)]);
    expect(cells[3]).toBe("0 of 2");
    expect(problems).toEqual([
      "Deployment two differs (replicas: 1 became 3)",
      "Deployment one is missing: Deployment two is the only one",
    ]);
  });
});
