import type { OutputFormat } from "./accept.ts";
import type { RequestInfo } from "./request-info.ts";
import type { ServerRequest } from "./server-request.ts";
import type { UserInfo } from "./user-info.ts";

/** A request with all that the pipeline has found out about it. */
export interface RequestContext {
  readonly request: ServerRequest;
  readonly info: RequestInfo;
  readonly user: UserInfo;
  /** The texts of the answer's `Warning` headers, in order; equal ones are sent once. */
  readonly warnings: string[];
  /** Chooses the form of the answer; fails with 406. */
  output(): OutputFormat;
}
