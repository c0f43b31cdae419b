import type { ChaosRequest } from "./request-target.ts";

const LISTS_PER_QUERY = 4;
const LARGEST_BYTES = 1 << 20;

interface RecordedList {
  readonly version: bigint;
  readonly body: Buffer;
}

/** Stores the last lists of each path and query, which a lagging API server could still answer with. */
export class StaleLists {
  readonly #lists: Map<string, readonly RecordedList[]> = new Map();

  /** Stores a response, unless it is a page or too large. */
  record(request: ChaosRequest, query: URLSearchParams, body: Buffer): void {
    if (request.verb !== "list" || body.length > LARGEST_BYTES) return;
    const version = versionOfList(body);
    if (version === undefined) return;
    const key = keyOf(request, query);
    const before = (this.#lists.get(key) ?? []).filter((list) => list.version !== version);
    this.#lists.set(key, [...before, { version, body }].slice(-LISTS_PER_QUERY));
  }

  /** Returns earlier lists that a request accepts: any for resourceVersion 0, those not older for a concrete one, and none without. */
  find(request: ChaosRequest, query: URLSearchParams): readonly Buffer[] {
    const oldest = oldestAccepted(query);
    if (request.verb !== "list" || oldest === undefined) return [];
    return (this.#lists.get(keyOf(request, query)) ?? [])
      .filter(({ version }) => version >= oldest)
      .map(({ body }) => body);
  }
}

function oldestAccepted(query: URLSearchParams): bigint | undefined {
  const version = query.get("resourceVersion") ?? "";
  const match = query.get("resourceVersionMatch") ?? "";
  const isExact = match === "Exact" || (match === "" && version !== "0" && Number(query.get("limit") ?? "0") > 0);
  return /^\d+$/u.test(version) && !isExact && !query.has("continue") ? BigInt(version) : undefined;
}

function keyOf({ path }: ChaosRequest, query: URLSearchParams): string {
  const selection = ["labelSelector", "fieldSelector"].map((name) => query.get(name) ?? "");
  return JSON.stringify([path, ...selection]);
}

function versionOfList(body: Buffer): bigint | undefined {
  try {
    const { metadata } = JSON.parse(body.toString("utf8")) as {
      metadata?: { resourceVersion?: string; continue?: string };
    };
    const version = metadata?.resourceVersion ?? "";
    return /^\d+$/u.test(version) && (metadata?.continue ?? "") === "" ? BigInt(version) : undefined;
  } catch {
    return undefined;
  }
}
