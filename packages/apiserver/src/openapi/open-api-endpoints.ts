import { PAGE_NOT_FOUND } from "../output/page-not-found.ts";
import { parseAccept } from "../request/accept.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { ServerResponse } from "../request/server-request.ts";
import type { Registry } from "../resources/registry.ts";
import { openApiDocuments, swaggerOf } from "./open-api-documents.ts";

/** Answers the paths below `/openapi`: version 2 in one document, version 3 in one for each group-version. */
export function handleOpenApi(context: RequestContext, registry: Registry): ServerResponse {
  const { path } = context.info;
  if (path === "/openapi/v2") {
    return swagger(context, registry);
  }
  const documents = openApiDocuments(registry);
  if (path === "/openapi/v3" || path === "/openapi/v3/") {
    return json(JSON.stringify({ paths: documents.index() }));
  }
  const document = path.startsWith(PREFIX) ? documents.find(path.slice(PREFIX.length)) : undefined;
  if (document === undefined) {
    return PAGE_NOT_FOUND;
  }
  const hash = context.request.query.get("hash");
  if (hash !== null && hash !== document.hash) {
    const location = `${path}?hash=${document.hash}`;
    return { code: 301, contentType: "text/html; charset=utf-8", headers: { Location: location }, body: "" };
  }
  const cacheControl = hash === null ? "no-cache, private" : "public, immutable";
  return json(document.text, { ETag: `"${document.hash}"`, Vary: "Accept", "Cache-Control": cacheControl });
}

const PREFIX = "/openapi/v3/";

// Clients ask for the message by a name that is no media type.
const SWAGGER_MESSAGE = /^application\/com\.github\.proto-openapi\.spec\.v2[@.]v1\.0\+protobuf$/u;
const JSON_TYPES: ReadonlySet<string> = new Set(["application/json", "application/*", "*/*"]);

function swagger({ request }: RequestContext, registry: Registry): ServerResponse {
  const accept = request.header("accept") ?? "";
  const clauses = accept.trim() === "" ? ["*/*"] : parseAccept(accept).map(({ type }) => type);
  const chosen = clauses.find((type) => SWAGGER_MESSAGE.test(type) || JSON_TYPES.has(type));
  if (chosen === undefined) return { code: 406, contentType: "text/plain; charset=utf-8", body: "" };
  const document = swaggerOf(registry);
  const headers = { ETag: `"${document.hash}"`, Vary: "Accept", "Cache-Control": "no-cache, private" };
  return JSON_TYPES.has(chosen)
    ? json(document.text, headers)
    : { code: 200, contentType: SWAGGER_MESSAGE_TYPE, headers, body: document.message() };
}

const SWAGGER_MESSAGE_TYPE = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

function json(body: string, headers: Readonly<Record<string, string>> = {}): ServerResponse {
  return { code: 200, contentType: "application/json", headers, body };
}
