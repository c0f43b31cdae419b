import type { RestClient } from "../rest/rest-client.ts";
import { OpenApiError } from "./errors.ts";

/**
 * The OpenAPI v3 documents of a server, one for each group version.
 *
 * client-go: openapi.Client
 */
export interface OpenApiClient {
  /** Returns the documents by path, such as `apis/apps/v1`. */
  paths(): Promise<ReadonlyMap<string, OpenApiDocument>>;
}

/**
 * The OpenAPI v3 document of a group version.
 *
 * client-go: openapi.GroupVersion
 */
export interface OpenApiDocument {
  /** The path on the server; it contains a hash that changes with the document, and may be the key of a cache. */
  readonly serverRelativeUrl: string;
  /** Reads the document. Default of `contentType`: `application/json`; `application/com.github.proto-openapi.spec.v3@v1.0+protobuf` is the other one. */
  schema(contentType?: string): Promise<Uint8Array>;
}

/**
 * Creates a client of the server's OpenAPI v3 documents.
 *
 * Guarantees: documents are read again only after their hash has changed.
 * Fails: {@link OpenApiError} if the server's list of documents is invalid.
 *
 * client-go: openapi.NewClient
 */
export function createOpenApiClient(rest: RestClient): OpenApiClient {
  const read = new Map<string, Promise<Uint8Array>>();
  return {
    paths: async () => {
      const list = await rest.request<{ readonly paths?: unknown }>({ method: "GET", path: "/openapi/v3" });
      const urls = urlsOf(list.paths);
      forgetOthers(read, new Set(urls.values()));
      return new Map([...urls].map(([path, url]) => [path, documentOf(rest, { url, read })]));
    },
  };
}

function urlsOf(paths: unknown): ReadonlyMap<string, string> {
  if (typeof paths !== "object" || paths === null) {
    throw new OpenApiError("it has no paths");
  }
  return new Map(
    Object.entries(paths as Readonly<Record<string, { readonly serverRelativeURL?: unknown } | null>>).map(
      ([path, entry]) => {
        const url = entry?.serverRelativeURL;
        if (typeof url !== "string" || !url.startsWith("/") || url.startsWith("//")) {
          throw new OpenApiError(`the address of ${path} is ${JSON.stringify(url)}`);
        }
        return [path, url];
      },
    ),
  );
}

function forgetOthers(read: Map<string, Promise<Uint8Array>>, urls: ReadonlySet<string>): void {
  for (const key of read.keys()) {
    const [, url = ""] = key.split(" ");
    if (!urls.has(url)) {
      read.delete(key);
    }
  }
}

function documentOf(
  rest: RestClient,
  { url, read }: { readonly url: string; readonly read: Map<string, Promise<Uint8Array>> },
): OpenApiDocument {
  return {
    serverRelativeUrl: url,
    schema: (contentType = "application/json") => {
      const key = `${contentType} ${url}`;
      const document = read.get(key) ?? readAll(rest.bytes({ method: "GET", path: url, accept: contentType }));
      read.set(key, document);
      // A failed request is repeated by the next call.
      document.catch(() => read.delete(key));
      return document;
    },
  };
}

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const list: Uint8Array[] = [];
  for await (const chunk of chunks) {
    list.push(chunk);
  }
  return Buffer.concat(list);
}
