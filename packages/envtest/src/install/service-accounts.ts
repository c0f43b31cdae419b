import { type Credentials, isAlreadyExists, isNotFound, type RestConfig } from "@kubescaffold/k8s";
import { ClusterRole, ClusterRoleBinding } from "@kubescaffold/k8s/rbac/v1";
import { createRestClient, type RestClient } from "@kubescaffold/runtime";

import { createOrUpdate, readManifests } from "./manifests.ts";

/** Identifies a service account. */
export interface ServiceAccountName {
  /** The namespace of the service account. */
  readonly namespace: string;
  /** The name of the service account. */
  readonly name: string;
}

/** Options of {@link Environment.addServiceAccount}. */
export interface ServiceAccountOptions {
  /**
   * Files of manifests with roles, such as `config/rbac/role.yaml`. The account gets their rules in all namespaces, since tests check the permissions
   * of a manager and not their scope. Default: none.
   */
  readonly roles?: readonly string[];
}

const ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
const KINDS: ReadonlySet<string> = new Set(["ClusterRole", "Role"]);
const BINDINGS = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";

/** Grants the rules of roles to a service account. Fails: ManifestPathMissingError. */
export async function grantRoles(
  config: RestConfig,
  account: ServiceAccountName,
  paths: readonly string[],
): Promise<void> {
  const manifests = await readManifests({ paths, what: "roles", errorIfPathMissing: true });
  const rules = manifests.filter(({ kind }) => KINDS.has(kind)).flatMap((role) => (role as ClusterRole).rules ?? []);
  const name = nameOfGrant(account);
  const roleRef = { apiGroup: ClusterRole.group, kind: ClusterRole.kind, name };
  const subjects = [{ kind: "ServiceAccount", ...account }];
  const client = createRestClient(config);
  try {
    await createOrUpdate(client, ROLES, ClusterRole.create({ metadata: { name }, rules }));
    await createOrUpdate(client, BINDINGS, ClusterRoleBinding.create({ metadata: { name }, roleRef, subjects }));
  } finally {
    await client.close();
  }
}

/** Revokes the rules of {@link grantRoles}; missing roles are ignored. */
export async function revokeRoles(config: RestConfig, account: ServiceAccountName): Promise<void> {
  const client = createRestClient(config);
  try {
    for (const collection of [BINDINGS, ROLES]) {
      const path = `${collection}/${nameOfGrant(account)}`;
      await client.request({ method: "DELETE", path }).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    }
  } finally {
    await client.close();
  }
}

function nameOfGrant({ namespace, name }: ServiceAccountName): string {
  return `kubescaffold-test-${namespace}-${name}`;
}

const LONGEST_TOKEN_SECONDS = 2 ** 32;

/** Creates a service account unless it exists, and returns the administrator's config with a token of the account. */
export async function addServiceAccount(config: RestConfig, account: ServiceAccountName): Promise<RestConfig> {
  // A test may advance the clock of the server in this process by years.
  const expirationSeconds = config.transport === undefined ? undefined : LONGEST_TOKEN_SECONDS;
  const { token } = await requestToken(config, account, expirationSeconds);
  return withCredentials(config, { kind: "token", token });
}

/** A token of a service account. */
export interface ServiceAccountToken {
  /** The bearer token. */
  readonly token: string;
  /** The time at which the token expires, in RFC 3339. */
  readonly expirationTimestamp: string;
}

/** Creates a service account unless it exists, and returns a token of the account. Default of its lifetime: the server's, an hour. */
export async function requestToken(
  config: RestConfig,
  account: ServiceAccountName,
  expirationSeconds?: number,
): Promise<ServiceAccountToken> {
  const client = createRestClient(config);
  try {
    await createAccount(client, account);
    const { namespace, name } = account;
    const spec = expirationSeconds === undefined ? {} : { expirationSeconds };
    const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec };
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
    const { status } = await client.request<{ readonly status: ServiceAccountToken }>({
      method: "POST",
      path,
      body: request,
    });
    return status;
  } finally {
    await client.close();
  }
}

async function createAccount(client: RestClient, { namespace, name }: ServiceAccountName): Promise<void> {
  const body = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace } };
  await client
    .request({ method: "POST", path: `/api/v1/namespaces/${namespace}/serviceaccounts`, body })
    .catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
}

/** Returns a config with other credentials; a client certificate would take precedence over them. */
export function withCredentials(
  { tls, impersonate: _impersonate, ...config }: RestConfig,
  credentials: Credentials,
): RestConfig {
  const { cert: _cert, key: _key, ...trust } = tls ?? {};
  return { ...config, ...(tls === undefined ? {} : { tls: trust }), credentials };
}
