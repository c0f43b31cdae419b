import { access, readFile } from "node:fs/promises";
import { isIP } from "node:net";
import path from "node:path";

import { createCertificateAuthority, type KeyPair } from "@kubescaffold/cluster";
import { makeFolder, replaceFile, writePrivateFile } from "@kubescaffold/platform/files";

import { ServerFlagError } from "../failures/errors.ts";

const DNS_NAMES = ["localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"];

/** The flags of the serving certificate. */
export interface ServingCertificateFlags {
  readonly host: string;
  readonly directory: string | undefined;
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
}

/** A serving certificate, and how it is saved for the next start. */
export interface ServingCertificate {
  readonly pair: KeyPair;
  /** Writes the files of a new certificate; does nothing for one that was read. Fails: {@link ServerFlagError}. */
  readonly save: () => Promise<void>;
}

/**
 * Returns the serving certificate of the given files, or of `apiserver.crt` and `apiserver.key` in the folder, or else a new one; writes nothing.
 *
 * Fails: {@link ServerFlagError} when a file cannot be read, or one of the two flags is missing.
 */
export async function servingCertificate({
  host,
  directory,
  certFile,
  keyFile,
}: ServingCertificateFlags): Promise<ServingCertificate> {
  if ((certFile ?? "") !== "" || (keyFile ?? "") !== "") {
    if (!certFile || !keyFile) {
      throw new ServerFlagError("cannot serve TLS: --tls-cert-file and --tls-private-key-file need each other");
    }
    return saved(await readPair(certFile, keyFile));
  }
  if (!directory) return saved(await createPair(host));
  const files = [path.join(directory, "apiserver.crt"), path.join(directory, "apiserver.key")] as const;
  if (await exists(files[0])) return saved(await readPair(...files));
  const pair = await createPair(host);
  return { pair, save: async () => await writePair(pair, ...files) };
}

function saved(pair: KeyPair): ServingCertificate {
  return { pair, save: async () => undefined };
}

async function writePair(pair: KeyPair, certFile: string, keyFile: string): Promise<void> {
  try {
    makeFolder(path.resolve(path.dirname(certFile)));
    await writePrivateFile(keyFile, pair.key);
    await replaceFile(certFile, pair.cert);
  } catch (error) {
    throw new ServerFlagError(`cannot write the serving certificate: ${(error as Error).message}`, {
      hint: "pass a folder that the current user can write with --cert-dir",
      cause: error,
    });
  }
}

// The authority follows the certificate, so that clients can use the file as their CA.
async function createPair(host: string): Promise<KeyPair> {
  const authority = await createCertificateAuthority("embedded-kube-apiserver");
  const addresses = new Set(["127.0.0.1", ...(isIP(host) === 0 ? [] : [host])]);
  const { cert, key } = await authority.issueServer({ dnsNames: DNS_NAMES, ipAddresses: [...addresses] });
  return { cert: `${cert.trimEnd()}\n${authority.cert.trimEnd()}\n`, key };
}

async function readPair(certFile: string, keyFile: string): Promise<KeyPair> {
  try {
    return { cert: await readFile(certFile, "utf8"), key: await readFile(keyFile, "utf8") };
  } catch (error) {
    throw new ServerFlagError(`cannot read the serving certificate: ${(error as Error).message}`, { cause: error });
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    return false;
  }
}
