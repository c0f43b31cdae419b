import { mkdir } from "node:fs/promises";
import { isIP } from "node:net";
import path from "node:path";

import { createCertificateAuthority } from "@kubescaffold/apiserver";
import type { GroupKind } from "@kubescaffold/k8s";

import { freePorts } from "../control-plane/managed-process.ts";
import { writePrivateFile } from "../write-private-file.ts";

/** Which webhook configurations are installed, and where the webhook server of the tests listens. */
export interface WebhookInstallOptions {
  /** Files and folders of manifests with webhook configurations. */
  readonly paths?: readonly string[];
  /** More MutatingWebhookConfigurations and ValidatingWebhookConfigurations. */
  readonly configurations?: readonly unknown[];
  /** Kinds whose definitions get the conversion webhook of the tests' server, as the patches of `config/crd` give it to them in a cluster. */
  readonly conversions?: readonly GroupKind[];
  /** Whether a missing path is an error; it is, unless switched off. */
  readonly errorIfPathMissing?: boolean;
  /** Where the webhook server listens: 127.0.0.1 by default. */
  readonly localServingHost?: string;
  /** Under which name the API server reaches it; the host by default. */
  readonly localServingHostExternalName?: string;
  /** A free port when absent. */
  readonly localServingPort?: number;
  /** Where `tls.crt` and `tls.key` are written; a folder of the environment's own when absent. */
  readonly localServingCertDirectory?: string;
}

/** Where a webhook server has to listen so that the API server of an environment finds it. */
export interface WebhookServing {
  readonly host: string;
  readonly port: number;
  /** Holds `tls.crt` and `tls.key`. */
  readonly certDirectory: string;
  /** PEM text of the authority that signed the certificate. */
  readonly ca: string;
  /** Base of the URLs that configurations get. */
  readonly url: string;
}

/** Takes a free port and writes a serving certificate of a new authority into the certificate folder. */
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
  await mkdir(certDirectory, { recursive: true });
  await writePrivateFile(path.join(certDirectory, "tls.crt"), pair.cert);
  await writePrivateFile(path.join(certDirectory, "tls.key"), pair.key);
  const port = options.localServingPort ?? (await freePorts(1, host))[0] ?? 0;
  return {
    host,
    port,
    certDirectory,
    ca: authority.cert,
    url: `https://${isIP(name) === 6 ? `[${name}]` : name}:${String(port)}`,
  };
}
