import { objectOf, type Json, type Row, type RowContext } from "../row.ts";

const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const API_VERSION = "rbac.authorization.k8s.io/v1";
const REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

export const ESCALATION_ROWS: readonly Row[] = [
  {
    row: 150,
    isAlone: true,
    title: "random rules allow the same requests and cover the same rules",
    run: async (context) => {
      const random = randomOf(20_261);
      const holders = Array.from({ length: 25 }, (_, index) => ({
        name: `row-150-${String(index)}`,
        rules: Array.from({ length: 1 + random(3) }, () => randomRule(random)),
      }));
      await hold(
        context,
        "row-150-writers",
        [{ apiGroups: ["rbac.authorization.k8s.io"], resources: ["clusterroles"], verbs: ["create"] }],
        { kind: "Group", name: "row-150-writers" },
      );
      for (const { name, rules } of holders) await hold(context, name, [...rules, READY], { kind: "User", name });
      for (const { name } of holders) await untilHeld(context, name);
      for (const { name, rules } of holders) {
        const granted: Json = {};
        const decided: Json = {};
        for (let count = 0; count < 10; count += 1) {
          const wanted = random(4) === 0 ? variationOf(rules[0] ?? {}, random) : randomRule(random);
          granted[JSON.stringify(wanted)] = await grant(context, name, wanted);
          const asked = randomRequest(random);
          decided[JSON.stringify(asked)] = await decide(context, name, asked);
        }
        context.note(name, { holds: rules.map((rule) => JSON.stringify(rule)), granted, decided });
      }
    },
  },
  {
    row: 151,
    title: "escalate and bind are for the names that they list, and aggregation for cluster administrators",
    run: async (context) => {
      const { namespace, send, quietly } = context;
      const user = "row-151-user";
      const as = { headers: { "impersonate-user": user } };
      const group = "rbac.authorization.k8s.io";
      const all = ["roles", "clusterroles", "rolebindings", "clusterrolebindings"];
      await hold(
        context,
        "row-151-held",
        [
          READY,
          { apiGroups: [group], resources: all, verbs: ["create", "update", "patch", "get"] },
          {
            apiGroups: [group],
            resources: ["roles", "clusterroles"],
            resourceNames: ["row-151-x"],
            verbs: ["escalate"],
          },
          { apiGroups: [group], resources: ["clusterroles"], resourceNames: ["view", "row-151-*"], verbs: ["bind"] },
        ],
        { kind: "User", name: user },
      );
      await untilHeld(context, user);
      const roles = `${RBAC}/namespaces/${namespace}/roles`;
      const secrets = { apiGroups: [""], resources: ["secrets"], verbs: ["get"] };
      const roleOf = (name: string, rules: readonly Json[] = [secrets]): Json => ({
        apiVersion: API_VERSION,
        kind: "Role",
        metadata: name === "" ? { generateName: "row-151-x" } : { name },
        rules,
      });
      await send("POST of the listed name", { method: "POST", path: roles, body: roleOf("row-151-x"), ...as });
      await send("POST of a generated name", { method: "POST", path: roles, body: roleOf(""), ...as });
      await send("PUT of the listed name", {
        method: "PUT",
        path: `${roles}/row-151-x`,
        body: roleOf("row-151-x"),
        ...as,
      });
      await send("PUT of another name", {
        method: "PUT",
        path: `${roles}/row-151-y`,
        body: roleOf("row-151-y"),
        ...as,
      });
      await send("an invalid role beyond what is held", {
        method: "POST",
        path: roles,
        body: roleOf("row-151-y", [{ ...secrets, verbs: [] }, secrets]),
        ...as,
      });
      await send("an invalid role within what is held", {
        method: "POST",
        path: roles,
        body: roleOf("row-151-y", [{ ...secrets, verbs: [] }]),
        ...as,
      });
      const aggregated = (selectors: readonly Json[]): Json => ({
        apiVersion: API_VERSION,
        kind: "ClusterRole",
        metadata: { name: "row-151-aggregated" },
        aggregationRule: { clusterRoleSelectors: selectors },
        rules: [],
      });
      const clusterRoles = `${RBAC}/clusterroles`;
      context.cleanUp(() => quietly({ method: "DELETE", path: `${clusterRoles}/row-151-aggregated` }));
      const selector = { matchLabels: { "row-151": "none" } };
      await send("an aggregation", { method: "POST", path: clusterRoles, body: aggregated([selector]), ...as });
      await quietly({ method: "POST", path: clusterRoles, body: aggregated([selector]) });
      await send("the removal of an aggregation", {
        method: "PATCH",
        path: `${clusterRoles}/row-151-aggregated`,
        contentType: "application/merge-patch+json",
        body: { aggregationRule: null },
        ...as,
      });
      const bindings = `${RBAC}/namespaces/${namespace}/rolebindings`;
      const bindingOf = (name: string, kind: string, role: string): Json => ({
        apiVersion: API_VERSION,
        kind: "RoleBinding",
        metadata: { name },
        roleRef: { apiGroup: group, kind, name: role },
        subjects: [],
      });
      for (const [step, kind, role] of [
        ["a binding to a listed role", "ClusterRole", "view"],
        ["a binding to a role that only a pattern would list", "ClusterRole", "row-151-held"],
        ["a binding to a role that is not listed", "ClusterRole", "cluster-admin"],
        ["a binding to a missing role", "Role", "missing"],
        ["a binding to a missing cluster role", "ClusterRole", "row-151-missing"],
      ] as const) {
        const body = bindingOf(`to-${role}`, kind, role);
        await send(step, { method: "POST", path: `${bindings}?dryRun=All`, body, ...as });
      }
    },
  },
];

type Random = (limit: number) => number;

// A small generator of its own, so that both servers see the same rules in every run.
function randomOf(seed: number): Random {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const VERBS = ["get", "list", "*", "bind", "escalate"];
const GROUPS = ["", "apps", "*"];
const RESOURCES = ["pods", "pods/scale", "pods/scale/x", "*/scale", "*/scale/x", "*/x", "*", "*/*", "pods/*", "jobs"];
const NAMES = ["*", "a", "b", ""];
const PATHS = ["*", "/*", "/a", "/a*", "/a**", "/a/*", "/a/b", "/b", "**", "/a/*/b", "/"];

function randomRule(random: Random): Json {
  if (random(4) === 0) return { nonResourceURLs: some(PATHS, random), verbs: some(VERBS, random) };
  const rule = { apiGroups: some(GROUPS, random), resources: some(RESOURCES, random), verbs: some(VERBS, random) };
  return random(2) === 0 ? rule : { ...rule, resourceNames: some(NAMES, random) };
}

// A rule close to one that is held is covered more often than a random one.
function variationOf(rule: Json, random: Random): Json {
  if ("nonResourceURLs" in rule) return { ...rule, nonResourceURLs: some(PATHS, random) };
  return [
    { ...rule, resourceNames: some(NAMES, random) },
    { ...rule, resources: some(RESOURCES, random) },
    { ...rule, verbs: some(VERBS, random) },
    rule,
  ][random(4)] as Json;
}

function some(values: readonly string[], random: Random): readonly string[] {
  const count = 1 + random(2);
  return [...new Set(Array.from({ length: count }, () => values[random(values.length)] as string))];
}

function randomRequest(random: Random): Json {
  const pick = (values: readonly string[]): string => values[random(values.length)] as string;
  const verb = pick(VERBS);
  if (random(4) === 0) return { nonResourceAttributes: { verb, path: pick(PATHS) } };
  const subresource = pick(["", "scale", "scale/x", "x", "*"]);
  return {
    resourceAttributes: {
      verb,
      group: pick(GROUPS),
      resource: pick(["pods", "jobs", "*"]),
      ...(subresource === "" ? {} : { subresource }),
      name: pick(NAMES),
    },
  };
}

const READY: Json = { apiGroups: ["ready.example.com"], resources: ["ready"], verbs: ["get"] };

async function hold(
  { quietly, cleanUp }: RowContext,
  name: string,
  rules: readonly Json[],
  subject: Json,
): Promise<void> {
  const role = { apiVersion: API_VERSION, kind: "ClusterRole", metadata: { name }, rules };
  await quietly({ method: "POST", path: `${RBAC}/clusterroles`, body: role });
  const binding = {
    apiVersion: API_VERSION,
    kind: "ClusterRoleBinding",
    metadata: { name },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", ...subject }],
  };
  await quietly({ method: "POST", path: `${RBAC}/clusterrolebindings`, body: binding });
  cleanUp(() => quietly({ method: "DELETE", path: `${RBAC}/clusterrolebindings/${name}` }));
  cleanUp(() => quietly({ method: "DELETE", path: `${RBAC}/clusterroles/${name}` }));
}

async function untilHeld({ eventually }: RowContext, user: string): Promise<void> {
  const asked = { resourceAttributes: { verb: "get", group: "ready.example.com", resource: "ready" } };
  await eventually(reviewOf(user, asked), (answer) => objectOf(answer).status?.["allowed"] === true);
}

function reviewOf(user: string, asked: Json): Parameters<RowContext["quietly"]>[0] {
  const body = {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SubjectAccessReview",
    spec: { user, ...asked },
  };
  return { method: "POST", path: REVIEWS, body };
}

async function decide({ quietly }: RowContext, user: string, asked: Json): Promise<unknown> {
  const answer = await quietly(reviewOf(user, asked));
  return answer.status === 201 ? objectOf(answer).status?.["allowed"] : answer.status;
}

// What is missing, in the server's words.
async function grant({ quietly }: RowContext, user: string, rule: Json): Promise<unknown> {
  const answer = await quietly({
    method: "POST",
    path: `${RBAC}/clusterroles?dryRun=All`,
    body: { apiVersion: API_VERSION, kind: "ClusterRole", metadata: { name: "row-150-wanted" }, rules: [rule] },
    headers: { "impersonate-user": user, "impersonate-group": "row-150-writers" },
  });
  if (answer.status === 201) return "granted";
  const [, missing = ""] = String(objectOf(answer)["message"]).split("not currently held:\n");
  return missing === "" ? answer.status : missing.split("\n");
}
