// The examples: the commands a user types for each, and the files a user edits after them. All other files are as the commands make them.

const OWNER = ["--owner", "The Kubescaffold authors", "--skip-install"];

/** The example of the quickstart. */
export const GUESTBOOK = {
  name: "guestbook",
  commands: [
    ["init", "--domain", "demo", "--project-name", "guestbook", ...OWNER],
    [...create("api", { group: "webapp", kind: "Guestbook" }), "--resource", "--controller", "--make=false"],
    [
      ...create("webhook", { group: "webapp", kind: "Guestbook" }),
      "--defaulting",
      "--programmatic-validation",
      "--make=false",
    ],
  ],
  filledIn: [
    "api/v1/guestbook_types.ts",
    "config/samples/webapp_v1_guestbook.yaml",
    "internal/controller/guestbook_children.ts",
    "internal/controller/guestbook_controller.ts",
    "internal/controller/guestbook_controller.test.ts",
    "internal/webhook/v1/guestbook_webhook.ts",
    "internal/webhook/v1/guestbook_webhook.test.ts",
  ],
};

const NAMESPACEPLUS = {
  name: "namespaceplus",
  commands: [
    ["init", "--domain", "demo", "--project-name", "namespaceplus", ...OWNER],
    [
      ...create("api", { group: "tenancy", kind: "NamespacePlus" }),
      "--namespaced=false",
      "--resource",
      "--controller",
      "--make=false",
    ],
  ],
  filledIn: [
    "README.md",
    "api/v1/namespaceplus_types.ts",
    "config/samples/tenancy_v1_namespaceplus.yaml",
    "internal/controller/namespaceplus_children.ts",
    "internal/controller/namespaceplus_conditions.ts",
    "internal/controller/namespaceplus_controller.ts",
    "internal/controller/namespaceplus_controller.test.ts",
    "internal/controller/namespaceplus_permissions.test.ts",
  ],
};

const MEMCACHED = {
  name: "memcached",
  commands: [
    ["init", "--domain", "demo", "--project-name", "memcached", ...OWNER],
    [
      "create",
      "api",
      "--group",
      "example.com",
      "--version",
      "v1alpha1",
      "--kind",
      "Memcached",
      "--image=memcached:1.4.36-alpine",
      "--image-container-command=memcached,-m=64,-o,modern,-v",
      "--image-container-port=11211",
      "--run-as-user=1001",
      "--plugins=deploy-image/v1-alpha",
      "--make=false",
    ],
  ],
  filledIn: ["README.md", "internal/controller/memcached_permissions.test.ts"],
};

/** Every example that `npm run golden` makes anew. */
export const EXAMPLES = [GUESTBOOK, MEMCACHED, NAMESPACEPLUS];

function create(what, { group, kind }) {
  return ["create", what, "--group", group, "--version", "v1", "--kind", kind];
}
