import { PAGE_NOT_FOUND } from "../output/page-not-found.ts";
import { queryFlag } from "../request/parse-request-info.ts";
import type { ServerResponse } from "../request/server-request.ts";

const CHECKS = ["ping", "log", "etcd"] as const;

/** Answers a health endpoint, or one of its checks: a server in the process is well as long as it answers. */
export function handleHealth(probe: {
  readonly endpoint: string;
  readonly check: string;
  readonly query: URLSearchParams;
}): ServerResponse {
  const { endpoint, check, query } = probe;
  if (check !== "") {
    return (CHECKS as readonly string[]).includes(check) ? plain("ok") : PAGE_NOT_FOUND;
  }
  const excluded = new Set(query.getAll("exclude"));
  if (!queryFlag(query, "verbose")) {
    return plain("ok");
  }
  const lines = CHECKS.map((name) => (excluded.has(name) ? `[+]${name} excluded: ok` : `[+]${name} ok`));
  return plain(`${lines.join("\n")}\n${endpoint} check passed\n`);
}

function plain(body: string): ServerResponse {
  return {
    code: 200,
    contentType: "text/plain; charset=utf-8",
    headers: { "X-Content-Type-Options": "nosniff" },
    body,
  };
}
