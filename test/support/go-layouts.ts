// Projects in Go of each layout that kubebuilder and operator-sdk have scaffolded: the same two kinds, in the folders of the layout.
import { configuration, crd, ownRules, role, SIZE, webhook } from "./go-projects.ts";

type Files = Readonly<Record<string, string>>;

const MANIFESTS: Files = {
  "config/crd/bases/crew.sea.io_captains.yaml": crd({
    group: "crew.sea.io",
    kind: "Captain",
    plural: "captains",
    versions: { v1: SIZE },
  }),
  "config/crd/bases/crew.sea.io_harbors.yaml": crd({
    group: "crew.sea.io",
    kind: "Harbor",
    plural: "harbours",
    scope: "Cluster",
    versions: { v1: SIZE },
  }),
  "config/rbac/role.yaml": role(ownRules("crew.sea.io", ["captains", "harbours"])),
  "config/webhook/manifests.yaml": configuration("mutating", [
    webhook("mcaptain.kb.io", { path: "/mutate-crew-sea-io-v1-captain", group: "crew.sea.io", resource: "captains" }),
  ]),
};

const PROXY: Files = {
  "config/default/kustomization.yaml": `namespace: fleet-system
namePrefix: fleet-
bases:
- ../crd
- ../rbac
- ../manager
- ../webhook
- ../certmanager
patchesStrategicMerge:
- manager_auth_proxy_patch.yaml
- manager_webhook_patch.yaml
- webhookcainjection_patch.yaml
vars:
- name: SERVICE_NAME
  objref: {kind: Service, version: v1, name: webhook-service}
`,
  "config/default/manager_auth_proxy_patch.yaml": "kind: Deployment\n",
  "config/rbac/auth_proxy_role.yaml": "kind: ClusterRole\n",
};

const WEBHOOK = `package v1

// +kubebuilder:webhook:path=/mutate-crew-sea-io-v1-captain,mutating=true,failurePolicy=fail,groups=crew.sea.io
func (r *Captain) Default() {}
`;

const MAIN = 'package main\n\nvar options = Options{\n\tLeaderElectionID: "0badcafe.sea.io",\n}\n';

/** Where a layout has its Go files. */
interface Folders {
  readonly types: string;
  readonly controllers: string;
  readonly webhooks: string;
}

function goFiles({ types, controllers, webhooks }: Folders): Files {
  return {
    [`${types}/captain_types.go`]: "package v1\n",
    [`${types}/harbor_types.go`]: "package v1\n",
    [`${types}/groupversion_info.go`]: "package v1\n",
    [`${webhooks}/captain_webhook.go`]: WEBHOOK,
    [`${controllers}/captain_controller.go`]: "package controllers\n",
    [`${controllers}/suite_test.go`]: "package controllers\n",
    "go.mod": "module example.com/fleet\n",
  };
}

function projectOf(layout: string, { types = "api", extra = "" } = {}): string {
  return `domain: sea.io
layout:
- ${layout}
${extra}projectName: fleet
repo: example.com/fleet
resources:
- api: {crdVersion: v1, namespaced: true}
  controller: true
  domain: sea.io
  group: crew
  kind: Captain
  path: example.com/fleet/${types}/v1
  version: v1
  webhooks: {defaulting: true, webhookVersion: v1}
- api: {crdVersion: v1}
  domain: sea.io
  group: crew
  kind: Harbor
  path: example.com/fleet/${types}/v1
  plural: harbours
  version: v1
version: "3"
`;
}

const OLD_FOLDERS: Folders = { types: "api/v1", controllers: "controllers", webhooks: "api/v1" };

/** PROJECT version 2: it has neither layout nor name, and its entries have only group, kind, and version. */
export const VERSION_2: Files = {
  PROJECT: `domain: sea.io
repo: example.com/fleet
resources:
- group: crew
  kind: Captain
  version: v1
- group: crew
  kind: Harbor
  version: v1
version: "2"
`,
  ...MANIFESTS,
  ...PROXY,
  ...goFiles(OLD_FOLDERS),
  "main.go": MAIN,
};

/** The layout of version 2 in a PROJECT of version 3. */
export const LAYOUT_2: Files = { ...VERSION_2, PROJECT: projectOf("go.kubebuilder.io/v2") };

/** Layout v3 with a component config, which has the leader election id. */
export const LAYOUT_3: Files = {
  PROJECT: projectOf("go.kubebuilder.io/v3", { extra: "componentConfig: true\n" }),
  ...MANIFESTS,
  ...PROXY,
  ...goFiles(OLD_FOLDERS),
  "main.go": "package main\n",
  "config/manager/controller_manager_config.yaml": `apiVersion: controller-runtime.sigs.k8s.io/v1alpha1
kind: ControllerManagerConfig
leaderElection:
  leaderElect: true
  resourceName: 0badcafe.sea.io
`,
};

/** Layout v3 with several groups. */
export const LAYOUT_3_MULTIGROUP: Files = {
  PROJECT: projectOf("go.kubebuilder.io/v3-alpha", { types: "apis/crew", extra: "multigroup: true\n" }),
  ...MANIFESTS,
  ...PROXY,
  ...goFiles({ types: "apis/crew/v1", controllers: "controllers/crew", webhooks: "apis/crew/v1" }),
  "main.go": MAIN,
};

/** Layout v4. */
export const LAYOUT_4: Files = {
  PROJECT: projectOf("go.kubebuilder.io/v4"),
  ...MANIFESTS,
  ...goFiles({ types: "api/v1", controllers: "internal/controller", webhooks: "internal/webhook/v1" }),
  "cmd/main.go": MAIN,
};

/** A project of operator-sdk, with its bundle. */
export const OPERATOR_SDK: Files = {
  ...LAYOUT_4,
  PROJECT: projectOf("go.kubebuilder.io/v4", {
    extra: "plugins:\n  manifests.sdk.operatorframework.io/v2: {}\n  scorecard.sdk.operatorframework.io/v2: {}\n",
  }),
  "bundle.Dockerfile": "FROM scratch\n",
  "bundle/metadata/annotations.yaml": "annotations: {}\n",
  "config/scorecard/kustomization.yaml": "resources: []\n",
};

/** Layout v3 with its manifests in another folder. */
export const COMPONENTS: Files = Object.fromEntries(
  Object.entries(LAYOUT_3).map(([path, text]) => [
    path.replace(/^config\/(?=crd|rbac|webhook)/u, "config/components/"),
    text,
  ]),
);
