import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import type { DnsEntry, NewEntry } from "../../internal/dns/dns_api.ts";

/** Fault is a response that the server sends instead of its own. */
export interface Fault {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** DnsServer is a DNS API on the loopback interface, for tests and for trying the operator out. */
export class DnsServer {
  /** The records of all zones by ID. Tests change them, as another user of the API does. */
  readonly records: Map<string, DnsEntry & { readonly zone: string }> = new Map();
  /** Decides whether a call fails. */
  fault: (method: string) => Fault | undefined = () => undefined;
  /** The calls, such as "GET". */
  readonly calls: string[] = [];
  readonly token: string;
  readonly #server: Server;

  private constructor(token: string) {
    this.token = token;
    this.#server = createServer((request, response) => {
      void this.#answer(request).then(({ status, body = "", headers = {} }) => {
        response.writeHead(status, headers).end(body);
      });
    });
  }

  /** Starts a server on a free port, unless one is given. */
  static async start({ token = "", port = 0 } = {}): Promise<DnsServer> {
    const server = new DnsServer(token || randomUUID());
    await new Promise<void>((resolve) => {
      server.#server.listen(port, "127.0.0.1", resolve);
    });
    return server;
  }

  /** The address of the API. */
  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  /** Stops the server. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  async #answer(request: IncomingMessage): Promise<Fault> {
    const { method = "", url = "", headers } = request;
    let body = "";
    for await (const chunk of request) body += String(chunk);
    this.calls.push(method);
    const fault = this.fault(method);
    if (fault !== undefined) return fault;
    if (headers.authorization !== `Bearer ${this.token}`) return { status: 401, body: "unknown token" };
    const { pathname, searchParams } = new URL(url, this.url);
    const [, , zone = "", , id] = pathname.split("/").map(decodeURIComponent);
    if (id !== undefined) return this.#answerForRecord(method, id, body);
    if (method === "POST") return this.#create(zone, JSON.parse(body) as NewEntry);
    const records = [...this.records.values()].filter(
      (each) => each.zone === zone && each.name === searchParams.get("name") && each.type === searchParams.get("type"),
    );
    return { status: 200, body: JSON.stringify({ records: records.map(withoutZone) }) };
  }

  #answerForRecord(method: string, id: string, body: string): Fault {
    const found = this.records.get(id);
    if (found === undefined) return { status: 404, body: `no record ${id}` };
    if (method === "DELETE") {
      this.records.delete(id);
      return { status: 204 };
    }
    const problem = problemOf(JSON.parse(body) as NewEntry);
    if (problem !== undefined) return problem;
    const changed = { ...(JSON.parse(body) as NewEntry), id, zone: found.zone };
    this.records.set(id, changed);
    return { status: 200, body: JSON.stringify(withoutZone(changed)) };
  }

  #create(zone: string, entry: NewEntry): Fault {
    const problem = problemOf(entry);
    if (problem !== undefined) return problem;
    const isTaken = [...this.records.values()].some(
      (each) => each.zone === zone && each.name === entry.name && each.type === entry.type,
    );
    if (isTaken) return { status: 409, body: `the zone has a record ${entry.name} ${entry.type}` };
    const created = { ...entry, id: randomUUID(), zone };
    this.records.set(created.id, created);
    return { status: 201, body: JSON.stringify(withoutZone(created)) };
  }
}

function problemOf({ type, values }: NewEntry): Fault | undefined {
  const wrong = type === "A" ? values.find((value) => !/^\d+\.\d+\.\d+\.\d+$/u.test(value)) : undefined;
  return wrong === undefined ? undefined : { status: 422, body: `${wrong} is not an IPv4 address` };
}

function withoutZone({ zone: _zone, ...entry }: DnsEntry & { readonly zone: string }): DnsEntry {
  return entry;
}
