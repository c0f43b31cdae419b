import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

import { onTestFinished } from "vitest";

/** Who may do what in a registry: anyone everything, those with the password, those with a token that the password or nothing buys. */
export type RegistryAuth =
  | { readonly kind: "none" }
  | { readonly kind: "basic"; readonly username: string; readonly password: string }
  | { readonly kind: "bearer"; readonly username: string; readonly password: string; readonly anonymousPull: boolean };

/** What a registry does in place of its work. */
export type Fault =
  | { readonly kind: "status"; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: "body"; readonly body: string }
  | { readonly kind: "cut" };

/** A request as the registry saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
}

interface StoredManifest {
  readonly mediaType: string;
  readonly bytes: Buffer;
}

interface Repository {
  readonly blobs: Map<string, Buffer>;
  readonly manifests: Map<string, StoredManifest>;
}

/** A registry on a port of this machine that speaks the distribution protocol, and fails on request. */
export class TestRegistry {
  readonly seen: SeenRequest[] = [];
  auth: RegistryAuth = { kind: "none" };
  knowsReferrers = true;
  mounts = true;
  /** Is asked before every request. */
  fault: (request: SeenRequest) => Fault | undefined = () => undefined;
  readonly #repositories = new Map<string, Repository>();
  readonly #tokens = new Map<string, readonly string[]>();
  /** What came of each upload so far. */
  readonly #uploads = new Map<string, Buffer>();
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Starts a registry that is stopped when the test ends. Default: a free port. */
  static async start(port = 0): Promise<TestRegistry> {
    const server = createServer();
    const registry = new TestRegistry(server);
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      registry.#serve(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
    });
    await new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve));
    onTestFinished(() => registry.#stop());
    return registry;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  repository(name: string): Repository {
    const found = this.#repositories.get(name) ?? { blobs: new Map(), manifests: new Map() };
    this.#repositories.set(name, found);
    return found;
  }

  /** Returns a manifest that was stored, as an object. */
  manifest<Manifest>(name: string, reference: string): Manifest {
    const stored = this.repository(name).manifests.get(reference);
    if (stored === undefined) throw new Error(`the registry has no ${name}:${reference}`);
    return JSON.parse(stored.bytes.toString("utf8")) as Manifest;
  }

  /** Returns the requests of a method, as paths. */
  paths(method: string): readonly string[] {
    return this.seen.filter((each) => each.method === method).map(({ path }) => path);
  }

  /** Forgets the uploads that were begun. */
  forgetUploads(): void {
    this.#uploads.clear();
  }

  /** Takes none of the tokens any more that it gave. */
  forgetTokens(): void {
    this.#tokens.clear();
  }

  async #stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", url = "/", headers } = request;
    const address = new URL(url, `http://${this.host}`);
    const { authorization } = headers;
    const seen = { method, path: `${address.pathname}${address.search}`, authorization };
    this.seen.push(seen);
    const body = await buffer(request);
    const fault = this.fault(seen);
    if (fault !== undefined) return falter(fault, response);
    if (address.pathname === "/token") return this.#giveToken(address, authorization, response);
    if (address.pathname === "/v2/" && this.auth.kind === "none") return void response.writeHead(200).end();
    const [, name = "", what = "", reference = ""] =
      /^\/v2\/(.+)\/(manifests|blobs\/uploads|blobs|referrers)\/?([^/]*)$/u.exec(address.pathname) ?? [];
    if (!this.#allows(name, method, authorization)) return this.#challenge(name, method, response);
    const call = { method, name, reference, address, body, response, mediaType: headers["content-type"] ?? "" };
    if (what === "manifests") return this.#serveManifest(call);
    if (what === "blobs") return this.#serveBlob(call);
    if (what === "blobs/uploads") return this.#serveUpload(call);
    if (what === "referrers" && this.knowsReferrers) return this.#serveReferrers(call);
    return refuse(response, 404, "UNSUPPORTED");
  }

  #allows(name: string, method: string, authorization = ""): boolean {
    const { auth } = this;
    if (auth.kind === "none") return true;
    if (auth.kind === "basic") return authorization === basic(auth);
    const granted = this.#tokens.get(authorization.replace("Bearer ", "")) ?? [];
    return granted.includes(`${name}:${isReading(method) ? "pull" : "push"}`);
  }

  #challenge(name: string, method: string, response: ServerResponse): void {
    const scope = `repository:${name}:${isReading(method) ? "pull" : "pull,push"}`;
    const challenge =
      this.auth.kind === "basic"
        ? 'Basic realm="test"'
        : `Bearer realm="http://${this.host}/token",service="test registry",scope="${scope}"`;
    response.setHeader("www-authenticate", challenge);
    refuse(response, 401, "UNAUTHORIZED");
  }

  #giveToken(address: URL, authorization: string | undefined, response: ServerResponse): void {
    const { auth } = this;
    if (auth.kind !== "bearer") return refuse(response, 404, "UNSUPPORTED");
    if (authorization !== undefined && authorization !== basic(auth)) return refuse(response, 401, "UNAUTHORIZED");
    const granted = address.searchParams.getAll("scope").flatMap((scope) => {
      const [, name = "", actions = ""] = /^repository:(.+):([a-z,]+)$/u.exec(scope) ?? [];
      const allowed = authorization === undefined ? (auth.anonymousPull ? ["pull"] : []) : ["pull", "push"];
      return actions
        .split(",")
        .filter((action) => allowed.includes(action))
        .map((action) => `${name}:${action}`);
    });
    const token = randomUUID();
    this.#tokens.set(token, granted);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ token }));
  }

  #serveManifest({ method, name, reference, body, response, mediaType }: Call): void {
    const { manifests, blobs } = this.repository(name);
    if (method === "PUT") {
      const value = JSON.parse(body.toString("utf8")) as Manifest;
      const parts = [value.config, ...(value.layers ?? []), ...(value.manifests ?? [])].flatMap((part) => part ?? []);
      const missing = parts.find(({ digest }) => !blobs.has(digest) && !manifests.has(digest));
      if (missing !== undefined && value.subject === undefined && !reference.startsWith("sha256-"))
        return refuse(response, 404, "MANIFEST_BLOB_UNKNOWN", missing.digest);
      const digest = digestOf(body);
      manifests.set(reference, { mediaType, bytes: body });
      manifests.set(digest, { mediaType, bytes: body });
      if (value.subject !== undefined && this.knowsReferrers) response.setHeader("oci-subject", value.subject.digest);
      response.writeHead(201, { "docker-content-digest": digest, location: `/v2/${name}/manifests/${digest}` }).end();
      return;
    }
    const stored = manifests.get(reference);
    if (stored === undefined) return refuse(response, 404, "MANIFEST_UNKNOWN", reference);
    const { mediaType: type, bytes } = stored;
    const headers = { "content-type": type, "content-length": String(bytes.byteLength) };
    response.writeHead(200, { ...headers, "docker-content-digest": digestOf(bytes) });
    response.end(method === "HEAD" ? undefined : bytes);
  }

  #serveReferrers({ name, reference, response }: Call): void {
    const listed = [...this.repository(name).manifests].flatMap(([digest, { mediaType, bytes }]) => {
      const value = JSON.parse(bytes.toString("utf8")) as Manifest;
      if (!digest.startsWith("sha256:") || value.subject?.digest !== reference) return [];
      const { artifactType, annotations } = value;
      return [{ mediaType, digest, size: bytes.byteLength, artifactType, annotations }];
    });
    const mediaType = "application/vnd.oci.image.index.v1+json";
    response.writeHead(200, { "content-type": mediaType });
    response.end(JSON.stringify({ schemaVersion: 2, mediaType, manifests: listed }));
  }

  #serveBlob({ method, name, reference, response }: Call): void {
    const blob = this.repository(name).blobs.get(reference);
    if (blob === undefined) return refuse(response, 404, "BLOB_UNKNOWN", reference);
    response.writeHead(200, { "content-length": String(blob.byteLength), "docker-content-digest": reference });
    response.end(method === "HEAD" ? undefined : blob);
  }

  #serveUpload({ method, name, reference, address, body, response }: Call): void {
    const { blobs } = this.repository(name);
    if (method === "POST") {
      const mounted = address.searchParams.get("mount");
      const from = address.searchParams.get("from");
      const blob = from === null || mounted === null ? undefined : this.repository(from).blobs.get(mounted);
      if (this.mounts && mounted !== null && blob !== undefined) {
        blobs.set(mounted, blob);
        response.writeHead(201, { location: `/v2/${name}/blobs/${mounted}` }).end();
        return;
      }
      const upload = randomUUID();
      this.#uploads.set(upload, Buffer.of());
      response.writeHead(202, { location: `/v2/${name}/blobs/uploads/${upload}?state=open` }).end();
      return;
    }
    const digest = address.searchParams.get("digest") ?? "";
    const before = this.#uploads.get(reference);
    if (before === undefined || address.searchParams.get("state") !== "open")
      return refuse(response, 404, "BLOB_UPLOAD_UNKNOWN");
    const bytes = Buffer.concat([before, body]);
    if (method === "PATCH") {
      this.#uploads.set(reference, bytes);
      response.writeHead(202, { location: `${address.pathname}${address.search}` }).end();
      return;
    }
    this.#uploads.delete(reference);
    if (digestOf(bytes) !== digest) return refuse(response, 400, "DIGEST_INVALID");
    blobs.set(digest, bytes);
    response.writeHead(201, { "docker-content-digest": digest, location: `/v2/${name}/blobs/${digest}` }).end();
  }
}

interface Call {
  readonly method: string;
  readonly name: string;
  readonly reference: string;
  readonly address: URL;
  readonly body: Buffer;
  readonly response: ServerResponse;
  readonly mediaType: string;
}

interface Manifest {
  readonly config?: { readonly digest: string };
  readonly layers?: readonly { readonly digest: string }[];
  readonly manifests?: readonly { readonly digest: string }[];
  readonly subject?: { readonly digest: string };
  readonly artifactType?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

function falter(fault: Fault, response: ServerResponse): void {
  switch (fault.kind) {
    case "status":
      response.writeHead(fault.status, fault.headers).end();
      break;
    case "body":
      response.writeHead(200, { "content-type": "application/octet-stream" }).end(fault.body);
      break;
    case "cut":
      response.destroy();
      break;
  }
}

function refuse(response: ServerResponse, status: number, code: string, message = "as the test wants it"): void {
  response
    .writeHead(status, { "content-type": "application/json" })
    .end(JSON.stringify({ errors: [{ code, message }] }));
}

function isReading(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

function basic({ username, password }: { readonly username: string; readonly password: string }): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
