import type { OidcConfig, RestConfig } from "@kubescaffold/k8s";

import { BackendUnsupportedError } from "../failures/errors.ts";

/**
 * Returns a kubeconfig, in the JSON that is also YAML, with one context for a config.
 *
 * Fails: {@link BackendUnsupportedError} when the config has no address that another process could reach.
 */
export function kubeconfigOf(config: RestConfig, name = "envtest"): string {
  if (!/^https?:/u.test(config.server)) {
    throw new BackendUnsupportedError(
      `cannot write a kubeconfig for ${config.server}: other processes cannot reach it`,
    );
  }
  const document = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: clusterOf(config) }],
    users: [{ name, user: userOf(config) }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    "current-context": name,
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function clusterOf({ server, tls, proxyUrl }: RestConfig): Readonly<Record<string, unknown>> {
  return defined({
    server,
    "certificate-authority-data": base64(tls?.ca),
    "tls-server-name": tls?.serverName,
    "insecure-skip-tls-verify": tls?.insecureSkipTlsVerify,
    "proxy-url": proxyUrl,
  });
}

function userOf({ tls, credentials, impersonate }: RestConfig): Readonly<Record<string, unknown>> {
  return defined({
    "client-certificate-data": base64(tls?.cert),
    "client-key-data": base64(tls?.key),
    ...credentialFields(credentials),
    as: impersonate?.userName,
    "as-uid": impersonate?.uid,
    "as-groups": impersonate?.groups,
    "as-user-extra": impersonate?.extra,
  });
}

function credentialFields(credentials: RestConfig["credentials"]): Readonly<Record<string, unknown>> {
  switch (credentials?.kind) {
    case "token":
      return { token: credentials.token };
    case "token-file":
      return { tokenFile: credentials.path };
    case "basic":
      return { username: credentials.username, password: credentials.password };
    case "exec":
      return { exec: credentials.exec };
    case "oidc":
      return { "auth-provider": { name: "oidc", config: oidcSettings(credentials.oidc) } };
    case "anonymous":
    case undefined:
    default:
      return {};
  }
}

function oidcSettings(oidc: OidcConfig): Readonly<Record<string, unknown>> {
  return defined({
    "idp-issuer-url": oidc.issuerUrl,
    "client-id": oidc.clientId,
    "client-secret": oidc.clientSecret,
    "id-token": oidc.idToken,
    "refresh-token": oidc.refreshToken,
    "idp-certificate-authority-data": base64(oidc.ca),
  });
}

function base64(pem: string | undefined): string | undefined {
  return pem === undefined ? undefined : Buffer.from(pem).toString("base64");
}

function defined(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
