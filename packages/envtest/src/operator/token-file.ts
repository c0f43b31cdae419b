import type { RestConfig } from "@kubescaffold/k8s";
import type { Clock } from "@kubescaffold/platform/clock";
import { writePrivateFile } from "@kubescaffold/platform/files";

import { requestToken, type ServiceAccountName } from "../install/service-accounts.ts";

/** Options of {@link keepToken}. */
export interface TokenFileOptions {
  /** The config of an administrator. */
  readonly config: RestConfig;
  /** The service account of the token. */
  readonly account: ServiceAccountName;
  /** The path of the file. */
  readonly file: string;
  /** The clock of the renewals. */
  readonly clock: Clock;
}

// As kubelets: a token is renewed after four fifths of its life, and a failed renewal repeated.
const RENEWAL_SHARE = 0.8;
const RETRY_MS = 10_000;

/**
 * Writes a token of a service account to a file that only its owner can read, and a new one before it expires.
 *
 * Fails: StatusError when the first token is refused. Returns what stops the renewals.
 */
export async function keepToken({ config, account, file, clock }: TokenFileOptions): Promise<() => void> {
  let isStopped = false;
  let cancel = (): void => undefined;
  const renew = async (): Promise<number> => {
    const { token, expirationTimestamp } = await requestToken(config, account);
    if (!isStopped) await writePrivateFile(file, token);
    return (Date.parse(expirationTimestamp) - clock.now()) * RENEWAL_SHARE;
  };
  const schedule = (delayMs: number): void => {
    if (isStopped) return;
    const timer = clock.setTimeout(() => void renew().then(schedule, () => schedule(RETRY_MS)), delayMs).unref();
    cancel = () => timer.cancel();
  };
  schedule(await renew());
  return () => {
    isStopped = true;
    cancel();
  };
}
