import { AsyncLocalStorage } from "node:async_hooks";

import type { RequestContext } from "../../request/request-context.ts";
import type { ServerResponse } from "../../request/server-request.ts";
import { once } from "../../resources/registry.ts";
import type { StoreEvent } from "../../storage/object-reader.ts";
import type { Store } from "../../storage/store.ts";

/** The author of a write, as its request states it. */
export interface WriteAuthor {
  /** The verb of the request, as RBAC names it; empty for writes without a request. */
  readonly verb: string;
  /** The subresource of the request; empty for the object itself. */
  readonly subresource: string;
  /** The user of the request; empty for writes of the server itself. */
  readonly user: string;
  /** The `User-Agent` header; empty without one. */
  readonly userAgent: string;
  /** The field manager that the request names, or the program in the user agent. */
  readonly fieldManager: string;
}

/** A request that may write, and what it has stored. */
export interface HandledWrite {
  readonly context: RequestContext;
  readonly author: WriteAuthor;
  /** The changes of the object that the request is about, or of a collection; empty when it stored nothing. */
  readonly events: readonly StoreEvent[];
}

/** Sees the requests that may write: after their changes are stored, before their answers are sent. The answer waits for what it returns. */
export type WriteObserver = (write: HandledWrite) => "lose" | undefined | Promise<"lose" | undefined>;

interface RunningRequest {
  readonly author: WriteAuthor;
  readonly isCollection: boolean;
  readonly events: StoreEvent[];
  isOver: boolean;
}

/** The author of writes without a request. */
export const SERVER_AUTHOR: WriteAuthor = { verb: "", subresource: "", user: "", userAgent: "", fieldManager: "" };

/** Attributes the changes of a store to the requests that make them. */
export class RequestWrites {
  readonly #requests = new AsyncLocalStorage<RunningRequest>();
  readonly #observers = new Set<WriteObserver>();
  readonly #store: Store;
  #followers = 0;
  #unfollow: (() => void) | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The author of the change that the store reports now; known only while somebody follows. */
  get author(): WriteAuthor {
    return this.#current?.author ?? SERVER_AUTHOR;
  }

  /** Attributes changes from now on, until the returned function is called. */
  follow(): () => void {
    this.#followers += 1;
    this.#unfollow ??= this.#store.observe(undefined, (event) => this.#note(event));
    return once(() => {
      this.#followers -= 1;
      if (this.#followers > 0) return;
      this.#unfollow?.();
      this.#unfollow = undefined;
    });
  }

  /** Calls back for each request that may write, until the returned function is called. */
  observe(observer: WriteObserver): () => void {
    this.#observers.add(observer);
    const unfollow = this.follow();
    return () => {
      this.#observers.delete(observer);
      unfollow();
    };
  }

  /** Handles a request that may write. Returns undefined when its answer is to be lost. */
  async handle(context: RequestContext, work: () => Promise<ServerResponse>): Promise<ServerResponse | undefined> {
    if (this.#followers === 0) return await work();
    const request: RunningRequest = {
      author: authorOf(context),
      isCollection: context.info.verb === "deletecollection",
      events: [],
      isOver: false,
    };
    let answer: ServerResponse;
    try {
      answer = await this.#requests.run(request, work);
    } finally {
      // Timers of controllers that the request started go on in its context.
      request.isOver = true;
    }
    const { author, events } = request;
    // One that an observer adds is not called for this request.
    const observers = [...this.#observers];
    for (const observer of observers) {
      if ((await observer({ context, author, events })) === "lose") return undefined;
    }
    return answer;
  }

  get #current(): RunningRequest | undefined {
    const request = this.#requests.getStore();
    return request?.isOver === false ? request : undefined;
  }

  #note(event: StoreEvent): void {
    const request = this.#current;
    if (request === undefined) return;
    const [first = event] = request.events;
    const isOfRequest = first.groupResource.resource === event.groupResource.resource;
    if (isOfRequest && (request.isCollection || first.key === event.key)) request.events.push(event);
  }
}

function authorOf({ info, user, request }: RequestContext): WriteAuthor {
  const userAgent = request.header("user-agent") ?? "";
  return {
    verb: info.verb,
    subresource: info.subresource,
    user: user.name,
    userAgent,
    fieldManager: request.query.get("fieldManager") ?? userAgent.split("/", 1)[0] ?? "",
  };
}
