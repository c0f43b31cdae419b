import type { ControllerSample, DashboardMessage, PermissionUse, Replica } from "../../../src/page/feed/protocol.ts";
import type { FeedAnswers } from "./fake-feed.ts";
import { scenario } from "./scenario.ts";

/** What `scaffold dashboard` sends: the world of the other scenario, as a cluster tells of it. */
export function clusterScenario(now: number): FeedAnswers {
  const answers = scenario(now);
  const objects = answers.messages.filter(({ type }) => type === "object" || type === "event" || type === "log");
  return {
    ...answers,
    kinds: [],
    messages: [
      {
        type: "hello",
        project: "guestbook",
        mode: "cluster",
        capabilities: ["metrics", "history", "permissions", "logs"],
        server: "https://cluster.example.com",
        serverVersion: "v1.35.4",
        managerUser: "system:serviceaccount:guestbook-system:guestbook-controller-manager",
      },
      { type: "replicas", replicas: [replica("7c9f-aaaaa", now, true), replica("7c9f-bbbbb", now, false)] },
      { type: "manager", at: now, state: "ready", detail: "2 of 2 replicas ready · leader guestbook-7c9f-aaaaa" },
      ...objects,
      logOf("7c9f-aaaaa", "reconciled the first", now),
      logOf("7c9f-bbbbb", "waits for the lease", now),
      ...Array.from({ length: 20 }, (_unused, index) => sample(now - (20 - index) * 5000, index)),
      {
        type: "webhook-totals",
        at: now,
        path: "/validate-webapp-my-domain-v1-guestbook",
        requests: 12,
        failures: 1,
        inFlight: 0,
        rate: 0.4,
        p50Ms: 2.1,
        p90Ms: 5,
        p99Ms: 9.7,
      },
      permission("get", "granted"),
      {
        ...permission("list", "denied"),
        denied: 3,
        marker: '+kubebuilder:rbac:groups="",resources=secrets,verbs=get;list;watch',
      },
    ],
  };
}

/** What `scaffold dev --kubeconfig` sends: the world of the other scenario, whose manager runs as a user, and whose cluster knows no users of versions. */
export function connectedScenario(now: number): FeedAnswers {
  const answers = scenario(now);
  return {
    ...answers,
    history: (uid) => {
      const { versions, isTruncated } = answers.history(uid);
      return { versions: versions.map((version) => ({ ...version, user: "" })), isTruncated };
    },
    messages: [
      {
        type: "hello",
        project: "guestbook",
        mode: "connected",
        capabilities: ["write", "history", "reconciles", "webhooks", "permissions", "logs", "restart"],
        server: "https://cluster.example.com",
        serverVersion: "v1.35.4",
        managerUser: "ann",
      },
      ...answers.messages.filter(({ type }) => !["hello", "fault", "permission"].includes(type)),
      { ...permission("get", "used"), allowed: 4 },
      {
        ...permission("watch", "missing"),
        allowed: 1,
        marker: '+kubebuilder:rbac:groups="",resources=secrets,verbs=get;list;watch',
      },
    ],
  };
}

/** A problem of a source, with a command to copy. */
export function problem(): DashboardMessage {
  return {
    type: "problems",
    problems: [
      {
        source: "metrics",
        message: "the manager may not be measured",
        hint: "let an administrator bind the role:",
        commands: ["kubectl create clusterrolebinding guestbook-dashboard-metrics-reader"],
      },
    ],
  };
}

function replica(suffix: string, now: number, isLeader: boolean): Replica {
  return {
    pod: `guestbook-${suffix}`,
    status: "Running",
    isReady: true,
    isLeader,
    restarts: 0,
    createdAt: now - 3_600_000,
    node: "node-1",
    image: "registry.example.com/guestbook:1.2.0",
    hasMetrics: true,
  };
}

function sample(at: number, index: number): ControllerSample {
  return {
    type: "controller",
    at,
    controller: "guestbook",
    queueDepth: index % 3,
    activeWorkers: 1,
    maxWorkers: 1,
    reconciles: 100 + index,
    errors: 2,
    rate: 0.2 * (index % 4),
    p50Ms: 12,
    p90Ms: 40,
    p99Ms: 95,
    outcomes: { success: 90 + index, requeue: 3, requeueAfter: 5, error: 2 },
    intervalMs: 5000,
  };
}

function logOf(suffix: string, message: string, at: number): DashboardMessage {
  return { type: "log", at, level: "info", logger: "", message, pod: `guestbook-${suffix}` };
}

function permission(verb: string, state: PermissionUse["state"]): Extract<DashboardMessage, { type: "permission" }> {
  return { type: "permission", verb, group: "", resource: "secrets", namespace: "", state, allowed: 0, denied: 0 };
}
