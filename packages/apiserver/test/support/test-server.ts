import { printServerJson } from "@kubescaffold/k8s";
import { FakeClock } from "@kubescaffold/platform/clock";

import type { ApiServerOptions } from "../../src/server/api-server.ts";
import { createApiServer } from "../../src/server/create-api-server.ts";

/** A JSON object as tests read and write it. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests look at answers of any shape
export type Body = any;

/** An answer with its body read. */
export interface Answer {
  readonly code: number;
  readonly body: Body;
  readonly text: string;
  readonly headers: Headers;
  readonly warning: string | null;
}

/** A server for one test, and short ways to call it. */
export class TestServer {
  readonly clock: FakeClock = new FakeClock();
  readonly server: ReturnType<typeof createApiServer>;

  constructor(options: ApiServerOptions = {}, create: typeof createApiServer = createApiServer) {
    this.server = create({ clock: this.clock, ...options });
  }

  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const text = body === undefined ? undefined : typeof body === "string" ? body : printServerJson(body);
    const response = await this.server.handle(
      new Request(`http://server.test${path}`, {
        method,
        headers: { ...(text === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
        ...(text === undefined ? {} : { body: text }),
      }),
    );
    const answer = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true && answer !== "";
    return {
      code: response.status,
      body: isJson ? JSON.parse(answer) : answer,
      text: answer,
      headers: response.headers,
      warning: response.headers.get("warning"),
    };
  }

  get(path: string, headers?: Record<string, string>): Promise<Answer> {
    return this.call("GET", path, undefined, headers);
  }

  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.call("POST", path, body, headers);
  }

  put(path: string, body: unknown): Promise<Answer> {
    return this.call("PUT", path, body);
  }

  delete(path: string, options?: unknown): Promise<Answer> {
    return this.call("DELETE", path, options);
  }

  patch(path: string, body: unknown, type: "json" | "merge" | "strategic-merge" = "merge"): Promise<Answer> {
    return this.call("PATCH", path, body, { "Content-Type": `application/${type}-patch+json` });
  }

  /** Reads an object, changes it and puts it back. */
  async change(path: string, edit: (object: Body) => void, subresource: string = ""): Promise<Answer> {
    const { body } = await this.get(path);
    edit(body);
    return this.put(`${path}${subresource}`, body);
  }

  /** Creates a CRD and waits until it is served. */
  async define(crd: Body): Promise<void> {
    await this.post(CRDS, crd);
    await this.server.idle();
  }

  /** Opens a watch and collects its events. */
  async watch(path: string): Promise<TestWatch> {
    const aborted = new AbortController();
    const response = await this.server.handle(new Request(`http://server.test${path}`, { signal: aborted.signal }));
    return new TestWatch(response, aborted);
  }
}

/** One event of a watch. */
export interface TestEvent {
  readonly type: string;
  readonly object: Body;
}

/** A running watch. */
export class TestWatch {
  readonly code: number;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #aborted: AbortController;
  #rest = "";

  constructor(response: Response, aborted: AbortController) {
    this.code = response.status;
    this.#reader = (response.body as ReadableStream<Uint8Array>).getReader();
    this.#aborted = aborted;
  }

  /** Returns the next events; fewer when the stream ends before. */
  async take(count: number): Promise<readonly TestEvent[]> {
    const events: TestEvent[] = [];
    while (events.length < count) {
      const line = await this.#line();
      if (line === undefined) {
        break;
      }
      events.push(JSON.parse(line) as TestEvent);
    }
    return events;
  }

  /** Returns all events up to the end of the stream. */
  rest(): Promise<readonly TestEvent[]> {
    return this.take(Number.POSITIVE_INFINITY);
  }

  stop(): void {
    this.#aborted.abort();
  }

  async #line(): Promise<string | undefined> {
    for (;;) {
      const end = this.#rest.indexOf("\n");
      if (end >= 0) {
        const line = this.#rest.slice(0, end);
        this.#rest = this.#rest.slice(end + 1);
        return line;
      }
      const { done, value } = await this.#reader.read();
      if (done) {
        return undefined;
      }
      this.#rest += Buffer.from(value).toString("utf8");
    }
  }
}

export const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
export const FOOS = "/apis/example.com/v1/namespaces/default/foos";
export const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

/** A CRD with one version, whose spec has these properties. */
export function fooCrd(properties: Body = FOO_PROPERTIES, version: Body = {}): Body {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "foos.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "foos", kind: "Foo", shortNames: ["fo"], categories: ["all"] },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                spec: { type: "object", properties },
                status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
              },
            },
          },
          ...version,
        },
      ],
    },
  };
}

const FOO_PROPERTIES = { size: { type: "integer" }, mode: { type: "string" } };

export const foo = (name: string, spec: Body = {}, metadata: Body = {}): Body => ({
  apiVersion: "example.com/v1",
  kind: "Foo",
  metadata: { name, ...metadata },
  spec,
});

export const configMap = (name: string, data: Body = { a: "1" }, metadata: Body = {}): Body => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, ...metadata },
  data,
});

export const deployment = (name: string): Body => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: {
        containers: [
          { name: "web", image: "web:1" },
          { name: "log", image: "log:1" },
        ],
      },
    },
  },
});
