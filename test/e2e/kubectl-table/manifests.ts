/** A Deployment of two Pods, and the Service before them. */
export const WEB = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: {app: web, tier: front}
  annotations: {team: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: server
          image: nginx:1.27
          ports: [{containerPort: 80, name: http}]
          env: [{name: MODE, value: fast}]
          resources: {requests: {cpu: 100m, memory: 64Mi}, limits: {memory: 128Mi}}
          readinessProbe: {httpGet: {path: /ready, port: http}}
          volumeMounts: [{name: settings, mountPath: /etc/settings}]
      volumes: [{name: settings, configMap: {name: settings}}]
---
apiVersion: v1
kind: Service
metadata:
  name: web
  labels: {app: web}
spec:
  type: NodePort
  selector: {app: web}
  ports: [{name: http, port: 80, targetPort: http, nodePort: 30080}]
`;

/** One object of many kinds, which need no controller. */
export const MANY = `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, labels: {app: web}}
data: {mode: fast, size: "3"}
binaryData: {raw: Kg==}
---
apiVersion: v1
kind: Secret
metadata: {name: login}
stringData: {user: me}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: bot}
---
apiVersion: v1
kind: Pod
metadata: {name: single, labels: {app: single}}
spec:
  automountServiceAccountToken: false
  containers:
    - name: main
      image: busybox:1.37
      command: [sleep, infinity]
      livenessProbe: {exec: {command: ["true"]}}
  tolerations: [{key: team, operator: Exists}]
---
apiVersion: batch/v1
kind: Job
metadata: {name: once}
spec:
  template:
    spec: {restartPolicy: Never, containers: [{name: main, image: "busybox:1.37"}]}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly}
spec:
  schedule: "0 1 * * *"
  jobTemplate:
    spec:
      template:
        spec: {restartPolicy: OnFailure, containers: [{name: main, image: "busybox:1.37"}]}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: data}
spec:
  serviceName: data
  selector: {matchLabels: {app: data}}
  template:
    metadata: {labels: {app: data}}
    spec: {containers: [{name: main, image: "postgres:17"}]}
  volumeClaimTemplates:
    - metadata: {name: disk}
      spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: {containers: [{name: main, image: "agent:1"}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web}
spec:
  ingressClassName: nginx
  tls: [{hosts: [web.example], secretName: web-tls}]
  rules:
    - host: web.example
      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {name: http}}}}]}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: closed}
spec: {podSelector: {matchLabels: {app: web}}, policyTypes: [Ingress]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  minReplicas: 1
  maxReplicas: 3
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}]
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: limits}
spec: {hard: {services: "9"}}
---
apiVersion: v1
kind: LimitRange
metadata: {name: defaults}
spec: {limits: [{type: Pod, max: {cpu: "2"}}]}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: disk}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader}
rules: [{apiGroups: [""], resources: [pods, services], verbs: [get, list]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: readers}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
subjects: [{kind: User, name: ann, apiGroup: rbac.authorization.k8s.io}]
---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: leader}
spec: {holderIdentity: me, leaseDurationSeconds: 15}
---
apiVersion: v1
kind: Endpoints
metadata: {name: outer}
subsets: [{addresses: [{ip: 192.168.7.7}], ports: [{port: 5432}]}]
---
apiVersion: v1
kind: Event
metadata: {name: noted}
involvedObject: {kind: Pod, name: single, namespace: <namespace>, apiVersion: v1}
reason: Noted
message: something was noted
type: Normal
count: 2
source: {component: test}
`;

/** A node, and a volume. */
export const CLUSTER = `
apiVersion: v1
kind: Node
metadata: {name: table-node, labels: {zone: a}}
spec: {podCIDR: 192.168.1.0/24}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: table-volume}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  hostPath: {path: /tmp/table}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: table-class}
provisioner: example.com/none
---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: table-ingress}
spec: {controller: example.com/none}
`;
