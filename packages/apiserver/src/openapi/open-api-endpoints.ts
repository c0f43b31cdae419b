import { PAGE_NOT_FOUND } from "../handlers/page-not-found.ts";
import type { Registry } from "../registry/registry.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { ServerResponse } from "../request/server-request.ts";
import { openApiDocuments } from "./open-api-documents.ts";

/** Answers the paths below `/openapi`; version 2 is not served, and clients go on with version 3. */
export function handleOpenApi(context: RequestContext, registry: Registry): ServerResponse {
  const { path } = context.info;
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

function json(body: string, headers: Readonly<Record<string, string>> = {}): ServerResponse {
  return { code: 200, contentType: "application/json", headers, body };
}
