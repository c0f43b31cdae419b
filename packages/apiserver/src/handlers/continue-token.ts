import { badRequest } from "../request/failures.ts";
import { isJsonObject } from "../request/json.ts";

/** Where the next page of a list begins. */
export interface ContinueToken {
  /** The revision of the first page; -1 goes on with what is stored now. */
  readonly revision: number;
  /** The first key that may be on the page. */
  readonly start: string;
}

/** Writes a continue token. */
export function encodeContinueToken({ revision, start }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: "meta.k8s.io/v1", rv: revision, start })).toString("base64url");
}

/** Reads a continue token; fails with 400 when it is none. */
export function decodeContinueToken(text: string): ContinueToken {
  const token = parseToken(text);
  if (!isJsonObject(token)) {
    throw badRequest("invalid continue token: continue key is not valid: it is not a token of this server");
  }
  const { v, rv, start } = token;
  if (typeof v === "string" && v !== "" && v !== "meta.k8s.io/v1") {
    throw badRequest(
      `invalid continue token: continue key is not valid: server does not recognize this encoded version ${v}`,
    );
  }
  if (v !== "meta.k8s.io/v1" || typeof rv !== "number" || typeof start !== "string" || rv === 0) {
    throw badRequest(
      "invalid continue token: continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)",
    );
  }
  return { revision: rv, start };
}

function parseToken(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}
