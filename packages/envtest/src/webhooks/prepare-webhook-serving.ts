import { mkdir, writeFile } from "node:fs/promises";
import { isIP } from "node:net";
import path from "node:path";

import { createCertificateAuthority } from "@kubescaffold/apiserver";

import { freePorts } from "../control-plane/free-port.ts";
import type { WebhookInstallOptions, WebhookServing } from "./webhook-install-options.ts";

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
  await writeFile(path.join(certDirectory, "tls.crt"), pair.cert);
  await writeFile(path.join(certDirectory, "tls.key"), pair.key, { mode: 0o600 });
  const port = options.localServingPort ?? (await freePorts(1, host))[0] ?? 0;
  return {
    host,
    port,
    certDirectory,
    ca: authority.cert,
    url: `https://${isIP(name) === 6 ? `[${name}]` : name}:${String(port)}`,
  };
}
