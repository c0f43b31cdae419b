import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";

import { pack } from "tar-stream";

/** A server of an index and its archives. */
export interface ReleaseServer {
  readonly url: string;
  readonly indexUrl: string;
  readonly requests: string[];
  readonly close: () => Promise<void>;
}

/** Starts the server, which also has other files. */
export async function startReleaseServer(others: Readonly<Record<string, string>> = {}): Promise<ReleaseServer> {
  const files = new Map<string, Buffer>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    const file = files.get(request.url ?? "");
    response.writeHead(file === undefined ? 404 : 200).end(file);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  for (const [name, content] of Object.entries(await archives())) files.set(`/${name}`, content);
  files.set("/index.yaml", Buffer.from(indexOf(url, files)));
  for (const [name, text] of Object.entries(others)) files.set(`/${name}`, Buffer.from(text));
  return { url, indexUrl: `${url}/index.yaml`, requests, close: async () => closeServer(server) };
}

async function archives(): Promise<Readonly<Record<string, Buffer>>> {
  const programs = async (version: string): Promise<Buffer> =>
    archive(
      Object.fromEntries(
        ["etcd", "kube-apiserver", "kubectl"].map((name) => [`controller-tools/envtest/${name}`, `${name} ${version}`]),
      ),
    );
  return {
    "envtest-v1.31.0-linux-amd64.tar.gz": await programs("1.31.0"),
    "envtest-v1.31.2-linux-amd64.tar.gz": await programs("1.31.2"),
    "envtest-v1.32.1-linux-arm64.tar.gz": await programs("1.32.1"),
    "envtest-v1.30.0-linux-amd64.tar.gz": await programs("1.30.0"),
    "envtest-v1.29.0-linux-amd64.tar.gz": Buffer.from("no archive"),
    "envtest-v1.28.0-linux-amd64.tar.gz": await archive({ "../../../escaped": "x", "kube-apiserver": "y" }),
  };
}

/** Packs files into a compressed archive. */
export async function archive(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const tar = pack();
  for (const [name, content] of Object.entries(files)) tar.entry({ name, mode: 0o755 }, content);
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return gzipSync(Buffer.concat(chunks));
}

function indexOf(url: string, files: ReadonlyMap<string, Buffer>): string {
  const lines = [...files].flatMap(([file, content]) => {
    const name = file.slice(1);
    const version = /v[\d.]+(?=-)/u.exec(name)?.[0] ?? "";
    const hash = createHash("sha512")
      .update(version === "v1.30.0" ? "another archive" : content)
      .digest("hex");
    return [`  ${version}:`, `    ${name}:`, `      hash: ${hash}`, `      selfLink: ${url}${file}`];
  });
  return ["releases:", ...lines, ""].join("\n");
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
