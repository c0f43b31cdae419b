import { isAlreadyExists, type RestConfig } from "@kubescaffold/k8s";
import { createRestClient, type RestClient } from "@kubescaffold/runtime";

/** Names a service account. */
export interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

/** Creates a service account unless it exists, in a namespace that exists, and returns an administrator's config with a token of the account in place. */
export async function addServiceAccount(config: RestConfig, account: ServiceAccountName): Promise<RestConfig> {
  const client = createRestClient(config);
  try {
    await createAccount(client, account);
    const { namespace, name } = account;
    const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
    const { status } = await client.request<{ readonly status: { readonly token: string } }>({
      method: "POST",
      path,
      body: request,
    });
    return withToken(config, status.token);
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

// A client certificate would win over the token.
function withToken({ tls, impersonate: _impersonate, ...config }: RestConfig, token: string): RestConfig {
  const { cert: _cert, key: _key, ...trust } = tls ?? {};
  return { ...config, ...(tls === undefined ? {} : { tls: trust }), credentials: { kind: "token", token } };
}
