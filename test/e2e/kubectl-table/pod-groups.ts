import type { CommandGroup } from "./group.ts";
import { WEB } from "./manifests.ts";

/** Commands for Pods that no node runs. */
export const POD_GROUPS: readonly CommandGroup[] = [
  {
    name: "pods",
    files: {
      "web.yaml": WEB,
      "pods.yaml": `
apiVersion: v1
kind: Pod
metadata: {name: single, labels: {app: single}}
spec:
  automountServiceAccountToken: false
  containers: [{name: main, image: "busybox:1.37", command: [sleep, infinity]}]
---
apiVersion: batch/v1
kind: Job
metadata: {name: once}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: "busybox:1.37"}]}}}
`,
    },
    before: ["create -f pods.yaml"],
    commands: [
      "logs single",
      "logs single -c none",
      "logs none",
      "logs -l app=single",
      "logs job/once",
      "logs single --previous",
      "logs single --tail=5 --since=1h --timestamps",
      "logs single --since=1h --since-time=2026-01-01T00:00:00Z",
      "exec single -- date",
      "exec single -c none -- date",
      "exec none -- date",
      "exec single",
      "attach single --pod-running-timeout=1s",
      "attach none",
      "port-forward pod/single :80 --pod-running-timeout=1s",
      "port-forward none :80",
      "port-forward service/none :80",
      "cp web.yaml single:/tmp/web.yaml",
      "cp none.yaml single:/tmp/none.yaml",
      "debug single --image=busybox:1.37 --container=debugger --profile=general",
      "debug single --image=busybox:1.37 --container=debugger --profile=general --quiet",
      "debug single --image=busybox:1.37 --container=restricted --profile=restricted --target=main",
      "get pod single -o jsonpath='{.spec.ephemeralContainers}'",
      "debug single --image=busybox:1.37 --container=extra --copy-to=copy --profile=general --same-node",
      "get pod copy -o jsonpath='{.spec.containers[*].name}'",
      "debug single --image=busybox:1.37 --container=other --copy-to=copy --profile=general",
      "debug single --copy-to=changed --set-image=main=busybox:1.38 --profile=general",
      "get pod changed -o jsonpath='{.spec.containers[*].image}'",
      "debug none --image=busybox:1.37 --container=debugger --profile=general",
      "debug node/none --image=busybox:1.37 --profile=general",
      `patch pod single --subresource=ephemeralcontainers -p '{"spec":{"ephemeralContainers":[{"name":"debugger","image":"other"}]}}'`,
      `patch pod single --subresource=resize -p '{"spec":{"containers":[{"name":"main","resources":{"requests":{"cpu":"1"}}}]}}'`,
      "set resources pod single --limits=cpu=1",
      "label pods single copy team=one",
      "top pod single",
      "delete pod single copy changed --now --wait=false",
    ],
    // The messages contain the difference of Go structs.
    onlyStatus: [
      "debug single --image=busybox:1.37 --container=debugger --profile=general --quiet",
      `patch pod single --subresource=ephemeralcontainers -p '{"spec":{"ephemeralContainers":[{"name":"debugger","image":"other"}]}}'`,
      "set resources pod single --limits=cpu=1",
    ],
  },
];
