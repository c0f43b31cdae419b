import type { ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import type { ResourceEventHandler } from "@kubescaffold/runtime";

/** The objects that the notifications of an informer add up to, and the notifications that contradict them. */
export class ObservedObjects implements ResourceEventHandler {
  /** The notifications that do not follow from earlier ones. */
  readonly contradictions: string[] = [];
  readonly #kind: string;
  readonly #versions: Map<string, string> = new Map();

  constructor(kind: string) {
    this.#kind = kind;
  }

  /** The resourceVersions by namespace and name, in order. */
  get versions(): readonly string[] {
    return [...this.#versions].map(([name, version]) => `${name}@${version}`).toSorted();
  }

  onAdd(object: ReadonlyObject): void {
    if (this.#versions.has(nameOf(object))) this.#contradict("added twice", object);
    this.#versions.set(nameOf(object), versionOf(object));
  }

  onUpdate(_old: ReadonlyObject, object: ReadonlyObject): void {
    const known = this.#versions.get(nameOf(object));
    if (known === undefined) this.#contradict("updated before it was added", object);
    else if (BigInt(versionOf(object)) < BigInt(known)) this.#contradict(`older than ${known}`, object);
    this.#versions.set(nameOf(object), versionOf(object));
  }

  onDelete(object: ReadonlyObject): void {
    if (!this.#versions.delete(nameOf(object))) this.#contradict("deleted twice", object);
  }

  #contradict(how: string, object: ReadonlyObject): void {
    this.contradictions.push(`${this.#kind} ${nameOf(object)}@${versionOf(object)} was ${how}`);
  }
}

/** Returns the namespace and name of an object. */
export function nameOf({ metadata }: ReadonlyObject): string {
  return `${metadata.namespace ?? ""}/${metadata.name ?? ""}`;
}

function versionOf({ metadata }: ReadonlyObject): string {
  return metadata.resourceVersion ?? "0";
}
