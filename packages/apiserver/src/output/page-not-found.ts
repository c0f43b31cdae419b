import type { ServerResponse } from "../request/server-request.ts";

/** The answer for paths that nobody serves; not a status. */
export const PAGE_NOT_FOUND: ServerResponse = {
  code: 404,
  contentType: "text/plain; charset=utf-8",
  headers: { "X-Content-Type-Options": "nosniff" },
  body: "404 page not found\n",
};
