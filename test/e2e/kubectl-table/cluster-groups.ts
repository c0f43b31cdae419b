import type { CommandGroup } from "./group.ts";
import { CLUSTER, MANY, WEB } from "./manifests.ts";

// The request of a certificate for the user ann.
// cspell:disable-next-line
const REQUEST =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIWU1IOENBUUF3SFRFTU1Bb0dBMVVFQXd3RFlXNXVNUTB3Q3dZRFZRUUtEQVIwWldGdE1Ga3dFd1lIS29aSQp6ajBDQVFZSUtvWkl6ajBEQVFjRFFnQUU5UnM0aUQvT2lrbGpQdHhTMDYxN285WUV6RkhucjJQMXc3RzZYVzJWCnV2VXRUd2Jndm1FQSt6U3phVkJOanVhQlRNRmVodFA1YXNKd0tJMk5NOEZIaXFBQU1Bb0dDQ3FHU000OUJBTUMKQTBrQU1FWUNJUUNwZDBQMitGeU5zZWdaaTRNOTdia2RCNnVZdi9HSGNKZ01oVlo5T0t3SGZnSWhBTVMxL2VKNQpqbVk2aE9meU4wV1kvZUdHcm9EbzJSdTBPZmRndmo5T0VIZmEKLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==";

const request = (name: string, body = REQUEST): string => `
apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
metadata: {name: ${name}}
spec:
  request: ${body}
  signerName: kubernetes.io/kube-apiserver-client
  usages: [client auth]
`;
const NODE = "table-node";

/** Commands for nodes, certificates, and the ends of objects; and those that wait. */
export const CLUSTER_GROUPS: readonly CommandGroup[] = [
  {
    name: "nodes",
    files: {
      "cluster.yaml": CLUSTER,
      "pod.yaml": `
apiVersion: v1
kind: Pod
metadata: {name: placed}
spec: {nodeName: ${NODE}, automountServiceAccountToken: false, containers: [{name: main, image: busybox}]}
`,
    },
    before: ["create -f cluster.yaml", "create -f pod.yaml"],
    commands: [
      "get nodes",
      `taint node ${NODE} team=web:NoSchedule`,
      `taint node ${NODE} team=db:NoSchedule`,
      `taint node ${NODE} team=db:NoSchedule --overwrite`,
      `taint node ${NODE} team=db:Never`,
      `taint node ${NODE} team:NoSchedule-`,
      `taint node ${NODE} team-`,
      "taint nodes --all spare:PreferNoSchedule",
      "taint node none team=web:NoSchedule",
      `cordon ${NODE}`,
      `cordon ${NODE} --dry-run=server`,
      `get node ${NODE}`,
      `uncordon ${NODE}`,
      `uncordon ${NODE} -v=0`,
      "cordon none",
      `drain ${NODE}`,
      `drain ${NODE} --dry-run=server --force`,
      `drain ${NODE} --force --disable-eviction --grace-period=0`,
      `drain ${NODE} --ignore-daemonsets --delete-emptydir-data`,
      `get node ${NODE} -o yaml`,
      `label node ${NODE} node-role.kubernetes.io/worker=`,
      `get node ${NODE} --show-labels`,
    ],
  },
  {
    name: "certificates",
    files: {
      "one.yaml": request("table-one"),
      "two.yaml": request("table-two"),
      "bad.yaml": request("table-bad", "Kg=="),
    },
    before: ["create -f one.yaml", "create -f two.yaml"],
    commands: [
      "create -f bad.yaml",
      "certificate approve table-one",
      "certificate approve -f one.yaml",
      "certificate deny table-one",
      "certificate deny table-two",
      "certificate deny table-two --force",
      "certificate approve table-two",
      "certificate approve none",
      "get csr table-one -o jsonpath='{.status.conditions[*].type}'",
      "get csr table-two -o jsonpath='{.status.conditions[*].reason}'",
      "delete csr table-one table-two",
    ],
  },
  {
    name: "delete",
    files: { "many.yaml": MANY, "web.yaml": WEB },
    before: ["create -f many.yaml", "create -f web.yaml"],
    commands: [
      "wait --for=condition=Available deployment/web --timeout=1s",
      "wait --for=jsonpath='{.spec.replicas}'=2 deployment/web --timeout=5s",
      "wait --for=jsonpath='{.spec.replicas}'=9 deployment/web --timeout=1s",
      "wait --for=jsonpath='{.metadata.uid}' deployment/web --timeout=5s",
      "wait --for=delete deployment/none --timeout=1s",
      "wait --for=delete deployment/web --timeout=1s",
      "wait --for=create configmap/settings --timeout=1s",
      "wait --for=create configmap/none --timeout=1s",
      "wait --for=condition=Ready pod -l app=none --timeout=1s",
      "wait --for=nothing deployment/web --timeout=1s",
      "delete configmap settings --dry-run=client",
      "delete configmap settings --dry-run=server",
      "delete configmap settings",
      "delete configmap settings --ignore-not-found",
      "delete configmap none",
      "delete secret,lease --all",
      "delete pods -l app=single --grace-period=0 --force",
      "delete pod none --now",
      "delete deployment web --cascade=orphan --wait=false",
      "get deployment web -o jsonpath='{.metadata.finalizers}'",
      "delete job once --cascade=foreground --wait=false",
      "get job once -o jsonpath='{.metadata.finalizers}'",
      "delete statefulset data --cascade=background",
      "delete service web -o name",
      "delete ingress,networkpolicy --all --wait=false",
      "delete pdb --field-selector=metadata.name=web",
      "delete nothings --all",
      "delete",
      "delete deployment",
      "delete --raw /api/v1/namespaces/none/configmaps/none",
    ],
  },
  {
    name: "rollout",
    controllers: true,
    files: {
      "web.yaml": `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {terminationGracePeriodSeconds: 0, containers: [{name: server, image: "nginx:1.27"}]}
`,
      "node.yaml":
        "apiVersion: v1\nkind: Node\nmetadata: {name: rollout-node, labels: {kubernetes.io/hostname: rollout-node}}\n",
    },
    commands: [
      "rollout status deployment/web --timeout=60s",
      "rollout history deployment/web",
      "rollout history deployment/web --revision=1",
      "rollout history deployment/web --revision=9",
      "set image deployment/web server=nginx:1.28",
      "rollout status deployment web --timeout=60s",
      "annotate deployment/web kubernetes.io/change-cause='newer image'",
      "rollout history deployment web",
      "rollout history deployment/web --revision=2",
      "rollout undo deployment/web --dry-run=server",
      "rollout undo deployment/web",
      "rollout status deployment/web",
      "get deployment web -o jsonpath='{.spec.template.spec.containers[0].image}'",
      "rollout history deployments/web",
      "rollout undo deployment/web --to-revision=2",
      "rollout undo deployment/web --to-revision=9",
      "rollout status deployments/web",
      "rollout pause deployment/web",
      "rollout pause deployments/web",
      "rollout restart deployment/web",
      "rollout undo deployments/web",
      "rollout resume deployment/web",
      "rollout resume deployments/web",
      "rollout restart deployments/web",
      "rollout status deployment.apps/web",
      "wait --for=condition=Available deployment/web --timeout=60s",
      "scale deployment web --replicas=1 --timeout=60s",
      "rollout status deployment.apps web",
      "get deployment web",
      "delete deployment web --cascade=foreground --timeout=60s",
      "get replicasets",
      "rollout status deployment/none",
    ],
    onlyStatus: [
      "rollout status deployment/web --timeout=60s",
      "rollout status deployment web --timeout=60s",
      "rollout status deployment/web",
      "rollout status deployments/web",
      "rollout status deployment.apps/web",
      "rollout status deployment.apps web",
    ],
    before: ["create -f node.yaml", "create -f web.yaml"],
  },
];
