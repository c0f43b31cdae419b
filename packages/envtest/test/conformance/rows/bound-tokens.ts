import { pathOf } from "../kinds.ts";
import { type Answer, objectOf, type Row, type RowContext } from "../row.ts";

const REVIEWS = "/apis/authentication.k8s.io/v1/tokenreviews";
const SECRET = { apiVersion: "v1", kind: "Secret", metadata: { name: "bound" } };

export const BOUND_TOKEN_ROWS: readonly Row[] = [
  {
    row: 323,
    title: "tokens of service accounts are bound to Pods, Secrets, and Nodes",
    run: async (context) => {
      const { namespace, send, note, quietly, cleanUp } = context;
      const node = `${namespace}-node`;
      await quietly({ method: "POST", path: "/api/v1/nodes", body: nodeNamed(node) });
      cleanUp(() => quietly({ method: "DELETE", path: `/api/v1/nodes/${node}` }));
      for (const name of ["runner", "other"]) {
        const body = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name } };
        await quietly({ method: "POST", path: pathOf("serviceaccounts", namespace), body });
      }
      await quietly({ method: "POST", path: pathOf("pods", namespace), body: podOf("scheduled", node) });
      await quietly({ method: "POST", path: pathOf("pods", namespace), body: podOf("lost", "no-such-node") });
      await quietly({ method: "POST", path: pathOf("secrets", namespace), body: SECRET });
      for (const [step, ref] of [
        ["a Pod on a Node", { kind: "Pod", apiVersion: "v1", name: "scheduled" }],
        ["a Pod on an unknown Node", { kind: "Pod", apiVersion: "v1", name: "lost" }],
        ["a Secret", { kind: "Secret", apiVersion: "v1", name: "bound" }],
        ["a Node", { kind: "Node", apiVersion: "v1", name: node }],
        ["another version", { kind: "Pod", apiVersion: "v9", name: "scheduled" }],
      ] as const) {
        const token = tokenOf(await request(context, "runner", ref));
        note(`claims of ${step}`, claimsOf(token));
        note(`review of ${step}`, await reviewed(context, token));
      }
      for (const [step, account, ref] of [
        ["a Pod of another account", "other", { kind: "Pod", apiVersion: "v1", name: "scheduled" }],
        ["a missing Pod", "runner", { kind: "Pod", apiVersion: "v1", name: "none" }],
        ["a missing Secret", "runner", { kind: "Secret", apiVersion: "v1", name: "none" }],
        ["a missing Node", "runner", { kind: "Node", apiVersion: "v1", name: "none" }],
        ["another kind", "runner", { kind: "ConfigMap", apiVersion: "v1", name: "none" }],
        ["another group", "runner", { kind: "Deployment", apiVersion: "apps/v1", name: "none" }],
        ["no kind", "runner", {}],
        ["another UID", "runner", { kind: "Secret", apiVersion: "v1", name: "bound", uid: "other" }],
      ] as const)
        await send(step, tokenRequest(namespace, account, { boundObjectRef: ref }));
      await send("another UID of the account", {
        ...tokenRequest(namespace, "runner", {}),
        body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", metadata: { uid: "other" }, spec: {} },
      });
      await send("another namespace", {
        ...tokenRequest(namespace, "runner", {}),
        body: {
          apiVersion: "authentication.k8s.io/v1",
          kind: "TokenRequest",
          metadata: { namespace: "other" },
          spec: {},
        },
      });
      const long = await request(context, "runner", { kind: "Pod", apiVersion: "v1", name: "scheduled" }, 3607);
      note("the status of an hour and seven seconds", objectOf(long).spec?.["expirationSeconds"]);
      note("its token", lifetimeOf(tokenOf(long)));
    },
  },
  {
    row: 324,
    title: "bound tokens are invalid once their object is gone",
    run: async (context) => {
      const { namespace, note, quietly, eventually } = context;
      const body = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "runner" } };
      await quietly({ method: "POST", path: pathOf("serviceaccounts", namespace), body });
      const secrets = pathOf("secrets", namespace);
      const ref = { kind: "Secret", apiVersion: "v1", name: "bound" };
      await quietly({ method: "POST", path: secrets, body: SECRET });
      const token = tokenOf(await request(context, "runner", ref));
      note("while it exists", await reviewed(context, token));
      await quietly({ method: "DELETE", path: `${secrets}/bound` });
      note("after its deletion", await eventuallyRefused(context, token));
      await quietly({ method: "POST", path: secrets, body: SECRET });
      note(
        "after its recreation",
        statusOf(await eventually(review(token), (answer) => errorOf(answer).includes("does not match"))),
      );
      const plain = tokenOf(await request(context, "runner"));
      note("without a bound object", await reviewed(context, plain));
      await quietly({ method: "DELETE", path: `${pathOf("serviceaccounts", namespace)}/runner` });
      note("after the deletion of the account", await eventuallyRefused(context, plain));
      await quietly({ method: "POST", path: pathOf("serviceaccounts", namespace), body });
      note(
        "after the recreation of the account",
        statusOf(await eventually(review(plain), (answer) => errorOf(answer).includes("does not match"))),
      );
    },
  },
];

function tokenRequest(namespace: string, account: string, spec: object) {
  return {
    method: "POST",
    path: `${pathOf("serviceaccounts", namespace)}/${account}/token`,
    body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec },
  } as const;
}

async function request(
  { namespace, quietly }: RowContext,
  account: string,
  boundObjectRef?: object,
  expirationSeconds?: number,
): Promise<Answer> {
  return await quietly(tokenRequest(namespace, account, { boundObjectRef, expirationSeconds }));
}

function tokenOf(answer: Answer): string {
  return String(objectOf(answer).status?.["token"]);
}

interface Claims {
  readonly exp: number;
  readonly iat: number;
  readonly "kubernetes.io": Readonly<Record<string, unknown>>;
}

function claimsIn(token: string): Claims {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8")) as Claims;
}

function claimsOf(token: string): unknown {
  return claimsIn(token)["kubernetes.io"];
}

function lifetimeOf(token: string): unknown {
  const { exp, iat, "kubernetes.io": kubernetes } = claimsIn(token);
  return { seconds: exp - iat, warnsAfter: Number(kubernetes["warnafter"]) - iat };
}

function review(token: string) {
  const spec = { token };
  return {
    method: "POST",
    path: REVIEWS,
    body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec },
  } as const;
}

async function reviewed({ quietly }: RowContext, token: string): Promise<unknown> {
  return statusOf(await quietly(review(token)));
}

async function eventuallyRefused({ eventually }: RowContext, token: string): Promise<unknown> {
  return statusOf(await eventually(review(token), (answer) => errorOf(answer) !== ""));
}

function statusOf(answer: Answer): unknown {
  const status = JSON.parse(JSON.stringify(objectOf(answer).status)) as {
    user?: { extra?: Record<string, unknown> };
  };
  // Differs with each token.
  delete status.user?.extra?.["authentication.kubernetes.io/credential-id"];
  return status;
}

function errorOf(answer: Answer): string {
  const error = objectOf(answer).status?.["error"];
  return typeof error === "string" ? error : "";
}

function nodeNamed(name: string): unknown {
  // kwok and the scheduler leave it alone.
  return { apiVersion: "v1", kind: "Node", metadata: { name }, spec: { unschedulable: true } };
}

function podOf(name: string, nodeName: string): unknown {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: { nodeName, serviceAccountName: "runner", containers: [{ name: "main", image: "main:1" }] },
  };
}
