// cspell:ignore replicaz
import type { CommandGroup } from "./group.ts";
import { WEB } from "./manifests.ts";

const settings = (data: string, labels = "set: one"): string => `
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  labels: {${labels}}
data: {${data}}
`;

const files = {
  "web.yaml": WEB,
  "web-changed.yaml": WEB.replace("replicas: 2", "replicas: 3").replace("nginx:1.27", "nginx:1.28"),
  "web-wrong.yaml": WEB.replace("matchLabels: {app: web}", "matchLabels: {app: other}"),
  "web-unknown.yaml": WEB.replace("replicas: 2", "replicaz: 2"),
  "settings.yaml": settings("mode: fast"),
  "settings-changed.yaml": settings("mode: slow, size: '3'"),
  "more/extra.yaml": settings("more: yes-please").replace("name: settings", "name: extra"),
  "bad.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: [\n",
  "no-kind.yaml": "apiVersion: v1\nmetadata: {name: none}\n",
  "unknown-kind.yaml": "apiVersion: example.com/v1\nkind: Nothing\nmetadata: {name: none}\n",
  "base/kustomization.yaml":
    "namePrefix: base-\nresources: [settings.yaml]\nlabels: [{pairs: {layer: base}}]\nconfigMapGenerator: [{name: made, literals: [a=1]}]\n",
  "base/settings.yaml": settings("mode: fast"),
  "role.yaml":
    "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: reader, namespace: <namespace>}\nrules: [{apiGroups: [''], resources: [pods], verbs: [get]}]\n",
  "role-more.yaml":
    "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: reader, namespace: <namespace>}\nrules: [{apiGroups: [''], resources: [services], verbs: [list]}]\n",
};

/** Commands that read manifests: `apply`, `diff`, `replace`, `kustomize`, and `auth reconcile`. */
export const APPLY_GROUPS: readonly CommandGroup[] = [
  {
    name: "apply",
    files,
    commands: [
      "diff -f settings.yaml",
      "apply -f settings.yaml --dry-run=client",
      "apply -f settings.yaml --dry-run=server",
      "apply -f settings.yaml",
      "apply --filename=settings.yaml",
      "apply -f settings.yaml -o yaml",
      "apply view-last-applied configmap/settings",
      "apply -f settings-changed.yaml",
      "apply -f settings-changed.yaml -o name",
      "get configmap settings -o jsonpath='{.data}'",
      "apply -f web.yaml",
      "apply -f web.yaml -R",
      "apply -f web-changed.yaml",
      "get deployment web -o yaml",
      "apply -f web-wrong.yaml",
      "apply -f web-unknown.yaml",
      "apply -f web-unknown.yaml --validate=warn",
      "apply -f web-unknown.yaml --validate=ignore",
      "apply -f bad.yaml",
      "apply -f no-kind.yaml",
      "apply -f unknown-kind.yaml",
      "apply -f none.yaml",
      "apply -f more -R",
      "apply -f more --prune -l set=one --prune-allowlist=core/v1/ConfigMap",
      "get configmaps -l set=one",
      "create configmap plain --from-literal=a=1",
      "apply edit-last-applied configmap/plain",
      "apply set-last-applied -f settings.yaml",
      "apply set-last-applied -f settings.yaml --create-annotation",
      "apply -k base",
      "get configmaps -l layer=base",
      "apply -k base --dry-run=server",
      "diff -k base",
      "delete -k base",
    ],
  },
  {
    name: "server-side-apply",
    files,
    commands: [
      "apply --server-side -f settings.yaml",
      "apply --server-side --filename=settings.yaml",
      "apply --server-side -f settings-changed.yaml --field-manager=other",
      "apply --server-side -f settings-changed.yaml --field-manager=other --force-conflicts",
      "get configmap settings -o yaml --show-managed-fields",
      "apply --server-side -f settings.yaml --dry-run=server",
      "apply -f settings.yaml",
      "apply --server-side -f settings.yaml --force-conflicts",
      "apply --server-side -f web.yaml",
      "apply --server-side -f web-changed.yaml",
      "apply --server-side -f web-unknown.yaml",
      "scale deployment web --replicas=7",
      "apply --server-side --filename=web-changed.yaml",
      "get deployment web -o yaml --show-managed-fields",
      "diff --server-side -f web-changed.yaml --force-conflicts",
    ],
  },
  {
    name: "replace",
    files,
    commands: [
      "replace -f settings.yaml",
      "create -f settings.yaml",
      "replace -f settings-changed.yaml",
      "replace -f settings-changed.yaml --dry-run=server",
      "get configmap settings -o yaml",
      "replace -f settings.yaml --force",
      "get configmap settings -o jsonpath='{.data}'",
      "replace --raw /api/v1/namespaces/none/configmaps/none -f settings.yaml",
      "create -f web.yaml",
      "replace -f web-wrong.yaml",
      "replace --subresource=status -f web.yaml",
      "kustomize base",
      "kustomize none",
      "auth reconcile -f role.yaml",
      "auth reconcile -f role-more.yaml",
      "auth reconcile -f role.yaml --remove-extra-permissions",
      "get role reader -o yaml",
      "auth reconcile -f settings.yaml",
      "convert -f settings.yaml",
      "delete -f settings.yaml",
      "delete --filename=settings.yaml",
      "delete -f settings.yaml --ignore-not-found",
    ],
  },
];
