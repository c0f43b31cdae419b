import { configMap, pathOf, widget, GROUP } from "../kinds.ts";
import { objectOf, type Json, type Row, type RowContext } from "../row.ts";

const RBAC = "/apis/rbac.authorization.k8s.io/v1";

export const ACCESS_ROWS: readonly Row[] = [
  {
    row: 106,
    title: "roles allow what their verbs, groups, resources, names and paths say, and nothing else",
    run: async (context) => {
      const { namespace, quietly, note, user } = context;
      const alice = await user("row-106-alice");
      await bind(context, "row-106-alice", [
        { apiGroups: [GROUP], resources: ["widgets"], verbs: ["get", "list", "watch"] },
        { apiGroups: [GROUP], resources: ["widgets/status"], verbs: ["patch"] },
        { apiGroups: [""], resources: ["configmaps"], resourceNames: ["mine"], verbs: ["*"] },
        { apiGroups: ["coordination.k8s.io"], resources: ["*"], verbs: ["create", "get"] },
        { apiGroups: ["apps"], resources: ["*/scale"], verbs: ["get"] },
      ]);
      await bindCluster(context, "row-106-alice", [{ nonResourceURLs: ["/metrics", "/logs/*"], verbs: ["get"] }]);
      await quietly({ method: "POST", path: pathOf("widgets", namespace), body: widget("w") });
      for (const name of ["mine", "yours"])
        await quietly({ method: "POST", path: pathOf("configmaps", namespace), body: configMap(name) });
      const merge = { contentType: "application/merge-patch+json", body: { metadata: { labels: { a: "b" } } } };
      const calls: Readonly<Record<string, Parameters<RowContext["quietly"]>[0]>> = {
        "get widget": { path: pathOf("widgets", namespace, "w") },
        "list widgets": { path: pathOf("widgets", namespace) },
        "list widgets everywhere": { path: `/apis/${GROUP}/v1/widgets` },
        "list widgets in default": { path: pathOf("widgets", "default") },
        "create widget": { method: "POST", path: pathOf("widgets", namespace), body: widget("x") },
        "patch widget": { method: "PATCH", path: pathOf("widgets", namespace, "w"), ...merge },
        "patch widget status": { method: "PATCH", path: `${pathOf("widgets", namespace, "w")}/status`, ...merge },
        "get widget status": { path: `${pathOf("widgets", namespace, "w")}/status` },
        "delete all widgets": { method: "DELETE", path: pathOf("widgets", namespace) },
        "get gadget": { path: pathOf("gadgets", namespace, "none") },
        "get my configmap": { path: pathOf("configmaps", namespace, "mine") },
        "get your configmap": { path: pathOf("configmaps", namespace, "yours") },
        "list configmaps": { path: pathOf("configmaps", namespace) },
        "list my configmap by field": { path: `${pathOf("configmaps", namespace)}?fieldSelector=metadata.name%3Dmine` },
        "create my configmap": { method: "POST", path: pathOf("configmaps", namespace), body: configMap("mine") },
        "patch my configmap": { method: "PATCH", path: pathOf("configmaps", namespace, "mine"), ...merge },
        "get lease": { path: pathOf("leases", namespace, "none") },
        "put a new lease": {
          method: "PUT",
          path: pathOf("leases", namespace, "none"),
          body: { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "none" } },
        },
        "get scale of a deployment": { path: `${pathOf("deployments", namespace, "none")}/scale` },
        "get a deployment": { path: pathOf("deployments", namespace, "none") },
        "get /version": { path: "/version" },
        "get /metrics": { path: "/metrics" },
        "get /logs/x": { path: "/logs/x" },
        "get /debug": { path: "/debug/pprof" },
      };
      await context.eventually(
        { path: pathOf("widgets", namespace, "w"), as: alice },
        (answer) => answer.status === 200,
      );
      await context.eventually({ path: "/metrics", as: alice }, (answer) => answer.status !== 403);
      for (const [step, call] of Object.entries(calls))
        note(step, (await quietly({ ...call, as: alice })).status === 403 ? "denied" : "allowed");
    },
  },
  {
    row: 107,
    title: "a denial names user, verb, resource, group and scope, and roles that are missing",
    run: async (context) => {
      const { namespace, send, user, quietly } = context;
      const bob = await user("row-107-bob");
      await send("namespaced", { path: pathOf("widgets", namespace, "w"), as: bob });
      await send("a list", { path: pathOf("configmaps", namespace), as: bob });
      await send("a watch", { path: `${pathOf("configmaps", namespace)}?watch=1`, as: bob });
      await send("a create", { method: "POST", path: pathOf("widgets", namespace), body: widget("w"), as: bob });
      await send("cluster-scoped", { path: "/api/v1/nodes", as: bob });
      await send("one of them", { path: "/api/v1/nodes/one", as: bob });
      await send("all namespaces", { path: `/apis/${GROUP}/v1/widgets`, as: bob });
      await send("a subresource", {
        method: "PUT",
        path: `${pathOf("widgets", namespace, "w")}/status`,
        body: widget("w"),
        as: bob,
      });
      await send("a namespace", { path: `/api/v1/namespaces/${namespace}`, as: bob });
      await send("deletecollection", { method: "DELETE", path: pathOf("widgets", namespace), as: bob });
      await send("a path", { path: "/metrics", as: bob });
      await quietly({
        method: "POST",
        path: `${RBAC}/namespaces/${namespace}/rolebindings`,
        body: binding("RoleBinding", "missing", { kind: "Role", name: "not-there" }, "row-107-bob"),
      });
      await context.eventually({ path: pathOf("secrets", namespace, "s"), as: bob }, (answer) =>
        JSON.stringify(answer.body).includes("not-there"),
      );
      await send("a missing role", { path: pathOf("secrets", namespace, "s"), as: bob });
      const account = await context.quietly({
        method: "POST",
        path: pathOf("serviceaccounts", namespace),
        body: { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot" } },
      });
      const token = await quietly({
        method: "POST",
        path: `${pathOf("serviceaccounts", namespace, objectOf(account).metadata.name)}/token`,
        body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} },
      });
      const robot = {
        ...context.admin,
        credentials: { kind: "token", token: String(objectOf(token).status?.["token"]) } as const,
      };
      await send("a service account", { path: pathOf("widgets", namespace, "w"), as: robot });
      await send("escalation", {
        method: "POST",
        path: `${RBAC}/namespaces/${namespace}/roles`,
        body: {
          apiVersion: "rbac.authorization.k8s.io/v1",
          kind: "Role",
          metadata: { name: "more" },
          rules: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"] }],
        },
        as: bob,
      });
    },
  },
  {
    row: 108,
    title: "access and token reviews answer what the server would decide",
    run: async (context) => {
      const { namespace, send, user, quietly } = context;
      const carol = await user("row-108-carol");
      await bind(context, "row-108-carol", [{ apiGroups: [GROUP], resources: ["widgets"], verbs: ["get"] }]);
      await context.eventually(
        { path: pathOf("widgets", namespace, "none"), as: carol },
        (answer) => answer.status === 404,
      );
      const review = async (step: string, kind: string, spec: Json, as = carol): Promise<unknown> =>
        send(step, {
          method: "POST",
          path: `/apis/authorization.k8s.io/v1/${kind.startsWith("Local") ? `namespaces/${namespace}/` : ""}${kind.toLowerCase()}s`,
          body: { apiVersion: "authorization.k8s.io/v1", kind, spec },
          as,
        });
      const mayGet = { namespace, verb: "get", group: GROUP, version: "v1", resource: "widgets" };
      await review("self: allowed", "SelfSubjectAccessReview", { resourceAttributes: mayGet });
      await review("self: denied", "SelfSubjectAccessReview", { resourceAttributes: { ...mayGet, verb: "delete" } });
      await review("self: a path", "SelfSubjectAccessReview", {
        nonResourceAttributes: { path: "/apis", verb: "get" },
      });
      await review("self: nothing asked", "SelfSubjectAccessReview", {});
      await review(
        "subject: allowed",
        "SubjectAccessReview",
        { user: "row-108-carol", resourceAttributes: mayGet },
        context.admin,
      );
      await review(
        "subject: denied",
        "SubjectAccessReview",
        { user: "nobody", groups: ["system:authenticated"], resourceAttributes: mayGet },
        context.admin,
      );
      await review(
        "subject: masters",
        "SubjectAccessReview",
        { user: "x", groups: ["system:masters"], resourceAttributes: mayGet },
        context.admin,
      );
      await review("subject: nobody named", "SubjectAccessReview", { resourceAttributes: mayGet }, context.admin);
      await review("subject: not allowed to ask", "SubjectAccessReview", { user: "x", resourceAttributes: mayGet });
      await review(
        "local: allowed",
        "LocalSubjectAccessReview",
        { user: "row-108-carol", resourceAttributes: mayGet },
        context.admin,
      );
      await review(
        "local: another namespace",
        "LocalSubjectAccessReview",
        { user: "row-108-carol", resourceAttributes: { ...mayGet, namespace: "default" } },
        context.admin,
      );
      await quietly({
        method: "POST",
        path: pathOf("serviceaccounts", namespace),
        body: { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot" } },
      });
      const path = `${pathOf("serviceaccounts", namespace, "robot")}/token`;
      const request = (spec: Json): Json => ({ apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec });
      const token = String(objectOf(await quietly({ method: "POST", path, body: request({}) })).status?.["token"]);
      await send("a token too short", { method: "POST", path, body: request({ expirationSeconds: 60 }) });
      await send("a token of nobody", {
        method: "POST",
        path: `${pathOf("serviceaccounts", namespace, "none")}/token`,
        body: request({}),
      });
      context.note(
        "a token review",
        reviewed(
          await quietly({
            method: "POST",
            path: "/apis/authentication.k8s.io/v1/tokenreviews",
            body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token } },
          }),
        ),
      );
      context.note(
        "a review of nonsense",
        reviewed(
          await quietly({
            method: "POST",
            path: "/apis/authentication.k8s.io/v1/tokenreviews",
            body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token: "nonsense" } },
          }),
        ),
      );
    },
  },
  {
    row: 109,
    title: "impersonation needs a permission for every part of the other user, and answers as that user",
    run: async (context) => {
      const { namespace, send, user } = context;
      const dave = await user("row-109-dave");
      await bindCluster(context, "row-109-dave", [
        { apiGroups: [""], resources: ["users"], resourceNames: ["row-109-erin"], verbs: ["impersonate"] },
        { apiGroups: [""], resources: ["groups"], resourceNames: ["devs"], verbs: ["impersonate"] },
        {
          apiGroups: ["authentication.k8s.io"],
          resources: ["userextras/scopes"],
          resourceNames: ["view"],
          verbs: ["impersonate"],
        },
        { apiGroups: ["authentication.k8s.io"], resources: ["uids"], resourceNames: ["u1"], verbs: ["impersonate"] },
      ]);
      const who = {
        method: "POST",
        path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
        body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
      } as const;
      const erin = { "impersonate-user": "row-109-erin" };
      const account = { "impersonate-user": `system:serviceaccount:${namespace}:robot` };
      await context.eventually({ ...who, as: dave, headers: erin }, (answer) => answer.status === 201);
      const asked: Readonly<Record<string, Readonly<Record<string, string>>>> = {
        "a user": erin,
        "a user and a group": { ...erin, "impersonate-group": "devs" },
        "a user with uid and extra": { ...erin, "impersonate-uid": "u1", "impersonate-extra-scopes": "view" },
        "another user": { "impersonate-user": "row-109-frank" },
        "another group": { ...erin, "impersonate-group": "ops" },
        "another uid": { ...erin, "impersonate-uid": "u2" },
        "another value of an extra": { ...erin, "impersonate-extra-scopes": "edit" },
        "another extra": { ...erin, "impersonate-extra-acme.com%2fproject": "one" },
        "a service account": account,
        "a group and no user": { "impersonate-group": "devs" },
        "a uid and an extra and no user": { "impersonate-uid": "u1", "impersonate-extra-scopes": "view" },
      };
      for (const [step, headers] of Object.entries(asked)) await send(step, { ...who, as: dave, headers });
      await send("an administrator as a service account", { ...who, headers: account });
      const grouped = { ...account, "impersonate-group": "devs" };
      await send("an administrator as a service account with a group", { ...who, headers: grouped });
      await send("what the other user may not", {
        path: pathOf("configmaps", namespace),
        as: dave,
        headers: erin,
      });
    },
  },
  {
    row: 110,
    title: "a credential that is not known is 401, none at all is anonymous",
    run: async ({ namespace, admin, send }) => {
      const bad = { ...admin, credentials: { kind: "token", token: "nonsense" } as const };
      const { cert: _cert, key: _key, ...tls } = admin.tls ?? {};
      const anonymous = { ...admin, tls, credentials: { kind: "anonymous" } as const };
      await send("a bad token", { path: pathOf("configmaps", namespace), as: bad });
      await send("a bad token on an open path", { path: "/healthz", as: bad });
      await send("a token with dots", {
        path: pathOf("configmaps", namespace),
        as: { ...admin, credentials: { kind: "token", token: "a.b.c" } },
      });
      await send("anonymous", { path: pathOf("configmaps", namespace), as: anonymous });
      await send("anonymous at a path", { path: "/metrics", as: anonymous });
      await send("anonymous at /healthz", { path: "/healthz", as: anonymous });
      await send("a scheme that is not known", {
        path: pathOf("configmaps", namespace),
        as: anonymous,
        headers: { authorization: "Weird x" },
      });
    },
  },
];

function reviewed(answer: { readonly status: number; readonly body: unknown }): unknown {
  const { status = {} } = objectOf(answer as Parameters<typeof objectOf>[0]);
  const user = (status["user"] ?? {}) as { readonly extra?: Json };
  const { extra = {}, ...others } = user;
  return { code: answer.status, ...status, user: { ...others, extraKeys: Object.keys(extra).sort() } };
}

async function bind({ namespace, quietly }: RowContext, user: string, rules: readonly Json[]): Promise<void> {
  const path = `${RBAC}/namespaces/${namespace}`;
  await quietly({
    method: "POST",
    path: `${path}/roles`,
    body: { apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", metadata: { name: "rules" }, rules },
  });
  await quietly({
    method: "POST",
    path: `${path}/rolebindings`,
    body: binding("RoleBinding", "rules", { kind: "Role", name: "rules" }, user),
  });
}

async function bindCluster(
  { namespace, quietly, cleanUp }: RowContext,
  user: string,
  rules: readonly Json[],
): Promise<void> {
  await quietly({
    method: "POST",
    path: `${RBAC}/clusterroles`,
    body: { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name: namespace }, rules },
  });
  await quietly({
    method: "POST",
    path: `${RBAC}/clusterrolebindings`,
    body: binding("ClusterRoleBinding", namespace, { kind: "ClusterRole", name: namespace }, user),
  });
  cleanUp(() => quietly({ method: "DELETE", path: `${RBAC}/clusterrolebindings/${namespace}` }));
  cleanUp(() => quietly({ method: "DELETE", path: `${RBAC}/clusterroles/${namespace}` }));
}

function binding(
  kind: string,
  name: string,
  roleRef: { readonly kind: string; readonly name: string },
  user: string,
): Json {
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind,
    metadata: { name },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", ...roleRef },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: user }],
  };
}
