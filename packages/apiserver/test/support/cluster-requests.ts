import { printServerJson, type RestConfig } from "@kubescaffold/k8s";

/** What the server answered. */
export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly warnings: string | null;
}

/** Sends requests as one user, in this process. */
export interface Requests {
  get(path: string): Promise<Answer>;
  post(path: string, body: object): Promise<Answer>;
  put(path: string, body: object): Promise<Answer>;
  /** Sends a merge patch. */
  patch(path: string, body: object): Promise<Answer>;
  delete(path: string, body?: object): Promise<Answer>;
}

/** Speaks to a cluster as the user of a config, with more headers where given. */
export function requestsOf(config: RestConfig, headers: readonly (readonly [string, string])[] = []): Requests {
  const send = async (method: string, path: string, body?: object): Promise<Answer> => {
    const contentType = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const all = new Headers({ "content-type": contentType, ...authorization(config) });
    for (const [name, value] of headers) {
      if (name === "content-type") all.set(name, value);
      else all.append(name, value);
    }
    const request = new Request(`http://cluster${path}`, {
      method,
      headers: all,
      ...(body === undefined ? {} : { body: printServerJson(body) }),
    });
    const response = await config.transport?.(request);
    if (response === undefined) throw new TypeError("the config has no transport");
    const text = await response.text();
    return {
      status: response.status,
      body: text.startsWith("{") ? (JSON.parse(text) as Answer["body"]) : { text },
      warnings: response.headers.get("warning"),
    };
  };
  return {
    get: async (path) => send("GET", path),
    post: async (path, body) => send("POST", path, body),
    put: async (path, body) => send("PUT", path, body),
    patch: async (path, body) => send("PATCH", path, body),
    delete: async (path, body) => send("DELETE", path, body),
  };
}

/** Makes the body of a namespace. */
export function namespaceOf(name: string): object {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name } };
}

/** Makes the body of a ConfigMap. */
export function configMapOf(name: string, metadata: object = {}): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...metadata }, data: { a: "1" } };
}

/** Makes the body of a role, cluster-wide or not. */
export function roleOf(
  kind: "Role" | "ClusterRole",
  name: string,
  rules: readonly object[],
  more: object = {},
): object {
  return { apiVersion: "rbac.authorization.k8s.io/v1", kind, metadata: { name }, rules, ...more };
}

/** Makes the body of a binding of a role to users. */
export function bindingOf(
  kind: "RoleBinding" | "ClusterRoleBinding",
  name: string,
  role: { readonly kind: string; readonly name: string; readonly users: readonly string[] },
): object {
  const apiGroup = "rbac.authorization.k8s.io";
  return {
    apiVersion: `${apiGroup}/v1`,
    kind,
    metadata: { name },
    roleRef: { apiGroup, kind: role.kind, name: role.name },
    subjects: role.users.map((user) => ({ apiGroup, kind: "User", name: user })),
  };
}

/** Where roles and bindings of the whole cluster are. */
export const RBAC = "/apis/rbac.authorization.k8s.io/v1";

function authorization({ credentials }: RestConfig): Readonly<Record<string, string>> {
  return credentials?.kind === "token" ? { authorization: `Bearer ${credentials.token}` } : {};
}
