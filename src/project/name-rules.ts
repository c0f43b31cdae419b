import { quotedText } from "@kubescaffold/generators/typescript";
import { readKubernetesVersion, SUPPORTED_MINORS } from "@kubescaffold/k8s";

import { CERTIFICATE_ISSUERS, CERTIFICATES } from "./certificates.ts";
import { isKubectlPluginName, KUBECTL_PLUGINS } from "./kubectl-plugins.ts";
import { KUBERNETES_KEY } from "./kubernetes-version.ts";
import { BASE_SECTION } from "./project-config.ts";

const LABEL_1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/u;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/u;
const API_VERSION = /^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$/u;
const SUBDOMAIN_LENGTH = 253;
const REPO_LENGTH = 214;
// What both take: API servers want segments that are DNS subdomains, webhook servers no dots.
const WEBHOOK_PATH = /^(?:\/[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)+$/u;

/** The longest label of DNS. */
export const LABEL_LENGTH = 63;

/** The longest suffix that the manifests put behind the project name: that of the metrics Service. */
export const LONGEST_SUFFIX = "-controller-manager-metrics-service";

/** The longest project name whose derived object names all fit. */
export const PROJECT_NAME_LENGTH: number = LABEL_LENGTH - LONGEST_SUFFIX.length;

/** The longest kind: servers hold the kind of its lists to the length of a label. */
export const KIND_LENGTH: number = LABEL_LENGTH - "List".length;

/** Reports whether a text is a DNS-1035 label, whatever its length. */
export function hasLabelForm(text: string): boolean {
  return LABEL_1035.test(text);
}

/** Reports whether a text is a DNS-1035 label. */
export function isLabel(text: string): boolean {
  return hasLabelForm(text) && text.length <= LABEL_LENGTH;
}

/** Reports whether a text is a project name. */
export function isProjectName(text: string): boolean {
  return hasLabelForm(text) && text.length <= PROJECT_NAME_LENGTH;
}

/** Reports whether a text is a domain. */
export function isDomain(text: string): boolean {
  return SUBDOMAIN.test(text) && text.length <= SUBDOMAIN_LENGTH;
}

/** Reports whether a text is a group together with a domain; either may be empty, but not both. */
export function isGroup(group: string, domain: string): boolean {
  return isDomain(qualified(group, domain)) && !group.startsWith("-");
}

/** Returns a group with its domain. */
export function qualified(group: string, domain: string): string {
  return [group, domain].filter((part) => part !== "").join(".");
}

/** Reports whether a text is the version of an API. */
export function isVersion(text: string): boolean {
  return API_VERSION.test(text);
}

/** Reports whether a text is a kind, whatever its length. */
export function hasKindForm(text: string): boolean {
  return /^[A-Z][A-Za-z0-9]*$/u.test(text);
}

/** Reports whether a text is a kind. */
export function isKind(text: string): boolean {
  return hasKindForm(text) && text.length <= KIND_LENGTH;
}

/** Reports whether a text is the name of an npm package. */
export function isRepo(text: string): boolean {
  return /^(?:@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~][a-z0-9-._~]*$/u.test(text) && text.length <= REPO_LENGTH;
}

/** Reports whether a text is a DNS-1123 label. */
export function isDnsLabel(text: string): boolean {
  return SUBDOMAIN.test(text) && !text.includes(".") && text.length <= LABEL_LENGTH;
}

/** Reports whether a text is the key of a plugin: its name, and its version where one is given. */
function isPluginKey(text: string): boolean {
  const [name = "", version, ...rest] = text.split("/");
  return isDomain(name) && rest.length === 0 && (version === undefined || /^v?\d+(?:-alpha|-beta)?$/u.test(version));
}

/** Reports whether a text is a path of a package, a module or a file below the project: no part of it leads upwards. */
function isSafePath(text: string): boolean {
  const [first = "", ...rest] = text.split("/");
  const isPart = (part: string): boolean => /^@?[\w~][\w.~+-]*$/u.test(part);
  return (first === "." ? rest.length > 0 : isPart(first)) && rest.every((part) => isPart(part)) && text.length <= 1024;
}

/** Reports whether a text is a path that a webhook can be served at. */
export function isWebhookPath(text: string): boolean {
  return WEBHOOK_PATH.test(text);
}

/** One way in which PROJECT breaks a rule: the path of the value inside the file, and the rule. */
export interface ProjectProblem {
  readonly path: readonly string[];
  readonly message: string;
}

/**
 * Checks the names and paths in the data of a PROJECT file, which has the form of its schema, by the rules of the flags that write them.
 *
 * Guarantees: a text that passes can be in a source, a manifest, a script, and a path below the project. Limits of lengths that only names derived
 * from others have are left to the commands.
 */
export function nameProblems(data: object): readonly ProjectProblem[] {
  const record = data as Entries;
  const { cliVersion, projectName, domain, repo, layout, plugins, resources, version } = record;
  // Versions 1 and 2 know no layout: all their projects are in Go, as are those whose module is no npm package.
  const hasLayout = keysOf(layout).length > 0;
  const isGo =
    version === "1" ||
    version === "2" ||
    (!hasLayout && typeof repo === "string" && isGoModule(repo)) ||
    keysOf(layout).some((key) => /^(?:base\.)?go(?:\.kubebuilder\.io)?\//u.test(key));
  return [
    ...judge(["cliVersion"], cliVersion, CLI_VERSION),
    ...judge(["projectName"], projectName, PROJECT_NAME),
    ...judge(["domain"], domain, DOMAIN),
    ...judge(["repo"], repo, isGo ? GO_MODULE : NPM_PACKAGE),
    ...keysOf(layout).flatMap((key, index) =>
      judge(Array.isArray(layout) ? ["layout", String(index)] : ["layout"], key, PLUGIN_KEY),
    ),
    ...Object.keys(recordOf(plugins)).flatMap((key) => judge(["plugins", key], key, PLUGIN_KEY)),
    ...kubernetesProblems(recordOf(recordOf(plugins)[BASE_SECTION])[KUBERNETES_KEY]),
    ...judge(["plugins", BASE_SECTION, CERTIFICATES], recordOf(recordOf(plugins)[BASE_SECTION])[CERTIFICATES], ISSUER),
    ...listOf(recordOf(recordOf(plugins)[BASE_SECTION])[KUBECTL_PLUGINS]).flatMap(({ name }, index) =>
      judge(["plugins", BASE_SECTION, KUBECTL_PLUGINS, String(index), "name"], name, KUBECTL_PLUGIN),
    ),
    ...listOf(resources).flatMap((resource, index) => problemsOf(["resources", String(index)], resource)),
  ];
}

/**
 * Reports whether a path is that of a Go module, and not the name of an npm package: the first part of a module's path has a dot, and the name of an npm
 * package has no second part without a scope.
 */
export function isGoModule(repo: string): boolean {
  const [host = "", ...others] = repo.split("/");
  const dot = host.indexOf(".", 1);
  return others.length > 0 && dot > 0 && dot < host.length - 1 && !host.slice(0, dot).includes("@");
}

type Entries = Readonly<Record<string, unknown>>;

/** What a value must be, for messages, and whether it is. */
interface Rule {
  readonly what: string;
  readonly holds: (text: string) => boolean;
  /** Whether an empty text is as good as none. */
  readonly mayBeEmpty?: boolean;
}

const CLI_VERSION: Rule = {
  what: "a version such as 1.2.3",
  // Whether it is an exact one is checked where it reaches npm.
  holds: (text) => /^[\w .+():@/^~*<>=|-]{1,100}$/u.test(text),
  mayBeEmpty: true,
};
const PROJECT_NAME: Rule = { what: "a DNS label", holds: isDnsLabel, mayBeEmpty: true };
const DOMAIN: Rule = { what: "a DNS subdomain", holds: isDomain, mayBeEmpty: true };
const NPM_PACKAGE: Rule = { what: "the name of an npm package", holds: isRepo, mayBeEmpty: true };
const GO_MODULE: Rule = { what: "a module path", holds: isSafePath, mayBeEmpty: true };
const PLUGIN_KEY: Rule = { what: "a plugin key such as ts.kubescaffold.dev/v1", holds: isPluginKey };
const ISSUER: Rule = {
  what: CERTIFICATE_ISSUERS.join(" or "),
  holds: (text) => CERTIFICATE_ISSUERS.some((each) => each === text),
};
const KUBECTL_PLUGIN: Rule = {
  what: "the name of a kubectl plugin: lower-case letters and digits, with single dashes between them",
  holds: isKubectlPluginName,
};
const VERSION: Rule = { what: "a version of Kubernetes' form, such as v1alpha1", holds: isVersion };
const KIND: Rule = {
  what: "a kind: letters and digits, an upper-case letter first",
  holds: (text) => hasKindForm(text) && hasLabelForm(text.toLowerCase()),
};
const LABEL: Rule = { what: "a DNS-1035 label", holds: isLabel };
const PLURAL: Rule = { ...LABEL, mayBeEmpty: true };
const CRD_VERSION: Rule = { what: "a version such as v1", holds: isVersion, mayBeEmpty: true };
const WEBHOOK_PATH_RULE: Rule = {
  what: "a path: segments of lower-case letters, digits and dashes",
  holds: isWebhookPath,
  mayBeEmpty: true,
};
const WEBHOOK_NAME: Rule = { what: "a DNS subdomain", holds: isDomain, mayBeEmpty: true };
const TYPES_PATH: Rule = { what: "a path of a package or below the project", holds: isSafePath, mayBeEmpty: true };
const MODULE: Rule = {
  what: "a package, with a version behind an @ where one is given",
  holds: (text) => /^(?:@[a-z0-9~-][\w.~-]*\/)?[^\s\p{C}"'`\\]+$/u.test(text),
  mayBeEmpty: true,
};

function kubernetesProblems(value: unknown): readonly ProjectProblem[] {
  const path = ["plugins", BASE_SECTION, KUBERNETES_KEY];
  if (value === undefined) return [];
  // YAML reads a version without quotes as a number, in which 1.40 would be 1.4.
  const problem = typeof value === "string" ? undefined : "is not a text: put it in quotes";
  const message = problem ?? versionProblem(value as string);
  return message === undefined ? [] : [{ path, message: `${KUBERNETES_KEY} ${JSON.stringify(value)} ${message}` }];
}

function versionProblem(text: string): string | undefined {
  try {
    readKubernetesVersion(text, KUBERNETES_KEY);
    return undefined;
  } catch {
    return `is not a supported version of Kubernetes: ${SUPPORTED_MINORS.join(", ")}`;
  }
}

function problemsOf(path: readonly string[], resource: Entries): readonly ProjectProblem[] {
  const { group, domain, version, kind, plural, path: types, module, controllers, api, webhooks } = resource;
  const { crdVersion } = recordOf(api);
  return [
    ...groupProblems(path, { group, domain }),
    ...judge([...path, "version"], version, VERSION),
    ...judge([...path, "kind"], kind, KIND),
    ...judge([...path, "plural"], plural, PLURAL),
    ...judge([...path, "path"], types, TYPES_PATH),
    ...judge([...path, "module"], module, MODULE),
    ...judge([...path, "api", "crdVersion"], crdVersion, CRD_VERSION),
    ...listOf(controllers).flatMap(({ name }, index) =>
      judge([...path, "controllers", String(index), "name"], name, LABEL),
    ),
    ...webhookProblems([...path, "webhooks"], recordOf(webhooks)),
  ];
}

function groupProblems(
  path: readonly string[],
  { group, domain }: { readonly group: unknown; readonly domain: unknown },
): readonly ProjectProblem[] {
  const [own, wide] = [typeof group === "string" ? group : "", typeof domain === "string" ? domain : ""];
  if ((own === "" && wide === "") || isGroup(own, wide)) return [];
  const isDomainWrong = wide !== "" && !isDomain(wide);
  return judge([...path, isDomainWrong ? "domain" : "group"], isDomainWrong ? wide : own, {
    what: "a part of a DNS subdomain",
    holds: () => false,
  });
}

function webhookProblems(path: readonly string[], webhooks: Entries): readonly ProjectProblem[] {
  const { spoke, webhookVersion, defaultingPath, validationPath, defaultingName, validationName } = webhooks;
  return [
    ...judge([...path, "webhookVersion"], webhookVersion, CRD_VERSION),
    ...judge([...path, "defaultingPath"], defaultingPath, WEBHOOK_PATH_RULE),
    ...judge([...path, "validationPath"], validationPath, WEBHOOK_PATH_RULE),
    ...judge([...path, "defaultingName"], defaultingName, WEBHOOK_NAME),
    ...judge([...path, "validationName"], validationName, WEBHOOK_NAME),
    ...(Array.isArray(spoke) ? spoke : []).flatMap((each: unknown, index) =>
      judge([...path, "spoke", String(index)], each, VERSION),
    ),
  ];
}

function judge(
  path: readonly string[],
  value: unknown,
  { what, holds, mayBeEmpty = false }: Rule,
): readonly ProjectProblem[] {
  if (typeof value !== "string" || (value === "" && mayBeEmpty) || holds(value)) return [];
  return [{ path, message: `${path.join(".")} ${quotedText(value)} is not ${what}` }];
}

function keysOf(layout: unknown): readonly string[] {
  if (Array.isArray(layout)) return layout.map(String);
  return typeof layout === "string" && layout !== "" ? layout.split(",") : [];
}

function listOf(value: unknown): readonly Entries[] {
  return Array.isArray(value) ? value.map((each: unknown) => recordOf(each)) : [];
}

function recordOf(value: unknown): Entries {
  return typeof value === "object" && value !== null ? (value as Entries) : {};
}
