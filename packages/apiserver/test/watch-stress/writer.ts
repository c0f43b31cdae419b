import { type Random, pick } from "./random.ts";
import { pathOf, type WatchedKind } from "./watched-kinds.ts";

/** Sends a request to the server. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>;

export const NAMESPACES = ["left", "right"] as const;
const NAMES = ["a", "b", "c", "d", "e"] as const;
const TIERS = ["x", "y", "z", null] as const;
/** The name of the last object that is created in a namespace, which every watcher sees. */
export const LAST = "zz-last";

interface Writes {
  readonly kinds: readonly WatchedKind[];
  readonly count: number;
  readonly random: Random;
  /** Called after each write. */
  readonly onWrite: () => void;
}

/** Writes random objects, one after the other; writes that others have made impossible are refused. */
export async function runWriter(send: Send, { kinds, count, random, onWrite }: Writes): Promise<void> {
  for (let done = 0; done < count; done += 1) {
    const kind = pick(random, kinds);
    const path = pathOf(kind, pick(random, NAMESPACES));
    const name = pick(random, NAMES);
    const labels = { tier: pick(random, TIERS) };
    const { apiVersion: _apiVersion, kind: _kind, ...content } = kind.objectOf(Math.floor(random() * 1000));
    const roll = random();
    if (roll < 0.4) await create(send, path, kind, { name, ...(labels.tier === null ? {} : { labels }) }, random);
    else if (roll < 0.8) {
      const body = JSON.stringify({ ...content, metadata: { labels } });
      await drop(send(`${path}/${name}`, jsonRequest("PATCH", body, "application/merge-patch+json")));
    } else if (roll < 0.97) await drop(send(`${path}/${name}`, { method: "DELETE" }));
    else await drop(send(`${path}?labelSelector=tier%3D${String(labels.tier)}`, { method: "DELETE" }));
    onWrite();
  }
}

/** Creates the last object of each namespace. */
export async function writeLast(send: Send, kinds: readonly WatchedKind[]): Promise<void> {
  for (const kind of kinds) {
    for (const namespace of NAMESPACES)
      await create(send, pathOf(kind, namespace), kind, { name: LAST, labels: { tier: "x" } }, () => 0);
  }
}

async function create(send: Send, path: string, kind: WatchedKind, metadata: object, random: Random): Promise<void> {
  const object = { ...kind.objectOf(Math.floor(random() * 1000)), metadata };
  await drop(send(path, jsonRequest("POST", JSON.stringify(object), "application/json")));
}

function jsonRequest(method: string, body: string, contentType: string): RequestInit {
  return { method, body, headers: { "content-type": contentType } };
}

async function drop(sent: Promise<Response>): Promise<void> {
  const response = await sent;
  const text = await response.text();
  if (response.status >= 500) throw new TypeError(`a write failed with ${String(response.status)}: ${text}`);
}
