import { type GroupResource, groupResourceToString } from "@kubescaffold/k8s";

/** A field of a sample that has another value than in its file. */
export interface FieldChange {
  /** The index of the sample. */
  readonly sample: number;
  /** The names of the field, from `spec` on. */
  readonly path: readonly string[];
  /** The value. */
  readonly value: unknown;
}

/** A step of the user, after which the operator comes to rest. */
export type Step =
  /** Creates the samples, with the changes of the schedule. */
  | { readonly kind: "create" }
  /** Deletes the samples, and waits until they are gone. */
  | { readonly kind: "delete" }
  /** Changes a field of a sample, or changes it back. */
  | { readonly kind: "change"; readonly change: FieldChange; readonly isBack: boolean }
  /** Changes a field and changes it back, while no event reaches the operator. */
  | { readonly kind: "unobserved-change"; readonly change: FieldChange }
  /** Deletes and creates the samples, while no event reaches the operator. */
  | { readonly kind: "unobserved-recreation" };

/** A fault of a run. */
export type Perturbation = WritePerturbation | LatePerturbation;

/** Events of a resource that the operator receives late while the samples are created, as from a server that lags behind. */
export interface LatePerturbation {
  /** Which perturbation it is. */
  readonly kind: "late-events";
  /** The group of the resource. */
  readonly group: string;
  /** The plural name of the resource. */
  readonly resource: string;
}

/** A fault at a write of the operator: the n-th one with this content. */
export interface WritePerturbation {
  /**
   * `crash`: the process is killed when the write is stored, and another one starts. `lost-answer` and `late-answer`: the write is stored, too. `deletion`: the
   * samples are deleted between the write and its answer.
   */
  readonly kind: "crash" | "lost-answer" | "late-answer" | "deletion";
  /** The write by its content, such as `create deployments.apps default/web 0d5a17c2b9ee`. */
  readonly write: string;
  /** The number of the write among those of this content; 1 is the first. */
  readonly occurrence: number;
  /** The number of the write among all of the reference, for messages; 1 is the first. */
  readonly number: number;
}

/** The steps of a run, and the fault in it. */
export interface Schedule {
  /** Fields of the samples that differ when they are created. */
  readonly changes: readonly FieldChange[];
  /** The steps, in order. */
  readonly steps: readonly Step[];
  /** Default: none, as in the reference. */
  readonly perturbation?: Perturbation;
}

/** The steps of the reference: the samples are created, deleted, and created again. */
export const BASE_STEPS: readonly Step[] = [{ kind: "create" }, { kind: "delete" }, { kind: "create" }];

/** Returns a step in messages. */
export function describeStep(step: Step, index: number): string {
  if (step.kind === "delete") return "delete the samples";
  if (step.kind === "create") return index === 0 ? "create the samples" : "create the samples again";
  if (step.kind === "unobserved-recreation") return "delete and create the samples";
  const { path, value } = step.change;
  if (step.kind === "unobserved-change") return `change ${path.join(".")} to ${JSON.stringify(value)} and back`;
  return step.isBack ? `change ${path.join(".")} back` : `change ${path.join(".")} to ${JSON.stringify(value)}`;
}

/** Returns a schedule in messages, such as `after a crash after write 2, create services default/web`. */
export function describeSchedule({ perturbation, steps, changes }: Schedule): string {
  if (perturbation !== undefined) {
    if (perturbation.kind === "late-events") return `after late events of ${groupResourceToString(perturbation)}`;
    const { kind, write, number } = perturbation;
    // The digest is for replays only.
    return `after ${KIND_TEXTS[kind]} write ${String(number)}, ${write.replace(/ [\da-f]{12}$/u, "")}`;
  }
  const hidden = steps.findIndex(isUnobserved);
  const step = steps[hidden];
  if (step !== undefined) return `after a step that the operator does not observe: ${describeStep(step, hidden)}`;
  const changed = [...changes, ...steps.flatMap((step) => (step.kind === "change" ? [step.change] : []))];
  const [first] = changed;
  return first === undefined ? "without a perturbation" : `with ${describeChange(first)}`;
}

function describeChange({ path, value }: FieldChange): string {
  return `${path.join(".")}: ${JSON.stringify(value)}`;
}

const KIND_TEXTS: Readonly<Record<WritePerturbation["kind"], string>> = {
  crash: "a crash after",
  "lost-answer": "the lost answer of",
  "late-answer": "the late answer of",
  deletion: "the deletion of the samples during",
};

/** Reports whether no event of a step reaches the operator before the step is complete. */
export function isUnobserved({ kind }: Step): boolean {
  return kind === "unobserved-change" || kind === "unobserved-recreation";
}

/** A write of the operator in the reference. */
export interface ReferenceWrite {
  /** The index of the step. */
  readonly step: number;
  readonly content: string;
}

/**
 * Returns the schedules that perturb each write of the reference. A deletion of the samples needs a write of their creation. Writes with equal contents are
 * perturbed once, since the operator can hardly distinguish them.
 */
export function perturbedSchedules(
  writes: readonly ReferenceWrite[],
  kinds: readonly WritePerturbation["kind"][],
): readonly Schedule[] {
  const firsts = writes
    .map((write, index) => ({ ...write, number: index + 1 }))
    .filter(({ content }, index) => writes.findIndex((write) => write.content === content) === index);
  return kinds.flatMap((kind) =>
    firsts
      .filter(({ step }) => kind !== "deletion" || step === 0)
      .map(({ step, content, number }) => ({
        changes: [],
        // A deletion shows leftovers.
        steps: BASE_STEPS.slice(0, kind === "deletion" ? 1 : Math.max(step, 1) + 1),
        perturbation: { kind, write: content, occurrence: 1, number },
      })),
  );
}

/** Returns the schedules whose steps the operator does not observe: the recreation of the samples, and each change that is changed back. */
export function unobservedSchedules(changes: readonly FieldChange[]): readonly Schedule[] {
  const steps: readonly Step[] = [
    { kind: "unobserved-recreation" },
    ...changes.map((change): Step => ({ kind: "unobserved-change", change })),
  ];
  return steps.map((step) => ({ changes: [], steps: [{ kind: "create" }, step, { kind: "delete" }] }));
}

/** Returns the schedules that delay the events of each resource that an operator watches. */
export function lateSchedules(watches: readonly GroupResource[]): readonly Schedule[] {
  const resources = new Map(
    watches.map(({ group, resource }) => [groupResourceToString({ group, resource }), { group, resource }]),
  );
  return [...resources.values()].map((type) => ({
    changes: [],
    steps: BASE_STEPS.slice(0, 2),
    perturbation: { kind: "late-events", ...type },
  }));
}
