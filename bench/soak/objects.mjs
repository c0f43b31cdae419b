// The ConfigMaps and Secrets of a soak: a user creates, changes, and deletes them.
import { ignoreNotFound } from "@kubescaffold/k8s";
import { ConfigMap, Namespace, Secret } from "@kubescaffold/k8s/core/v1";

export const LABELS = { soak: "true" };
export const labelSelector = "soak=true";

const NAMESPACES = 10;
const PARALLEL = 32;
const PADDING = "x".repeat(1024);

/** User writes to ConfigMaps and Secrets, and remembers the values that they must have in the end. */
export class User {
  #client;
  #random;
  #values = new Map();
  #names = [];
  #busy = new Set();
  #count = 0;
  writes = 0;

  constructor(client, seed) {
    this.#client = client;
    this.#random = randomOf(seed);
  }

  /** Creates the namespaces and a number of ConfigMaps. */
  async createAll(count) {
    for (let index = 0; index < NAMESPACES; index += 1)
      await this.#client.create(Namespace.create({ metadata: { name: namespaceOf(index) } }));
    let remaining = count;
    const create = async () => {
      while (remaining > 0) {
        remaining -= 1;
        await this.#create();
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, create));
  }

  /** Writes at a rate until the signal aborts; returns when all writes have ended. */
  async churn(writesPerSecond, signal) {
    const running = new Set();
    const start = performance.now();
    for (let due = 1; !signal.aborted; due += 1) {
      const waitMs = start + (due * 1000) / writesPerSecond - performance.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      if (running.size >= PARALLEL) await Promise.race(running);
      const write = this.#act().finally(() => running.delete(write));
      running.add(write);
    }
    await Promise.all(running);
  }

  /** Returns the differences between the server and what it must contain, at most ten. */
  async differences() {
    const options = { labels: LABELS };
    const [sources, copies] = await Promise.all([ConfigMap, Secret].map((kind) => this.#client.list(kind, options)));
    return [
      ...compare("ConfigMap", this.#values, new Map(sources.items.map((each) => [keyOf(each), each.data?.value]))),
      ...compare("Secret", this.#values, new Map(copies.items.map((each) => [keyOf(each), decoded(each)]))),
    ].slice(0, 10);
  }

  /** Returns the version of each object on the server. */
  async versions() {
    const options = { labels: LABELS };
    const lists = await Promise.all([ConfigMap, Secret].map((kind) => this.#client.list(kind, options)));
    return new Map(
      lists.flatMap(({ items }) => items).map((each) => [`${each.kind} ${keyOf(each)}`, each.metadata.resourceVersion]),
    );
  }

  // Mostly changes values. Each deletion is followed by a creation with another name, so that the number of objects stays the same.
  async #act() {
    this.writes += 1;
    const choice = this.#random();
    if (choice < 0.85) return await this.#withFree((key) => this.#change(key));
    if (choice < 0.9) return await this.#withFree((key) => this.#changeCopy(key));
    if (choice < 0.95) return await this.#withFree((key) => this.#deleteCopy(key));
    await this.#withFree((key) => this.#delete(key));
    await this.#create();
  }

  // Two writes to the same object at once would leave open which is the last.
  async #withFree(write) {
    const key = this.#names[Math.floor(this.#random() * this.#names.length)];
    if (key === undefined || this.#busy.has(key)) return;
    this.#busy.add(key);
    try {
      await write(key);
    } finally {
      this.#busy.delete(key);
    }
  }

  async #create() {
    this.#count += 1;
    const key = `${namespaceOf(this.#count % NAMESPACES)}/object-${String(this.#count)}`;
    await this.#client.create(this.#source(key));
    this.#names.push(key);
  }

  async #change(key) {
    await this.#client.update(this.#source(key));
  }

  async #delete(key) {
    await this.#client.delete(ConfigMap.create({ metadata: metadataOf(key) }));
    this.#values.delete(key);
    this.#names.splice(this.#names.indexOf(key), 1);
  }

  // The manager repairs it.
  async #changeCopy(key) {
    const copy = await ignoreNotFound(this.#client.get(Secret, metadataOf(key)));
    if (copy === undefined) return;
    const data = { value: Buffer.from("changed").toString("base64") };
    await ignoreNotFound(
      this.#client.update({ ...copy, metadata: { ...copy.metadata, resourceVersion: undefined }, data }),
    );
  }

  async #deleteCopy(key) {
    await ignoreNotFound(this.#client.delete(Secret.create({ metadata: metadataOf(key) })));
  }

  #source(key) {
    const value = `${String(this.#random())} ${PADDING}`;
    this.#values.set(key, value);
    const metadata = { ...metadataOf(key), labels: LABELS };
    return ConfigMap.create({ metadata, data: { value, writtenAt: String(Date.now()) } });
  }
}

function namespaceOf(index) {
  return `soak-${String(index)}`;
}

function metadataOf(key) {
  const [namespace, name] = key.split("/");
  return { namespace, name };
}

function keyOf({ metadata }) {
  return `${metadata.namespace}/${metadata.name}`;
}

function decoded({ data }) {
  return Buffer.from(data?.value ?? "", "base64").toString();
}

function compare(kind, wanted, found) {
  const missing = [...wanted].filter(([key, value]) => found.get(key) !== value).map(([key]) => key);
  const surplus = [...found.keys()].filter((key) => !wanted.has(key));
  return [
    ...missing.map((key) => `${kind} ${key} ${found.has(key) ? "has another value" : "does not exist"}`),
    ...surplus.map((key) => `${kind} ${key} should not exist`),
  ];
}

// Mulberry32: the same seed leads to the same choices.
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
