import type { Promised, TutorialCluster } from "./tutorial-cluster.ts";

/** What the last step of a tutorial promises: of each command, and of what it describes in words. */
interface Promises {
  readonly commands: Readonly<Record<string, Promised>>;
  /** What the words after the commands let the reader do. */
  readonly further?: (cluster: TutorialCluster) => Promise<void>;
}

const SERVING: Promised = { prints: /API server {3}/u };
// The versions of the last deleted Service and Deployment, which have to ascend.
const DELETED_IN_ORDER = [
  "for path in api/v1/namespaces/default/services apis/apps/v1/namespaces/default/deployments",
  'do kubectl get --raw "/$path?watch=1&resourceVersion=1&timeoutSeconds=1" | grep DELETED | tail -1',
  "done | grep -o '\"resourceVersion\":\"[0-9]*' | tr -dc '0-9\\n' >versions; wc -l <versions; sort -cn versions && echo ascending",
].join("; ");
// Neither the objects of a Website nor its Pods.
const ONLY_OF_THE_CLUSTER = /^configmap\/kube-root-ca\.crt\nservice\/kubernetes$/u;

/** The promises of the tutorials, by the name of the page; every command of the last step is in it. */
export const PROMISES: Readonly<Record<string, Promises>> = {
  guestbook: {
    commands: {
      "npm run dev": SERVING,
      "kubectl apply -k config/samples": { prints: /guestbook-sample (?:created|unchanged)/u },
      "kubectl get guestbooks -w": { prints: /^guestbook-sample +2 +True /mu },
      "kubectl delete deployment guestbook-sample": {
        prints: /deployment\.apps "guestbook-sample" deleted/u,
        effects: [["kubectl get deployment guestbook-sample", /^guestbook-sample +2\/2 /mu]],
      },
      "kubectl scale deployment guestbook-sample --replicas=5": {
        prints: /guestbook-sample scaled/u,
        effects: [["kubectl get deployment guestbook-sample", /^guestbook-sample +2\/2 /mu]],
      },
      [`kubectl patch guestbook guestbook-sample --type=merge -p '{"spec":{"image":"guestbook:latest"}}'`]: {
        prints: /is invalid: spec\.image: Invalid value: "guestbook:latest"/u,
        isRefused: true,
      },
      "kubectl describe guestbook guestbook-sample": { prints: /^Events:\n.*DeploymentCreated.*ServiceCreated/msu },
      "kubectl delete guestbook guestbook-sample": {
        prints: /"guestbook-sample" deleted/u,
        effects: [
          [DELETED_IN_ORDER, /2\nascending/u],
          ["kubectl get events", /ServiceDeleted/u],
        ],
      },
    },
  },
  dependents: {
    commands: {
      "npm run dev": SERVING,
      "kubectl apply -k config/samples": { prints: /website-sample (?:created|unchanged)/u },
      "kubectl get websites,deployments,poddisruptionbudgets,ingresses": {
        prints:
          /website-sample +True +2 +http:\/\/www\.example\.com\/.*deployment\.apps\/website-sample +2\/2 .*poddisruptionbudget\.policy\/website-sample +1 .*ingress\.networking\.k8s\.io\/website-sample .*www\.example\.com/su,
      },
      [`kubectl patch website website-sample --type=merge -p '{"spec":{"replicas":1}}'`]: {
        prints: /website-sample patched/u,
      },
      "kubectl get poddisruptionbudgets": { prints: /No resources found/u },
    },
    further: async (cluster) => {
      await cluster.follow("kubectl get websites website-sample", { prints: /website-sample +True +1 /u });
      await cluster.follow("kubectl delete website website-sample", {
        prints: /"website-sample" deleted/u,
        effects: [["kubectl get configmaps,deployments,ingresses,pods,services -o name", ONLY_OF_THE_CLUSTER]],
      });
    },
  },
  cronjob: {
    commands: {
      "npm run dev": SERVING,
      "kubectl apply -k config/samples": { prints: /cronjob-sample (?:created|unchanged)/u },
      "kubectl get cronjobs.batch.demo": { prints: /^cronjob-sample +\*\/1 \* \* \* \* .*True /mu },
      "kubectl get jobs -w": { prints: /^cronjob-sample-\S+ +Complete +1\/1 /mu },
    },
  },
  external: {
    commands: {
      "npx tsx test/dns/serve.ts": { prints: /listens on/u },
      "npm run dev": SERVING,
      "kubectl create secret generic dns-api --from-literal=url=http://127.0.0.1:8053 --from-literal=token=secret": {
        prints: /secret\/dns-api created/u,
      },
      "kubectl apply -k config/samples": { prints: /dnsrecord-sample (?:created|unchanged)/u },
      "kubectl get dnsrecords -w": { prints: /^dnsrecord-sample +example\.com +www +A +True +Synced /mu },
    },
    further: async (cluster) => {
      const watch = (prints: RegExp): Promise<boolean> => cluster.follow("kubectl get dnsrecords -w", { prints });
      await cluster.stop("npx tsx test/dns/serve.ts");
      await cluster.follow(
        `kubectl patch dnsrecord dnsrecord-sample --type=merge -p '{"spec":{"values":["192.0.2.11"]}}'`,
        { prints: /patched/u },
      );
      await watch(/^dnsrecord-sample .* False +Unavailable /mu);
      await cluster.follow("npx tsx test/dns/serve.ts");
      await watch(/^dnsrecord-sample .* True +Synced /mu);
    },
  },
};
