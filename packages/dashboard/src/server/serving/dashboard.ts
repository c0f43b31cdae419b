import { messageOf } from "@kubescaffold/k8s";
import { type Observation, readObservationsMessage } from "@kubescaffold/runtime";

import type {
  ApplyRequest,
  DashboardMessage,
  DeleteRequest,
  FaultName,
  Hello,
  KindInfo,
  ObjectDetail,
  ObjectHistory,
} from "../contract/protocol.ts";
import { DashboardPageMissingError } from "../http/errors.ts";
import { EventStream, type EventStreamLimits } from "../http/event-stream.ts";
import { findPageDirectory } from "../http/page-files.ts";
import { type ApiAnswer, startPageServer } from "../http/page-server.ts";
import type { ObjectAddress } from "../objects/object-reads.ts";
import { ObservationReader, type ObservedAuthor } from "../observations/observations.ts";
import { DashboardState } from "./dashboard-state.ts";

/** Where a dashboard is served. */
export interface DashboardServing {
  /** The folder of the built page. Default: that of this package. */
  readonly pageDirectory?: string;
  /** The port on 127.0.0.1; with 0 the system chooses one. Default: 0. */
  readonly port?: number;
  /** Limits of the stream to pages. */
  readonly stream?: EventStreamLimits;
}

/** A dashboard that is served. */
export interface Dashboard {
  /** A URL that opens the page, once. */
  readonly address: string;
  /** Returns another URL that opens the page, once. */
  newAddress(): string;
  /** Shows a message on all pages, and on those that connect later. */
  publish(message: DashboardMessage): void;
  /** Shows the observations in a message from the process of the manager; other messages are ignored. */
  receive(message: unknown): void;
  /** Shows the permissions that the process of the manager uses from now on. */
  managerStarted(): void;
  /** Ends the reconciles of a manager whose process has ended. */
  managerEnded(): void;
  /** Stops the server, and closes all connections. */
  close(): Promise<void>;
}

/** What a dashboard reads and changes. */
export interface DashboardSources {
  readonly hello: () => Hello;
  /** Publishes objects and other state from now on; returns what ends that. */
  readonly follow: (publish: (message: DashboardMessage) => void) => () => void;
  readonly detail: (address: ObjectAddress) => Promise<ObjectDetail | undefined>;
  readonly history?: (uid: string, authorOf: (resourceVersion: string) => ObservedAuthor | undefined) => ObjectHistory;
  readonly kinds: () => Promise<readonly KindInfo[]>;
  readonly apply?: (request: ApplyRequest) => Promise<ApiAnswer>;
  readonly delete?: (request: DeleteRequest) => Promise<ApiAnswer>;
  /** Returns false for a fault that is not possible. */
  readonly setFault?: (name: FaultName, isOn: boolean) => boolean;
  readonly restart?: (() => Promise<void>) | undefined;
  readonly managerStarted?: () => void;
  readonly managerEnded?: () => void;
  /** Receives what the process of the manager observes. */
  readonly observe?: (observation: Observation) => void;
}

/**
 * Serves a dashboard for its sources.
 *
 * Fails: `DashboardListenError` when the port is in use, `DashboardPageMissingError` when the page was not built.
 */
export async function serveDashboard(
  sources: DashboardSources,
  { pageDirectory = findPageDirectory(), port = 0, stream: limits }: DashboardServing,
): Promise<Dashboard> {
  if (pageDirectory === undefined) throw new DashboardPageMissingError();
  const state = new DashboardState(sources.hello);
  const stream = new EventStream(() => state.snapshot(), limits);
  const publish = (message: DashboardMessage): void => state.publish(message);
  const observations = new ObservationReader(publish);
  state.onMessage((message) => stream.publish(message));
  const routes = new DashboardRoutes(sources, (version) => observations.authorOf(version));
  const server = await startPageServer({
    api: {
      get: async (route, query) => await routes.get(route, query),
      post: async (route, body) => await routes.post(route, body),
      stream: (response) => stream.add(response),
    },
    pageDirectory,
    port,
  });
  const unfollow = sources.follow(publish);
  return {
    address: server.newAddress(),
    newAddress: server.newAddress,
    publish,
    receive: (message) => {
      for (const each of readObservationsMessage(message)?.observations ?? []) {
        observations.read(each);
        sources.observe?.(each);
      }
    },
    managerStarted: () => sources.managerStarted?.(),
    managerEnded: () => {
      observations.managerEnded();
      sources.managerEnded?.();
    },
    close: async () => {
      unfollow();
      stream.close();
      await server.close();
    },
  };
}

const NOT_FOUND: ApiAnswer = { status: 404, body: { message: "not found" } };
const BAD: ApiAnswer = { status: 400, body: { message: "the request lacks a field, or a field has the wrong type" } };

/** Answers the requests of pages. */
class DashboardRoutes {
  readonly #sources: DashboardSources;
  readonly #authorOf: (resourceVersion: string) => ObservedAuthor | undefined;

  constructor(sources: DashboardSources, authorOf: (resourceVersion: string) => ObservedAuthor | undefined) {
    this.#sources = sources;
    this.#authorOf = authorOf;
  }

  async get(route: string, query: URLSearchParams): Promise<ApiAnswer> {
    return await answered(async () => await this.#get(route, query));
  }

  async post(route: string, body: unknown): Promise<ApiAnswer> {
    return await answered(async () => await this.#post(route, body));
  }

  async #get(route: string, query: URLSearchParams): Promise<ApiAnswer> {
    const { detail, history, kinds } = this.#sources;
    switch (route) {
      case "object": {
        const address = addressOf(Object.fromEntries(query));
        if (address === undefined) return BAD;
        const found = await detail(address);
        return found === undefined ? NOT_FOUND : { status: 200, body: found };
      }
      case "history": {
        const uid = query.get("uid") ?? "";
        if (uid === "" || history === undefined) return uid === "" ? BAD : NOT_FOUND;
        return { status: 200, body: history(uid, this.#authorOf) };
      }
      case "kinds":
        return { status: 200, body: await kinds() };
      default:
        return NOT_FOUND;
    }
  }

  async #post(route: string, body: unknown): Promise<ApiAnswer> {
    const { apply, delete: remove, setFault, restart } = this.#sources;
    const fields = (typeof body === "object" && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
    if (route === "apply" && apply !== undefined) {
      const { text, isDryRun } = fields;
      return typeof text === "string" && typeof isDryRun === "boolean" ? await apply({ text, isDryRun }) : BAD;
    }
    if (route === "delete" && remove !== undefined) {
      const address = addressOf(fields);
      return address === undefined ? BAD : await remove(address);
    }
    if (route === "faults" && setFault !== undefined) {
      const { name, isOn } = fields;
      if (typeof name !== "string" || typeof isOn !== "boolean") return BAD;
      return setFault(name as FaultName, isOn) ? { status: 204 } : BAD;
    }
    if (route === "manager" && restart !== undefined) {
      if (fields["action"] !== "restart") return BAD;
      // The states of the manager are on the stream.
      void restart();
      return { status: 204 };
    }
    return NOT_FOUND;
  }
}

async function answered(answer: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
  try {
    return await answer();
  } catch (error) {
    return { status: 502, body: { message: messageOf(error) } };
  }
}

function addressOf({
  apiVersion,
  resource,
  namespace = "",
  name,
}: Readonly<Record<string, unknown>>): ObjectAddress | undefined {
  const isText = (value: unknown): value is string => typeof value === "string";
  if (!isText(apiVersion) || !isText(resource) || !isText(namespace) || !isText(name)) return undefined;
  if (!/^[\w.-]+(?:\/[\w.-]+)?$/u.test(apiVersion) || resource === "" || name === "") return undefined;
  return { apiVersion, resource, namespace, name };
}
