import { configMap, pathOf } from "../kinds.ts";
import { objectOf, type Row } from "../row.ts";
import { type Frame, upgrade, type UpgradeAnswer } from "../web-socket.ts";

const ORIGIN = { origin: "http://127.0.0.1" };
const TOKEN_PROTOCOL = "base64url.bearer.authorization.k8s.io.";

export const WATCH_SOCKET_ROWS: readonly Row[] = [
  {
    row: 320,
    title: "watches are served over WebSockets, one event per message",
    run: async ({ namespace, note, quietly, admin, cleanUp }) => {
      const path = pathOf("configmaps", namespace);
      await quietly({ method: "POST", path, body: { ...configMap("first"), data: { key: "value" } } });
      const watch = `${path}?watch=1&fieldSelector=metadata.name=first`;
      const open = async (step: string, call: { path?: string; headers?: Record<string, string> }) => {
        const answer = await upgrade(admin, { path: watch, ...call });
        if (answer.kind === "upgraded") cleanUp(async () => answer.socket.close());
        note(step, factOf(answer));
        return answer;
      };
      const plain = await open("with an origin", { headers: ORIGIN });
      if (plain.kind === "upgraded") {
        note("the existing object", eventOf(await plain.socket.next()));
        await quietly({ method: "DELETE", path: `${path}/first` });
        note("its deletion", eventOf(await plain.socket.next()));
        await quietly({ method: "POST", path, body: { ...configMap("first"), data: { key: "ü" } } });
        note("its creation", eventOf(await plain.socket.next()));
      }
      await open("without an origin", {});
      await open("with a null origin", { headers: { origin: "null" } });
      await open("with an origin that is no URL", { headers: { origin: "a b" } });
      await open("with one protocol", { headers: { ...ORIGIN, "sec-websocket-protocol": "any.thing" } });
      await open("with two protocols", { headers: { ...ORIGIN, "sec-websocket-protocol": "one, two" } });
      await open("with an older version", { headers: { ...ORIGIN, "sec-websocket-version": "8" } });
      await open("without a key", { headers: { ...ORIGIN, "sec-websocket-key": "" } });
      const ended = await open("with a timeout", { path: `${watch}&timeoutSeconds=1`, headers: ORIGIN });
      if (ended.kind === "upgraded") {
        note("the event before the end", eventOf(await ended.socket.next()));
        const last = await ended.socket.next();
        note(
          "the end",
          last === undefined ? "no frame" : { opcode: last.opcode, payload: last.payload.toString("hex") },
        );
      }
      const tables = await open("as a table", {
        headers: { ...ORIGIN, accept: "application/json;as=Table;g=meta.k8s.io;v=v1" },
      });
      if (tables.kind === "upgraded") note("a table", kindOf(await tables.socket.next()));
      const protobuf = await open("in protobuf", {
        headers: { ...ORIGIN, accept: "application/vnd.kubernetes.protobuf;stream=watch" },
      });
      if (protobuf.kind === "upgraded") {
        const frame = await protobuf.socket.next();
        note("an event in protobuf", { opcode: frame?.opcode, start: frame?.payload.subarray(0, 3).toString("hex") });
      }
      await open("for an invalid version", { path: `${path}?watch=1&resourceVersion=x`, headers: ORIGIN });
    },
  },
  {
    row: 321,
    title: "requests that are not watches ignore the header Upgrade",
    run: async ({ namespace, note, quietly, admin }) => {
      const path = pathOf("configmaps", namespace);
      await quietly({ method: "POST", path, body: configMap("one") });
      for (const protocol of ["websocket", "h2c", "other"]) {
        for (const [step, target] of [
          ["get", `${path}/one`],
          ["version", "/version"],
          ["watch", `${path}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name=none`],
        ] as const) {
          if (step === "watch" && protocol === "websocket") continue;
          const answer = await upgrade(admin, { path: target, headers: { ...ORIGIN, upgrade: protocol } });
          note(`${step} with ${protocol}`, answer.kind === "refused" ? { status: answer.status } : "upgraded");
        }
      }
    },
  },
  {
    row: 322,
    title: "a WebSocket's subprotocol can carry a bearer token",
    run: async ({ namespace, note, quietly, eventually, admin }) => {
      const path = pathOf("configmaps", namespace);
      await quietly({ method: "POST", path: pathOf("serviceaccounts", namespace), body: account("socket") });
      const { status } = objectOf(
        await quietly({
          method: "POST",
          path: `${pathOf("serviceaccounts", namespace)}/socket/token`,
          body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} },
        }),
      );
      const token = String(status?.["token"]);
      const anonymous = { server: admin.server, tls: { ca: admin.tls?.ca ?? "" } };
      const open = async (protocols: string) => {
        const headers = { ...ORIGIN, "sec-websocket-protocol": protocols };
        const answer = await upgrade(anonymous, { path: `${path}?watch=1&timeoutSeconds=1`, headers });
        if (answer.kind === "upgraded") answer.socket.close();
        return factOf(answer);
      };
      const encoded = `${TOKEN_PROTOCOL}${Buffer.from(token).toString("base64url")}`;
      note("without a role", await open(`${encoded}, base64.binary.k8s.io`));
      await quietly({ method: "POST", path: pathOf("rolebindings", namespace), body: binding(namespace) });
      await eventually(
        {
          method: "POST",
          path: "/apis/authorization.k8s.io/v1/subjectaccessreviews",
          body: review(namespace),
        },
        (answer) => objectOf(answer).status?.["allowed"] === true,
      );
      note("with a role", await open(`${encoded}, base64.binary.k8s.io`));
      note("without another protocol", await open(encoded));
      note("with two others", await open(`${encoded}, one, two`));
      note("with two tokens", await open(`${encoded}, ${encoded}, one`));
      note("with an unknown token", await open(`${TOKEN_PROTOCOL}dW5rbm93bg, one`));
      note("with another encoding", await open(`${TOKEN_PROTOCOL}a=b, one`));
      note("with an empty token", await open(`${TOKEN_PROTOCOL}, one`));
    },
  },
];

function factOf(answer: UpgradeAnswer): unknown {
  if (answer.kind === "upgraded") return { status: 101, protocol: answer.protocol ?? "none" };
  const { status, contentType, text } = answer;
  return {
    status,
    contentType: contentType ?? "none",
    text: text.startsWith("{") ? (JSON.parse(text) as unknown) : text,
  };
}

function eventOf(frame: Frame | undefined): unknown {
  if (frame === undefined) return "the connection ended";
  const text = frame.payload.toString("utf8");
  const { type, object } = JSON.parse(text) as { readonly type: string; readonly object: { readonly data?: unknown } };
  return { opcode: frame.opcode, hasNewline: text.endsWith("\n"), type, data: object.data };
}

function kindOf(frame: Frame | undefined): unknown {
  if (frame === undefined) return "the connection ended";
  const { type, object } = JSON.parse(frame.payload.toString("utf8")) as {
    readonly type: string;
    readonly object: { readonly kind: string; readonly reason?: string };
  };
  return { opcode: frame.opcode, type, kind: object.kind, reason: object.reason ?? "none" };
}

function account(name: string): unknown {
  return { apiVersion: "v1", kind: "ServiceAccount", metadata: { name } };
}

function binding(namespace: string): unknown {
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    metadata: { name: "socket" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
    subjects: [{ kind: "ServiceAccount", name: "socket", namespace }],
  };
}

function review(namespace: string): unknown {
  return {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SubjectAccessReview",
    spec: {
      user: `system:serviceaccount:${namespace}:socket`,
      resourceAttributes: { namespace, verb: "watch", resource: "configmaps" },
    },
  };
}
