import { isIP } from "node:net";
import path from "node:path";

import { createCertificateAuthority } from "@kubescaffold/cluster";
import { checkNumbers } from "@kubescaffold/k8s";
import type { GroupKind } from "@kubescaffold/k8s";
import { makeFolder, writePrivateFile } from "@kubescaffold/platform/files";

import { freePorts } from "../control-plane/managed-process.ts";

/**
 * The webhook configurations to install, and the address of the tests' webhook server.
 *
 * controller-runtime: pkg/envtest.WebhookInstallOptions
 */
export interface WebhookInstallOptions {
  /** Files and folders of manifests with webhook configurations. Default: none. */
  readonly paths?: readonly string[];
  /** Additional MutatingWebhookConfigurations and ValidatingWebhookConfigurations. Default: none. */
  readonly configurations?: readonly unknown[];
  /** Kinds whose definitions get the conversion webhook of the tests' server, like the patches of `config/crd` do in a cluster. Default: none. */
  readonly conversions?: readonly GroupKind[];
  /** Fails for a missing path. Default: true. */
  readonly errorIfPathMissing?: boolean;
  /** The address of the webhook server. Default: `127.0.0.1`. */
  readonly localServingHost?: string;
  /** The host name that the API server uses. Default: the address of the webhook server. */
  readonly localServingHostExternalName?: string;
  /** The port of the webhook server. Default: a free port. */
  readonly localServingPort?: number;
  /** The folder for `tls.crt` and `tls.key`. Default: a temporary folder. */
  readonly localServingCertDirectory?: string;
  /** Leaves the `caBundle` to a manager with self-managed certificates, and keeps the one that it wrote. Default: false. */
  readonly selfManagedCertificates?: boolean;
}

/** The address at which a webhook server must listen so that the API server can call it. */
export interface WebhookServing {
  /** The address to listen on. */
  readonly host: string;
  /** The port to listen on. */
  readonly port: number;
  /** The folder with `tls.crt` and `tls.key`. */
  readonly certDirectory: string;
  /** The CA of the certificate as PEM text; empty for one that the API server trusts anyway, and for a manager that makes its certificates itself. */
  readonly ca: string;
  /** The base URL of the installed configurations. */
  readonly url: string;
}

/** Reserves a free port and writes a serving certificate of a new CA into the certificate folder. */
export async function prepareWebhookServing(
  options: WebhookInstallOptions,
  ownDirectory: string,
): Promise<WebhookServing> {
  const { localServingHost: host = "127.0.0.1", localServingCertDirectory: certDirectory = ownDirectory } = options;
  const name = options.localServingHostExternalName ?? host;
  const authority = await createCertificateAuthority("envtest-webhooks");
  const names = [...new Set(["127.0.0.1", "localhost", host, name])];
  const pair = await authority.issueServer({
    dnsNames: names.filter((item) => isIP(item) === 0),
    ipAddresses: names.filter((item) => isIP(item) !== 0),
  });
  makeFolder(certDirectory);
  await writePrivateFile(path.join(certDirectory, "tls.crt"), pair.cert);
  await writePrivateFile(path.join(certDirectory, "tls.key"), pair.key);
  checkNumbers("the webhooks of the environment", options, { localServingPort: "port" });
  const port = options.localServingPort ?? (await freePorts(1, host))[0] ?? 0;
  return {
    host,
    port,
    certDirectory,
    ca: options.selfManagedCertificates === true ? "" : authority.cert,
    url: `https://${isIP(name) === 6 ? `[${name}]` : name}:${String(port)}`,
  };
}

/** Returns the CA of a webhook server as a field of its client configuration. */
export function caBundleOf({ ca }: Pick<WebhookServing, "ca">): { readonly caBundle?: string } {
  return ca === "" ? {} : { caBundle: Buffer.from(ca).toString("base64") };
}

/** How API servers call a webhook at a URL. */
interface CalledAt {
  readonly url?: string;
  readonly caBundle?: string;
}

/** Returns a client configuration with the `caBundle` that the object has in the cluster for the same URL, which a manager wrote. */
export function withLiveBundle<C extends CalledAt>(wanted: C, live: CalledAt | undefined): C {
  const isKept = wanted.caBundle === undefined && wanted.url !== undefined && wanted.url === live?.url;
  return isKept && live.caBundle !== undefined ? { ...wanted, caBundle: live.caBundle } : wanted;
}
