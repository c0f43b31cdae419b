import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";

import { pack } from "tar-stream";
import { onTestFinished } from "vitest";

/** A package of a registry, with its files by path. */
export interface PublishedPackage {
  readonly name: string;
  readonly version: string;
  readonly files: Readonly<Record<string, string>>;
}

/** Starts an npm registry with some packages, which stops when the test ends, and returns its URL and what was requested. */
export async function startPackageRegistry(
  packages: readonly PublishedPackage[],
): Promise<{ readonly url: string; readonly requests: string[] }> {
  const requests: string[] = [];
  const archives = new Map<string, Buffer>();
  for (const { name, files } of packages) archives.set(name, await archiveOf(files));
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "").slice(1);
    requests.push(path);
    const published = packages.find(({ name }) => path === name || path === `${name}/archive.tgz`);
    const archive = archives.get(published?.name ?? "");
    if (archive !== undefined && path.endsWith(".tgz")) {
      response.writeHead(200, { "Content-Type": "application/octet-stream" }).end(archive);
    } else if (published !== undefined && archive !== undefined) {
      const text = JSON.stringify(manifestOf(published, archive, urlOf(server)));
      response.writeHead(200, { "Content-Type": "application/json" }).end(text);
    } else {
      response.writeHead(404, { "Content-Type": "application/json" }).end("{}");
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: urlOf(server), requests };
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

function manifestOf({ name, version }: PublishedPackage, archive: Buffer, url: string): unknown {
  const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
  const tarball = `${url}/${name}/archive.tgz`;
  return {
    name,
    "dist-tags": { latest: version },
    versions: { [version]: { name, version, dist: { tarball, integrity } } },
  };
}

async function archiveOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name: `package/${name}` }, content);
  archive.finalize();
  return gzipSync(await buffer(archive));
}
