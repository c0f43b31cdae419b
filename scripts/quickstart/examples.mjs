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

const MULTIVERSION = {
  name: "multiversion",
  commands: [
    ["init", "--domain", "demo", "--project-name", "multiversion", ...OWNER],
    [
      ...create("api", { group: "network", kind: "Relay", version: "v1alpha1" }),
      "--resource",
      "--controller=false",
      "--make=false",
    ],
    [
      ...create("api", { group: "network", kind: "Relay", version: "v1beta1" }),
      "--from=v1alpha1",
      "--resource",
      "--controller=false",
      "--make=false",
    ],
    [
      ...create("api", { group: "network", kind: "Relay" }),
      "--from=v1beta1",
      "--resource",
      "--controller",
      "--make=false",
    ],
    [
      ...create("webhook", { group: "network", kind: "Relay" }),
      "--defaulting",
      "--programmatic-validation",
      "--make=false",
    ],
    [
      ...create("webhook", { group: "network", kind: "Relay" }),
      "--conversion",
      "--spoke",
      "v1alpha1,v1beta1",
      "--make=false",
    ],
  ],
  filledIn: [
    "README.md",
    "api/v1/relay_address.ts",
    "api/v1/relay_types.ts",
    "api/v1alpha1/relay_conversion.ts",
    "api/v1alpha1/relay_types.ts",
    "api/v1beta1/relay_conversion.ts",
    "api/v1beta1/relay_types.ts",
    "config/samples/network_v1_relay.yaml",
    "config/samples/network_v1alpha1_relay.yaml",
    "config/samples/network_v1beta1_relay.yaml",
    "internal/controller/relay_children.ts",
    "internal/controller/relay_controller.ts",
    "internal/controller/relay_controller.test.ts",
    "internal/controller/relay_permissions.test.ts",
    "internal/webhook/v1/random_relays.ts",
    "internal/webhook/v1/relay_storage_migration.test.ts",
    "internal/webhook/v1/relay_v1alpha1_conversion.test.ts",
    "internal/webhook/v1/relay_v1beta1_conversion.test.ts",
    "internal/webhook/v1/relay_versions.test.ts",
    "internal/webhook/v1/relay_webhook.ts",
    "internal/webhook/v1/relay_webhook.test.ts",
  ],
};

const MULTICLUSTER = {
  name: "multicluster",
  commands: [
    ["init", "--domain", "demo", "--project-name", "multicluster", ...OWNER],
    [...create("api", { group: "fleet", kind: "SharedConfig" }), "--resource", "--controller", "--make=false"],
  ],
  filledIn: [
    "README.md",
    "api/v1/sharedconfig_types.ts",
    "config/rbac/cluster_secrets_role.yaml",
    "config/rbac/cluster_secrets_role_binding.yaml",
    "config/rbac/kustomization.yaml",
    "config/samples/fleet_v1_sharedconfig.yaml",
    "internal/controller/sharedconfig_controller.ts",
    "internal/controller/sharedconfig_controller.test.ts",
  ],
};

const CRONJOB = {
  name: "cronjob",
  commands: [
    ["init", "--domain", "demo", "--project-name", "cronjob", ...OWNER],
    [...create("api", { group: "batch", kind: "CronJob" }), "--resource", "--controller", "--make=false"],
    [
      ...create("webhook", { group: "batch", kind: "CronJob" }),
      "--defaulting",
      "--programmatic-validation",
      "--make=false",
    ],
    // Otherwise, API servers would prune the labels of the template.
    ["edit", "--generator-options", "crd:generateEmbeddedObjectMeta=true"],
  ],
  filledIn: [
    "README.md",
    "package.json",
    "api/v1/cronjob_types.ts",
    "config/samples/batch_v1_cronjob.yaml",
    "internal/controller/cronjob_conditions.ts",
    "internal/controller/cronjob_controller.ts",
    "internal/controller/cronjob_controller.test.ts",
    "internal/controller/cronjob_jobs.ts",
    "internal/schedule/schedule.ts",
    "internal/schedule/schedule.test.ts",
    "internal/webhook/v1/cronjob_webhook.ts",
    "internal/webhook/v1/cronjob_webhook.test.ts",
    "test/verify/cronjob.yaml",
    "test/verify/tomorrow.mjs",
  ],
};

const ADDINGRESS = {
  name: "addingress",
  commands: [
    ["init", "--domain", "demo", "--project-name", "addingress", ...OWNER],
    [...create("api", { group: "core", kind: "Service" }), "--resource=false", "--controller", "--make=false"],
  ],
  filledIn: [
    "README.md",
    "internal/controller/service_controller.ts",
    "internal/controller/service_controller.test.ts",
    "internal/controller/service_ingress.ts",
    "test/verify/service.yaml",
  ],
};

const DNSRECORD = {
  name: "dnsrecord",
  commands: [
    ["init", "--domain", "demo", "--project-name", "dnsrecord", ...OWNER],
    [...create("api", { group: "dns", kind: "DNSRecord" }), "--resource", "--controller", "--make=false"],
  ],
  filledIn: [
    "README.md",
    "api/v1/dnsrecord_types.ts",
    "config/samples/dns_v1_dnsrecord.yaml",
    "internal/controller/dnsrecord_controller.ts",
    "internal/controller/dnsrecord_controller.test.ts",
    "internal/controller/dnsrecord_outcome.ts",
    "internal/dns/dns_api.ts",
    "internal/dns/dns_api.test.ts",
    "test/dns/dns_server.ts",
    "test/dns/serve.ts",
  ],
};

const WEBSITE = {
  name: "website",
  commands: [
    ["init", "--domain", "demo", "--project-name", "website", ...OWNER],
    [...create("api", { group: "web", kind: "Website" }), "--resource", "--controller", "--make=false"],
  ],
  filledIn: [
    "README.md",
    "api/v1/website_types.ts",
    "cmd/main.ts",
    "config/samples/web_v1_website.yaml",
    "internal/controller/website_controller.ts",
    "internal/controller/website_controller.test.ts",
    "internal/controller/website_dependents.ts",
  ],
};

/** Every example that `npm run golden` regenerates. */
export const EXAMPLES = [
  GUESTBOOK,
  MEMCACHED,
  MULTICLUSTER,
  MULTIVERSION,
  NAMESPACEPLUS,
  CRONJOB,
  ADDINGRESS,
  DNSRECORD,
  WEBSITE,
];

function create(what, { group, kind, version = "v1" }) {
  return ["create", what, "--group", group, "--version", version, "--kind", kind];
}
