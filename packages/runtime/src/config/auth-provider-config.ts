import { type PathOptions, readKubeconfig } from "./kubeconfig-paths.ts";
import type { Kubeconfig } from "./kubeconfig.ts";
import { modifyKubeconfig, type ModifyKubeconfigOptions } from "./modify-kubeconfig.ts";

/** The settings of the auth-provider `oidc`, except for its certificate authority. */
export const OIDC_SETTINGS = {
  issuerUrl: "idp-issuer-url",
  clientId: "client-id",
  clientSecret: "client-secret",
  idToken: "id-token",
  refreshToken: "refresh-token",
} as const;

type Settings = Readonly<Record<string, string>>;

/** Returns the auth-provider settings of a user in kubeconfig files; undefined without any. */
export async function readAuthProviderConfig(paths: PathOptions, user: string): Promise<Settings | undefined> {
  const { users } = await readKubeconfig(paths, { resolvePaths: false });
  return users.get(user)?.["auth-provider"]?.config ?? undefined;
}

/**
 * Changes auth-provider settings of a kubeconfig user, such as refreshed tokens, in the file that contains the user.
 *
 * Guarantees: other settings stay as they are in the file; without the user or its auth-provider, nothing is written.
 * Fails: the errors of `modifyKubeconfig`.
 *
 * client-go: tools/clientcmd.PersisterForUser
 */
export async function persistAuthProviderConfig(
  paths: PathOptions,
  change: { readonly user: string; readonly settings: Settings },
  options: Omit<ModifyKubeconfigOptions, "relativizePaths"> = {},
): Promise<void> {
  const changed = (config: Kubeconfig): Kubeconfig => {
    const user = config.users.get(change.user);
    const provider = user?.["auth-provider"] ?? undefined;
    if (user === undefined || provider === undefined) {
      return config;
    }
    const settings = { ...provider.config, ...change.settings };
    const users = new Map(config.users);
    return {
      ...config,
      users: users.set(change.user, { ...user, "auth-provider": { ...provider, config: settings } }),
    };
  };
  await modifyKubeconfig(paths, changed, options);
}
