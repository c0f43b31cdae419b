import { describe, expect, it } from "vitest";

import { scopeManager, scopeMarkers } from "../../src/changes/plan-scope.ts";

const NAMESPACED = { namespace: "sea-system", isNamespaced: true };
const CLUSTER = { namespace: "sea-system", isNamespaced: false };
const marker = (args: string): string => `  // +kubebuilder:rbac:${args}`;

describe("the markers of permissions", () => {
  it.for([
    ["groups=apps,resources=deployments,verbs=get", "groups=apps,namespace=sea-system,resources=deployments,verbs=get"],
    ['groups="",resources=pods,verbs=get', 'groups="",namespace=sea-system,resources=pods,verbs=get'],
    ['groups="a;b",resources=x,verbs=get', 'groups="a;b",namespace=sea-system,resources=x,verbs=get'],
    ["resources=x,verbs=get,groups=a.io", "resources=x,verbs=get,groups=a.io,namespace=sea-system"],
  ] as const)("get the namespace behind the groups, and lose it again: %s", ([args, scoped]) => {
    expect(scopeMarkers(marker(args), NAMESPACED)).toEqual({ text: marker(scoped), left: [] });
    expect(scopeMarkers(marker(scoped), CLUSTER)).toEqual({ text: marker(args), left: [] });
  });

  it.for(["groups=apps,namespace=other,resources=deployments,verbs=get", "urls=/metrics,verbs=get"])(
    "stay as they are: %s",
    (args) => {
      expect(scopeMarkers(marker(args), NAMESPACED)).toEqual({ text: marker(args), left: [] });
      expect(scopeMarkers(marker(args), CLUSTER)).toEqual({ text: marker(args), left: [] });
    },
  );

  it.for(['groups="",resources=nodes,verbs=get', "groups=core,resources=namespaces;nodes/status,verbs=get"])(
    "of what no namespace holds are named: %s",
    (args) => {
      expect(scopeMarkers(marker(args), NAMESPACED)).toEqual({ text: marker(args), left: [args] });
    },
  );

  it("leaves all other lines alone, with their line ends", () => {
    const text = `import x;\r\n${marker("groups=a,resources=b,verbs=get")}\r\n// groups=a,resources=b\r\n`;
    const { text: scoped } = scopeMarkers(text, NAMESPACED);
    expect(scoped).toBe(text.replace("groups=a,resources=b,verbs", "groups=a,namespace=sea-system,resources=b,verbs"));
    expect(scopeMarkers(scoped, CLUSTER).text).toBe(text);
  });
});

const MANAGER =
  "containers:\n      - name: manager\n#        env:\n        # +kubebuilder:scaffold:managerenv\n        ports: []\n";

describe("the manifest of the manager", () => {
  it("gets the variable, and loses it again", () => {
    const scoped = scopeManager(MANAGER, NAMESPACED) ?? "";
    expect(scoped).toContain("\n        env:\n        - name: WATCH_NAMESPACE\n          valueFrom:\n");
    expect(scopeManager(scoped, NAMESPACED)).toBe(scoped);
    expect(scopeManager(scoped, CLUSTER)).toBe(MANAGER);
    expect(scopeManager(MANAGER, CLUSTER)).toBe(MANAGER);
  });

  it("keeps variables of others, and line ends", () => {
    const own = MANAGER.replace("#        env:\n", "        env:\n        - name: LEVEL\n").replaceAll("\n", "\r\n");
    const scoped = scopeManager(own, NAMESPACED) ?? "";
    expect(scoped).toContain("fieldPath: metadata.namespace\r\n        - name: LEVEL\r\n");
    expect(scopeManager(scoped, CLUSTER)).toBe(own);
  });

  it.for([
    ["has no place for it", MANAGER.replace("#        env:\n", ""), NAMESPACED],
    ["has several containers with variables", `${MANAGER}        env:\n        env:\n`, NAMESPACED],
    [
      "has a value of the user's",
      `${MANAGER}        env:\n        - name: WATCH_NAMESPACE\n          value: a,b\n`,
      CLUSTER,
    ],
  ] as const)("is not touched when it %s", ([, text, scope]) => {
    expect(scopeManager(text, scope)).toBeUndefined();
  });
});
