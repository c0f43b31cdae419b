import type { ClusterEvent, DashboardMessage, ObjectSummary } from "../contract/protocol.ts";

const MOST_WAITING_EVENTS = 2000;

/**
 * Selects what a page shows of the objects of a cluster: roots, which are those of the project's kinds and of the operator itself, what they own, and the
 * Events about these. An object whose owner is not known yet waits for it.
 */
export class ShownObjects {
  readonly #publish: (message: DashboardMessage) => void;
  readonly #known = new Map<string, { readonly summary: ObjectSummary; readonly isRoot: boolean }>();
  readonly #shown = new Set<string>();
  /** The shown objects by kind, namespace, and name. */
  readonly #names = new Map<string, string>();
  /** The objects that an owner has. */
  readonly #owned = new Map<string, Set<string>>();
  readonly #waitingEvents = new Map<string, ClusterEvent>();

  constructor(publish: (message: DashboardMessage) => void) {
    this.#publish = publish;
  }

  /** Whether an object is shown. */
  isShown(uid: string): boolean {
    return this.#shown.has(uid);
  }

  /** Adds an object or its new version. `isExisting` is for those that existed when the dashboard started. */
  set(
    summary: ObjectSummary,
    { isRoot, isExisting }: { readonly isRoot: boolean; readonly isExisting: boolean },
  ): void {
    const { uid } = summary;
    const known = this.#known.get(uid);
    if (known?.summary.resourceVersion === summary.resourceVersion && (known.isRoot || !isRoot)) return;
    this.#unlink(known?.summary);
    this.#known.set(uid, { summary, isRoot: isRoot || known?.isRoot === true });
    for (const owner of summary.owners ?? []) {
      const owned = this.#owned.get(owner.uid);
      if (owned === undefined) this.#owned.set(owner.uid, new Set([uid]));
      else owned.add(uid);
    }
    if (this.#shown.has(uid)) this.#publish({ type: "object", change: "changed", object: summary });
    else this.#showIfSelected(uid, isExisting);
  }

  /** Removes an object. */
  delete(uid: string): void {
    const known = this.#known.get(uid);
    if (known === undefined) return;
    this.#unlink(known.summary);
    this.#known.delete(uid);
    if (!this.#shown.delete(uid)) return;
    this.#names.delete(nameOf(known.summary));
    this.#publish({ type: "object", change: "deleted", object: known.summary });
  }

  /** Adds an Event, which waits until its object is shown. */
  addEvent(event: ClusterEvent): void {
    if (this.#isAboutShown(event)) {
      this.#publish(event);
      return;
    }
    this.#waitingEvents.delete(event.uid);
    this.#waitingEvents.set(event.uid, event);
    const [oldest] = this.#waitingEvents.keys();
    if (this.#waitingEvents.size > MOST_WAITING_EVENTS && oldest !== undefined) this.#waitingEvents.delete(oldest);
  }

  #showIfSelected(uid: string, isExisting: boolean): void {
    const known = this.#known.get(uid);
    if (known === undefined || this.#shown.has(uid)) return;
    if (!known.isRoot && (known.summary.owners ?? []).every((owner) => !this.#shown.has(owner.uid))) return;
    this.#shown.add(uid);
    this.#names.set(nameOf(known.summary), uid);
    this.#publish({ type: "object", change: isExisting ? "existing" : "created", object: known.summary });
    this.#publishWaiting(known.summary);
    for (const owned of this.#owned.get(uid) ?? []) this.#showIfSelected(owned, isExisting);
  }

  #publishWaiting({ uid, ...named }: ObjectSummary): void {
    for (const event of this.#waitingEvents.values()) {
      if (event.objectUid !== uid && nameOf(event) !== nameOf(named)) continue;
      this.#waitingEvents.delete(event.uid);
      this.#publish(event);
    }
  }

  #isAboutShown(event: ClusterEvent): boolean {
    return this.#shown.has(event.objectUid) || this.#names.has(nameOf(event));
  }

  #unlink(summary: ObjectSummary | undefined): void {
    for (const owner of summary?.owners ?? []) {
      const owned = this.#owned.get(owner.uid);
      owned?.delete(summary?.uid ?? "");
      if (owned?.size === 0) this.#owned.delete(owner.uid);
    }
  }
}

function nameOf({ kind, namespace, name }: Pick<ObjectSummary, "kind" | "namespace" | "name">): string {
  return `${kind}/${namespace}/${name}`;
}
