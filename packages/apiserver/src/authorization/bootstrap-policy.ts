import { linesOf } from "../release/release-tables.ts";
import type { Release } from "../release/release.ts";
import type { JsonObject } from "../storage/api-object.ts";
import type { PolicyRule } from "./rbac-authorizer.ts";

const GROUP = "rbac.authorization.k8s.io";
const API_VERSION = `${GROUP}/v1`;
const CONTROLLER = "system:controller:";

/** A rule of a role. */
interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

/** A controller's service account in `kube-system`, and the rules of its role. */
export interface ControllerPolicy {
  readonly name: string;
  readonly rules: readonly Rule[];
}

/**
 * Returns the roles and bindings that a server of a release has from its start with RBAC: those of kube-apiserver, and those of controllers that it does not know.
 *
 * Without controllers, roles like `admin` are not aggregated.
 */
export function bootstrapPolicy(
  release: Release,
  controllers: readonly ControllerPolicy[],
  hasControllers: boolean = true,
): readonly JsonObject[] {
  const roles = parsedRoles(release);
  const known = new Set(roles.map(({ name }) => name));
  const others = controllers
    .filter(({ name }) => !known.has(CONTROLLER + name))
    .map(({ name, rules }): Role => ({ namespace: "", name: CONTROLLER + name, labels: [], rules, aggregated: "" }));
  const all = [...roles, ...others];
  const aggregated = aggregatedRules(all);
  return [
    ...all.map((role) => roleObject(role, hasControllers ? aggregated : undefined)),
    ...all.filter(({ name, namespace }) => namespace === "" && name.startsWith(CONTROLLER)).map(controllerBinding),
    ...rowsOf(release.bindings).map(bindingObject),
  ];
}

/** Returns the rules of the role `system:node`, by which the authorizer of nodes decides where it does not look at objects. */
export function nodeRules(release: Release): readonly PolicyRule[] {
  return parsedRoles(release).find(({ namespace, name }) => namespace === "" && name === "system:node")?.rules ?? [];
}

/** Returns the names of the service accounts in `kube-system` with which kube-controller-manager runs its controllers. */
export function controllerAccounts({ roles }: Release): readonly string[] {
  const places = rowsOf(roles).map(([place = ""]) => placeOf(place));
  const names = places.filter(({ namespace, name }) => namespace === "" && name.startsWith(CONTROLLER));
  return names.map(({ name }) => name.slice(CONTROLLER.length)).filter((name) => !NOT_RUN.has(name));
}

// They need a cloud provider, or a feature that is off by default.
const NOT_RUN: ReadonlySet<string> = new Set(["route-controller", "selinux-warning-controller", "service-controller"]);

interface Role {
  readonly namespace: string;
  readonly name: string;
  /** The roles that it is aggregated to. */
  readonly labels: readonly string[];
  readonly rules: readonly Rule[];
  /** The label of the roles whose rules it has. */
  readonly aggregated: string;
}

function rowsOf(table: string): readonly (readonly string[])[] {
  return linesOf(table).map((line) => line.split("|"));
}

function parsedRoles({ roles }: Release): readonly Role[] {
  return rowsOf(roles).map(([place = "", labels = "", rules = ""]) => ({
    ...placeOf(place),
    labels: labels === "" ? [] : labels.split(","),
    rules: rules.startsWith("=") ? [] : wordsOfRules(rules).map((words) => parsedRule(words)),
    aggregated: rules.startsWith("=") ? rules.slice(1) : "",
  }));
}

function placeOf(place: string): { readonly namespace: string; readonly name: string } {
  const slash = place.indexOf("/");
  return { namespace: place.slice(0, Math.max(0, slash)), name: place.slice(slash + 1) };
}

// Every server reads all roles when it starts, and V8 parses nested lists faster than it splits texts. No name has quotes.
function wordsOfRules(rules: string): readonly RuleWords[] {
  const lists = rules.replaceAll(",", '","').replaceAll("; ", '"]],[["').replaceAll(" ", '"],["');
  return JSON.parse(`[[["${lists}"]]]`) as readonly RuleWords[];
}

type RuleWords = readonly (readonly string[])[];

function parsedRule([verbs = [], scope = [], resources, resourceNames]: RuleWords): Rule {
  if (resources === undefined) return { nonResourceURLs: scope, verbs };
  return {
    apiGroups: scope.map((group) => (group === "-" ? "" : group)),
    ...(resourceNames === undefined ? {} : { resourceNames }),
    resources,
    verbs,
  };
}

// Each has its rules from the start, for servers where the controller that aggregates them does not run.
function aggregatedRules(roles: readonly Role[]): ReadonlyMap<string, readonly Rule[]> {
  const rules = new Map<string, readonly Rule[]>();
  for (const label of ["view", "edit", "admin"]) {
    const parts = roles
      .filter(({ labels }) => labels.includes(label))
      .toSorted((left, right) => (left.name < right.name ? -1 : 1))
      .flatMap((role) => rules.get(role.aggregated) ?? role.rules);
    const unique = new Map(parts.map((rule) => [JSON.stringify(rule), rule]));
    rules.set(label, [...unique.values()]);
  }
  return rules;
}

function roleObject(role: Role, aggregated: ReadonlyMap<string, readonly Rule[]> | undefined): JsonObject {
  const labels = Object.fromEntries(role.labels.map((label) => [aggregationLabel(label), "true"]));
  const rules = role.aggregated === "" ? role.rules : aggregated?.get(role.aggregated);
  const matchLabels = { [aggregationLabel(role.aggregated)]: "true" };
  return {
    apiVersion: API_VERSION,
    kind: role.namespace === "" ? "ClusterRole" : "Role",
    metadata: bootstrapMetadata(role, labels),
    ...(role.aggregated === "" ? {} : { aggregationRule: { clusterRoleSelectors: [{ matchLabels }] } }),
    rules: (rules as readonly JsonObject[] | undefined) ?? null,
  };
}

function aggregationLabel(name: string): string {
  return `${GROUP}/aggregate-to-${name}`;
}

function bootstrapMetadata(
  { namespace, name }: Pick<Role, "namespace" | "name">,
  labels: Readonly<Record<string, string>> = {},
): JsonObject {
  return {
    name,
    ...(namespace === "" ? {} : { namespace }),
    labels: { "kubernetes.io/bootstrapping": "rbac-defaults", ...labels },
    annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
  };
}

function controllerBinding({ name }: Role): JsonObject {
  return bindingObject([name, "", `ServiceAccount kube-system/${name.slice(CONTROLLER.length)}`]);
}

function bindingObject([place = "", roleName = "", subjects = ""]: readonly string[]): JsonObject {
  const { namespace, name } = placeOf(place);
  const kind = namespace === "" ? "ClusterRole" : "Role";
  return {
    apiVersion: API_VERSION,
    kind: `${kind}Binding`,
    metadata: bootstrapMetadata({ namespace, name }),
    roleRef: { apiGroup: GROUP, kind, name: roleName === "" ? name : roleName },
    ...(subjects === "" ? {} : { subjects: subjects.split(", ").map((subject) => subjectObject(subject)) }),
  };
}

function subjectObject(subject: string): JsonObject {
  const [kind = "", place = ""] = subject.split(" ");
  if (kind !== "ServiceAccount") return { apiGroup: GROUP, kind, name: place };
  const { namespace, name } = placeOf(place);
  return { kind, name, namespace };
}
