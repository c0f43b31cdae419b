import type { OracleName, UpgradeOracleName } from "@kubescaffold/envtest/rehearse";

/** A change between two versions of the operator. */
export interface Regression {
  readonly name: string;
  /** For each file of the new version, the texts that are replaced. */
  readonly replaced: Readonly<Record<string, readonly (readonly [from: string, to: string])[]>>;
  /** The oracle that finds it; undefined for a harmless change. */
  readonly oracle: OracleName | UpgradeOracleName | undefined;
  /** A part of the finding's message, which names the fault. */
  readonly message: string;
}

const MANAGER = "manager.mjs";
const CRD = "config/crd/bases/rehearse.example.com_shops.yaml";
const ROLE = "config/rbac/role.yaml";
const WEBHOOK = "config/webhook/manifests.yaml";
const V1_TITLE = "title: { type: string, maxLength: 40 }";
const COLOR = "                color: { type: string }\n";

/** The seeded regressions, and harmless changes. */
export const REGRESSIONS: readonly Regression[] = [
  {
    name: "dropped field",
    replaced: { [CRD]: [[COLOR, ""]] },
    oracle: "lost-field",
    message: "spec.color is lost",
  },
  {
    name: "renamed finalizer",
    replaced: { [MANAGER]: [["rehearse.example.com/clean-up", "rehearse.example.com/finalizer"]] },
    oracle: "deletion",
    message: "its finalizers are rehearse.example.com/clean-up",
  },
  {
    name: "changed field manager",
    replaced: { [MANAGER]: [['FIELD_OWNER = "shop-operator"', 'FIELD_OWNER = "shop-controller"']] },
    oracle: "field-manager",
    message: "configmaps default/demo-page",
  },
  {
    name: "changed selector",
    replaced: {
      [MANAGER]: [["selector: { shop: shop.metadata.name }, ports", "selector: { app: shop.metadata.name }, ports"]],
    },
    oracle: "selector",
    message: "services default/demo has another selector",
  },
  {
    name: "dropped storage version",
    replaced: {
      [CRD]: [
        [
          "    - name: v1\n      served: true\n      storage: true",
          "    - name: v3\n      served: true\n      storage: true",
        ],
      ],
    },
    oracle: "install",
    message: "status.storedVersions",
  },
  {
    name: "missing role",
    replaced: { [ROLE]: [["resources: [configmaps, services]", "resources: [configmaps]"]] },
    oracle: "denied",
    message: "services",
  },
  {
    name: "tightened rule with stored objects",
    replaced: { [CRD]: [[V1_TITLE, "title: { type: string, maxLength: 10 }"]] },
    oracle: "valid",
    message: "is refused in v1 when it is created again",
  },
  {
    name: "changed election id",
    replaced: { [MANAGER]: [['leaderElectionId: "shop.example.com"', 'leaderElectionId: "shops.example.com"']] },
    oracle: "election",
    message: "shop-system/shops.example.com",
  },
  {
    name: "changed immutable field",
    replaced: { [MANAGER]: [['data: { color: "light" }', 'data: { color: "dark" }']] },
    oracle: "refused-write",
    message: "configmaps default/demo-theme",
  },
  {
    name: "lossy conversion",
    replaced: {
      [MANAGER]: [["spec: { title, ...spec }, ...shop })", "spec: { title, contact, ...spec }, ...shop })"]],
    },
    oracle: "lost-field",
    message: "spec.contact is lost",
  },
  {
    name: "changed webhook path",
    replaced: { [MANAGER]: [["/mutate-shop", "/default-shop"]], [WEBHOOK]: [["/mutate-shop", "/default-shop"]] },
    oracle: "webhook",
    message: 'failed calling webhook "defaults.shop.example.com"',
  },
  {
    name: "dropped owner reference",
    replaced: {
      [MANAGER]: [
        ["const page = controllerutil.setControllerReference(shop, {\n", "const page = {\n"],
        ["    data: { title: shop.spec.title },\n  });", "    data: { title: shop.spec.title },\n  };"],
      ],
    },
    oracle: "owner",
    message: "configmaps default/demo-page has lost the owner Shop demo",
  },
  {
    name: "changed label",
    replaced: {
      [MANAGER]: [["labels: { shop: name } } });", 'labels: { "rehearse.example.com/shop": name } } });']],
    },
    oracle: "label",
    message: "configmaps default/demo-page has lost or changed the label shop",
  },
  {
    name: "changed scope",
    replaced: { [CRD]: [["scope: Namespaced", "scope: Cluster"]] },
    oracle: "install",
    message: "scope",
  },
  {
    name: "slower defaulting that rewrites objects",
    replaced: {
      [MANAGER]: [
        [
          "  await applyChildren(shop);\n  await setStatus(shop);",
          '  if (shop.spec.size === undefined && shop.spec.color !== "green-1") {\n    await client.update({ ...shop, spec: { ...shop.spec, color: "green-1" } });\n    return {};\n  }\n  await applyChildren(shop);\n  await setStatus(shop);',
        ],
      ],
    },
    oracle: "rewritten-object",
    message: "shops.rehearse.example.com default/demo was rewritten without a change by the user: spec.color",
  },
  {
    name: "changed template of Pods",
    replaced: { [MANAGER]: [['image: "web:1"', 'image: "web:2"']] },
    oracle: "restarted-pod",
    message: "since template.spec.containers has changed",
  },
  {
    name: "harmless: another printer column, and a description",
    replaced: {
      [CRD]: [
        [
          "        - { name: Title, type: string, jsonPath: .spec.title }\n",
          "        - { name: Title, type: string, jsonPath: .spec.title }\n        - { name: Color, type: string, jsonPath: .spec.color }\n",
        ],
        [V1_TITLE, "title: { type: string, maxLength: 40, description: What the sign of the shop says. }"],
      ],
    },
    oracle: undefined,
    message: "",
  },
  {
    name: "harmless: a new optional field",
    replaced: { [CRD]: [[COLOR, `${COLOR}                hours: { type: string }\n`]] },
    oracle: undefined,
    message: "",
  },
];
