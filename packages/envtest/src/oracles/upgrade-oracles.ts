import { isRecord } from "@kubescaffold/platform";

import { differencesOf, type StateDifference } from "./compare-states.ts";
import { lostFields, ownedPaths } from "./kept-fields.ts";
import type {
  ObservedDefinition,
  ObservedObject,
  ObservedPod,
  ServedObject,
  UpgradeRecord,
  UpgradeViolation,
} from "./upgrade-record.ts";

/**
 * Returns what the definitions and webhooks of a step have done to the objects of the user: all of them stay readable and valid in all served versions, and
 * lose no field. `fields` are the parts of an object that nobody else may write meanwhile.
 */
export function servedViolations(
  before: UpgradeRecord,
  after: UpgradeRecord,
  fields: readonly string[],
): readonly UpgradeViolation[] {
  const { step } = after;
  const formerly = new Map(before.served.map((each) => [versionKey(each), each]));
  const found = after.served.flatMap((each) => [
    ...unreadable(each, step),
    ...refusals(each, { before: formerly.get(versionKey(each)), step, known: before.served }),
  ]);
  const lost = before.served.flatMap((each) => {
    const now = after.served.find((other) => versionKey(other) === versionKey(each));
    if (now === undefined) return [unserved(each, step)];
    return losses(each, now, { step, fields });
  });
  return [...found, ...lost, ...storedVersions(after.definitions, step)];
}

function versionKey({ object, version }: ServedObject): string {
  return `${version} ${object}`;
}

function unreadable({ object, version, unreadable: reason }: ServedObject, step: string): readonly UpgradeViolation[] {
  if (reason === undefined) return [];
  return [
    {
      oracle: oracleOf(reason, "readable"),
      step,
      object,
      message: `${object} cannot be read in ${version}: ${reason}`,
    },
  ];
}

// A webhook that does not answer is no fault of the object.
function oracleOf(reason: string, otherwise: "readable" | "valid"): UpgradeViolation["oracle"] {
  return /failed calling webhook|conversion webhook for/u.test(reason) ? "webhook" : otherwise;
}

function refusals(
  { object, version, invalid, immutable }: ServedObject,
  {
    before,
    step,
    known,
  }: { readonly before: ServedObject | undefined; readonly step: string; readonly known: readonly ServedObject[] },
): readonly UpgradeViolation[] {
  // A version that is new is compared with those that the object had.
  const others = before === undefined ? known.filter((each) => each.object === object) : [before];
  const wasValid = others.some((each) => each.invalid === undefined);
  const wasMutable = others.some((each) => each.immutable === undefined);
  return [
    ...(invalid !== undefined && wasValid
      ? [{ reason: invalid, what: `is refused in ${version} when it is created again` }]
      : []),
    ...(immutable !== undefined && wasMutable
      ? [{ reason: immutable, what: `is refused in ${version} when it is updated without a change` }]
      : []),
  ].map(({ reason, what }) => ({
    oracle: oracleOf(reason, "valid"),
    step,
    object,
    message: `${object} ${what}: ${reason}`,
  }));
}

function unserved({ object, version }: ServedObject, step: string): UpgradeViolation {
  return {
    oracle: "readable",
    step,
    object,
    message: `${object} cannot be read in ${version}: the version is not served any more, and manifests and clients that use it fail`,
  };
}

function losses(
  before: ServedObject,
  now: ServedObject,
  { step, fields }: { readonly step: string; readonly fields: readonly string[] },
): readonly UpgradeViolation[] {
  if (before.content === undefined || now.content === undefined) return [];
  const { object, version } = before;
  const kept = pick(before.content, fields);
  const found = lostFields(kept, pick(now.content, fields), { object, path: "", level: 0 });
  // The operator may write other values to a status, but a version must not lose its fields.
  const differences = found.filter(({ path, actual }) => !path.startsWith("status") || actual === undefined);
  if (differences.length === 0) return [];
  const paths = differences.map(
    ({ path, actual }) => `${path} ${actual === undefined ? "is lost" : "has another value"}`,
  );
  return [{ oracle: "lost-field", step, object, message: `${object} in ${version}: ${paths.join(", ")}`, differences }];
}

function pick(
  content: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): Readonly<Record<string, unknown>> {
  const metadata = isRecord(content["metadata"]) ? content["metadata"] : {};
  const { labels, annotations } = metadata;
  const kept = Object.entries(content).filter(([key]) => fields.includes(key));
  return { ...Object.fromEntries(kept), metadata: { labels, annotations } };
}

function storedVersions(definitions: readonly ObservedDefinition[], step: string): readonly UpgradeViolation[] {
  return definitions.flatMap(({ name, served, stored }) => {
    const missing = stored.filter((version) => !served.includes(version));
    if (missing.length === 0) return [];
    const message = `${name} may have objects in ${missing.join(", ")} (status.storedVersions), which is not served`;
    return [{ oracle: "stored-version", step, object: name, message } as const];
  });
}

/** Returns what the operator has done to the objects since `before`, where the user has changed nothing. */
export function operatorViolations(before: UpgradeRecord, after: UpgradeRecord): readonly UpgradeViolation[] {
  const { step } = after;
  const found = [...before.objects].flatMap(([uid, object]) => {
    const now = after.objects.get(uid);
    return now === undefined ? [replaced(object, step)] : changes(object, now, step);
  });
  return [...found, ...restarts(before.pods, after.pods, step)];
}

function replaced({ name }: ObservedObject, step: string): UpgradeViolation {
  return { oracle: "replaced-object", step, object: name, message: `${name} was deleted although its owner lives` };
}

function changes(before: ObservedObject, now: ObservedObject, step: string): readonly UpgradeViolation[] {
  const { name } = before;
  const parts = [
    ["rewritten-object", rewritten(before, now), "was rewritten without a change by the user:"],
    ["owner", lostOwners(before, now), "has lost the owner"],
    ["label", lostLabels(before, now), "has lost or changed the label"],
    ["selector", changedSelectors(before, now), "has another selector:"],
    [
      "field-manager",
      takenFields(before, now),
      "has fields of another field manager, so that the former one's never vanish:",
    ],
  ] as const;
  return parts
    .filter(([, differences]) => differences.length > 0)
    .map(([oracle, differences, what]) => ({
      oracle,
      step,
      object: name,
      message: `${name} ${what} ${differences.map(({ path }) => path).join(", ")}`,
      differences,
    }));
}

function rewritten(before: ObservedObject, now: ObservedObject): readonly StateDifference[] {
  if (!before.isOfUser || before.metadata.generation === now.metadata.generation) return [];
  return differencesOf(stateOf(before.name, { spec: before.spec }), stateOf(before.name, { spec: now.spec }));
}

function stateOf(name: string, value: unknown): ReadonlyMap<string, unknown> {
  return new Map([[name, value]]);
}

function lostOwners({ name, metadata }: ObservedObject, now: ObservedObject): readonly StateDifference[] {
  const kept = new Set((now.metadata.ownerReferences ?? []).map(({ uid }) => uid));
  return (metadata.ownerReferences ?? [])
    .filter(({ uid }) => !kept.has(uid))
    .map((owner) => ({ object: name, path: `${owner.kind} ${owner.name}`, expected: "an owner reference" }));
}

function lostLabels({ name, metadata }: ObservedObject, now: ObservedObject): readonly StateDifference[] {
  return lostFields(metadata.labels ?? {}, now.metadata.labels ?? {}, { object: name, path: "", level: 0 });
}

function changedSelectors(before: ObservedObject, now: ObservedObject): readonly StateDifference[] {
  if (before.isOfUser) return [];
  const selectorOf = ({ spec }: ObservedObject): unknown => (isRecord(spec) ? spec["selector"] : undefined);
  const [expected, actual] = [selectorOf(before), selectorOf(now)];
  const isEqual = differencesOf(stateOf("", expected ?? {}), stateOf("", actual ?? {})).length === 0;
  return isEqual ? [] : [{ object: before.name, path: "spec.selector", expected, actual }];
}

// A manager that appears beside the former one owns the same fields: those that the new version omits keep their former owner.
function takenFields({ name, metadata }: ObservedObject, now: ObservedObject): readonly StateDifference[] {
  const before = metadata.managedFields ?? [];
  const formerly = new Map(
    before.flatMap((entry) => ownedPaths(entry).map((field) => [field, entry.manager ?? ""] as const)),
  );
  const known = new Set(before.map(({ manager = "" }) => manager));
  return (now.metadata.managedFields ?? [])
    .filter(({ manager = "" }) => !known.has(manager))
    .flatMap((entry) => {
      const taken = ownedPaths(entry).filter((field) => formerly.has(field));
      const [first] = taken;
      if (first === undefined) return [];
      return [{ object: name, path: first, expected: formerly.get(first), actual: entry.manager }];
    });
}

function restarts(
  before: readonly ObservedPod[],
  after: readonly ObservedPod[],
  step: string,
): readonly UpgradeViolation[] {
  return [...new Set(before.map(({ workload }) => workload))].flatMap((workload) => {
    const former = before.filter((pod) => pod.workload === workload);
    const present = after.filter((pod) => pod.workload === workload);
    const gone = former.filter(
      ({ uid, restarts: count }) => !present.some((pod) => pod.uid === uid && pod.restarts <= count),
    );
    if (gone.length === 0) return [];
    const differences = differencesOf(
      stateOf(workload, { template: former[0]?.template ?? {} }),
      stateOf(workload, { template: present[0]?.template ?? {} }),
    );
    const why =
      differences.length === 0
        ? "with the same template"
        : `since ${differences.map(({ path }) => path).join(", ")} has changed`;
    const message = `${String(gone.length)} of ${String(former.length)} Pods of ${workload} were replaced or restarted, ${why}`;
    return [{ oracle: "restarted-pod", step, object: workload, message, differences } as const];
  });
}
