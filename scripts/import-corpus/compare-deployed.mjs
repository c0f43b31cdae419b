// Compares what two servers store after the manifests of a Go project and of the project that was imported from it were applied.
//
// Names of objects alone do not make two projects differ: webhooks are compared together with the Service that they call, and roles and Deployments under
// other names are paired by what they are. Each name that is not the same is a note.
import { isDeepStrictEqual } from "node:util";

import { describeCall } from "./called-services.mjs";

// The manager authenticates clients of its metrics itself, instead of a proxy.
const REPLACED = /(?:proxy-role|metrics-reader|metrics-role|metrics-auth-role)$/u;

// Whatever prefix the project gives it; that of the new manager may use leases besides the objects that the original locks.
const LEADER_ELECTION = /leader-election-role$/u;

const CONFIGURATIONS = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"];

/**
 * Returns a cell of the table for each kind of objects, what differs, and which names do.
 *
 * `grants` reports whether rules together grant all that another one does.
 */
export function compareDeployed(wanted, made, { grants }) {
  const parts = [
    compareDefinitions(wanted, made),
    compareRoles(wanted, made, grants),
    compareWebhooks(wanted, made),
    compareDeployments(wanted, made),
  ];
  return {
    cells: parts.map(({ same, total }) => (total === 0 ? "none" : `${same} of ${total}`)),
    problems: parts.flatMap(({ problems }) => problems),
    notes: [...new Set(parts.flatMap(({ notes }) => notes))],
  };
}

function compareDefinitions(wanted, made) {
  const entriesIn = (objects) =>
    ofKinds(objects, ["CustomResourceDefinition"]).map((object) => ({
      id: idOf(object),
      value: { ...object.spec, conversion: undefined },
    }));
  return comparePairs(pairs(entriesIn(wanted), entriesIn(made)), isEqualValue);
}

function compareRoles(wanted, made, grants) {
  const entriesIn = (objects) =>
    ofKinds(objects, ["ClusterRole", "Role"])
      .filter(({ metadata }) => !REPLACED.test(metadata.name))
      .map((object) => ({ id: idOf(object), kind: object.kind, value: object.rules ?? [] }));
  const covers = (one, other) => one.value.every((rule) => grants(other.value, rule));
  const isOfElection = ({ id }) => LEADER_ELECTION.test(id);
  const isCounterpart = (one, other) =>
    one.kind === other.kind &&
    ((isOfElection(one) && isOfElection(other)) || (covers(one, other) && covers(other, one)));
  return comparePairs(pairs(entriesIn(wanted), entriesIn(made), isCounterpart), covers);
}

function compareWebhooks(wanted, made) {
  const found = pairs(webhooksIn(wanted), webhooksIn(made));
  const { notes, ...result } = comparePairs(found, isEqualValue);
  const names = found.both.flatMap(([one, other]) => [
    ...renamed(one.configuration, other.configuration),
    ...renamed(one.service, other.service),
    ...(one.listens === other.listens
      ? []
      : [`the Pods of ${one.service} listen on ${one.listens}, now on ${other.listens}`]),
  ]);
  return { ...result, notes: [...notes, ...names] };
}

// The bundle is that of the cluster's certificates.
function webhooksIn(objects) {
  const seen = new Map();
  return ofKinds(objects, CONFIGURATIONS).flatMap((configuration) =>
    (configuration.webhooks ?? []).map(({ clientConfig, ...webhook }) => {
      const name = `${configuration.kind} webhook ${webhook.name}`;
      const count = (seen.get(name) ?? 0) + 1;
      seen.set(name, count);
      const { calls, service, listens } = describeCall(clientConfig, objects);
      return {
        id: count === 1 ? name : `${name} (${count})`,
        value: { ...webhook, calls },
        configuration: idOf(configuration),
        service,
        listens,
      };
    }),
  );
}

// Programs in Go and in TypeScript need other images, arguments, and resources; and one manager in TypeScript does what several programs did.
function compareDeployments(wanted, made) {
  const entriesIn = (objects) =>
    ofKinds(objects, ["Deployment"]).map((object) => ({ id: idOf(object), value: { replicas: object.spec.replicas } }));
  const found = pairs(entriesIn(wanted), entriesIn(made), () => true);
  const result = comparePairs(found, isEqualValue);
  if (found.missing.length === 0 || found.both.length === 0) return result;
  const [, one] = found.both[0];
  return {
    ...result,
    problems: result.problems.map((problem) =>
      problem.replace(/ is missing$/u, ` is missing: ${one.id} is the only one`),
    ),
  };
}

function isEqualValue(one, other) {
  return isDeepStrictEqual(one.value, other.value);
}

function comparePairs({ both, missing, added }, isSame) {
  const differing = both.filter(([one, other]) => !isSame(one, other));
  return {
    same: both.length - differing.length,
    total: both.length + missing.length,
    problems: [
      ...differing.map(([one, other]) => `${one.id} differs${differenceOf(one.value, other.value)}`),
      ...missing.map(({ id }) => `${id} is missing`),
      ...added.map(({ id }) => `${id} is new`),
    ],
    notes: both.flatMap(([one, other]) => renamed(one.id, other.id)),
  };
}

function renamed(one, other) {
  return one === other ? [] : [`${one} is now ${other}`];
}

/** Pairs entries of the same id, and then those that are left with the first counterpart that is left, too. */
function pairs(wanted, made, isCounterpart = () => false) {
  const both = [];
  const added = [...made];
  const take = (index) => added.splice(index, 1)[0];
  const unpaired = wanted.filter((one) => {
    const index = added.findIndex(({ id }) => id === one.id);
    if (index >= 0) both.push([one, take(index)]);
    return index < 0;
  });
  const missing = unpaired.filter((one) => {
    const index = added.findIndex((other) => isCounterpart(one, other));
    if (index >= 0) both.push([one, take(index)]);
    return index < 0;
  });
  return { both, missing, added };
}

function differenceOf(one, other) {
  if (Array.isArray(one) || one === null || typeof one !== "object") return "";
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (key) => !isDeepStrictEqual(one[key], other[key]),
  );
  const shown = keys.map((key) => `${key}: ${shortened(one[key])} became ${shortened(other[key])}`);
  return keys.length === 0 ? "" : ` (${shown.join("; ")})`;
}

function shortened(value) {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function ofKinds(objects, kinds) {
  return objects.filter(({ kind }) => kinds.includes(kind));
}

function idOf({ kind, metadata }) {
  return `${kind} ${metadata.name}`;
}
