import type { RestConfig } from "@kubescaffold/k8s";
import type { Clock } from "@kubescaffold/platform/clock";
import { createToken, type LiveClient } from "@kubescaffold/runtime";

/** A service account of a manager. */
export interface ServiceAccountKey {
  readonly namespace: string;
  readonly name: string;
}

type Credentials = NonNullable<RestConfig["credentials"]>;

/** Provides the credentials with which metrics are read; they reach the Pod. */
export interface MetricsCredentials {
  readonly get: (account: ServiceAccountKey) => Promise<Credentials>;
  /** The user that the Pod sees. */
  readonly userOf: (account: ServiceAccountKey) => string;
  /** Makes the next call return others, since these were refused. */
  readonly forget: (account: ServiceAccountKey) => void;
}

const EXPIRATION_SECONDS = 3600;
const RENEWED_AFTER_MS = 40 * 60_000;

/**
 * Returns credentials that request short-lived tokens of the manager's own service account, so that a Pod receives no credentials that it does not have.
 *
 * client-go: kubernetes/typed/core/v1.ServiceAccountInterface
 */
export function managerCredentials(client: LiveClient, clock: Clock): MetricsCredentials {
  const tokens = new Map<string, { readonly token: Promise<string>; readonly at: number }>();
  const request = async (account: ServiceAccountKey): Promise<string> => {
    const { status } = await createToken(client, account, { audiences: [], expirationSeconds: EXPIRATION_SECONDS });
    return status?.token ?? "";
  };
  return {
    get: async (account) => {
      const key = `${account.namespace}/${account.name}`;
      const known = tokens.get(key);
      const isFresh = known !== undefined && clock.monotonic() - known.at < RENEWED_AFTER_MS;
      const token = isFresh ? known.token : request(account);
      if (!isFresh) tokens.set(key, { token, at: clock.monotonic() });
      try {
        return { kind: "token", token: await token };
      } catch (error) {
        tokens.delete(key);
        throw error;
      }
    },
    userOf: ({ namespace, name }) => `system:serviceaccount:${namespace}:${name}`,
    forget: ({ namespace, name }) => void tokens.delete(`${namespace}/${name}`),
  };
}

/** Returns the credentials of a kubeconfig, which the Pod receives; undefined if they are a client certificate, which is none of these. */
export function userCredentials({ credentials }: RestConfig, user: string): MetricsCredentials | undefined {
  if (credentials === undefined || credentials.kind === "anonymous") return undefined;
  return { get: () => Promise.resolve(credentials), userOf: () => user, forget: () => undefined };
}
