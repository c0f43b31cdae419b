import { InvalidNameError } from "./errors.ts";
import {
  hasKindForm,
  hasLabelForm,
  isDomain,
  isGroup,
  isKind,
  isLabel,
  isProjectName,
  isRepo,
  isVersion,
  isWebhookPath,
  KIND_LENGTH,
  LABEL_LENGTH,
  LONGEST_SUFFIX,
  PROJECT_NAME_LENGTH,
  qualified,
} from "./name-rules.ts";

/** Checks the project name. Fails: {@link InvalidNameError} that names the rule, or the limit and the object that would be too long. */
export function validateProjectName(name: string): void {
  if (isProjectName(name)) return;
  const proposed = proposeProjectName(name);
  if (hasLabelForm(name)) {
    throw new InvalidNameError(
      `cannot use project name "${name}": with ${name.length} characters the Service "${name}${LONGEST_SUFFIX}" would exceed ${LABEL_LENGTH}`,
      { hint: `pass --project-name with at most ${PROJECT_NAME_LENGTH} characters, such as ${proposed}` },
    );
  }
  throw new InvalidNameError(`cannot use project name "${name}": it is not a DNS label`, {
    hint: `pass --project-name with lower-case letters, digits, and dashes, starting with a letter, such as ${proposed}`,
  });
}

/** Checks the domain of API groups, the project's or an external one's. Fails: {@link InvalidNameError}. */
export function validateDomain(domain: string, flag = "domain"): void {
  if (isDomain(domain)) return;
  throw new InvalidNameError(`cannot use domain "${domain}": it is not a DNS subdomain`, {
    hint: `pass --${flag} with lower-case letters, digits, dashes, and dots, such as ${proposeDomain(domain)}`,
  });
}

/** What the flags of group, version and kind are called. */
export type GvkFlags = "group, version, kind" | "to-group, to-version, to-kind";

/** Checks group, version and kind as they were typed. Fails: {@link InvalidNameError} for the first that breaks its rule. */
export function validateGvk(
  gvk: { readonly group: string; readonly domain: string; readonly version: string; readonly kind: string },
  flags: GvkFlags = "group, version, kind",
): void {
  const [group, version, kind] = flags.split(", ");
  validateGroup(gvk.group, gvk.domain, group);
  validateVersion(gvk.version, version);
  validateKind(gvk.kind, kind);
}

/** Checks a plural as it was typed or derived. Fails: {@link InvalidNameError}. */
export function validatePlural(plural: string): void {
  if (isLabel(plural)) return;
  throw new InvalidNameError(`cannot use plural "${plural}": it is not a DNS-1035 label`, {
    hint: `pass --plural with ${LABEL_RULE}, such as ${proposePlural(plural)}`,
  });
}

/** Checks the name of a controller as it was typed. Fails: {@link InvalidNameError}. */
export function validateControllerName(name: string): void {
  if (isLabel(name)) return;
  throw new InvalidNameError(`cannot use controller name "${name}": it is not a DNS-1035 label`, {
    hint: `pass --controller-name with ${LABEL_RULE}, such as ${proposeControllerName(name)}`,
  });
}

const LABEL_RULE = `at most ${LABEL_LENGTH} lower-case letters, digits, and dashes, starting with a letter`;

/** Checks an npm package name, which is what a project's `repo` is. Fails: {@link InvalidNameError}. */
export function validateRepo(repo: string): void {
  if (isRepo(repo)) return;
  throw new InvalidNameError(`cannot use repo "${repo}": it is not an npm package name`, {
    hint: `pass --repo with a name such as ${proposeRepo(repo)}`,
  });
}

/** Checks a group as it was typed, with its domain. Fails: {@link InvalidNameError}. */
export function validateGroup(group: string, domain: string, flag = "group"): void {
  if (group === "" && domain === "") {
    throw new InvalidNameError("cannot use an empty group: group cannot be empty if the domain is empty", {
      hint: `pass --${flag}, or set \`domain\` in PROJECT`,
    });
  }
  if (isGroup(group, domain)) return;
  const proposed = proposeGroup(group, domain);
  throw new InvalidNameError(
    `cannot use group "${group}": either group or domain is invalid, since "${qualified(group, domain)}" is not a DNS subdomain`,
    {
      hint:
        proposed === undefined
          ? `correct \`domain\` in PROJECT: "${domain}" is not a DNS subdomain that leaves room for a group`
          : `pass --${flag} with lower-case letters, digits, dashes, and dots, such as ${proposed}`,
    },
  );
}

/** Checks the version of an API as it was typed. Fails: {@link InvalidNameError}. */
export function validateVersion(version: string, flag = "version"): void {
  if (isVersion(version)) return;
  throw new InvalidNameError(`cannot use version "${version}": it is not a Kubernetes API version`, {
    hint: `pass --${flag} in the form v1, v1alpha1, or v1beta1, such as ${proposeVersion(version)}`,
  });
}

/** Checks a kind as it was typed. Fails: {@link InvalidNameError}. */
export function validateKind(kind: string, flag = "kind"): void {
  if (isKind(kind)) return;
  const proposed = proposeKind(kind, isTakenKind);
  if (!/^[A-Z]/u.test(kind)) {
    throw new InvalidNameError(`cannot use kind "${kind}": it must start with an upper-case character`, {
      hint: `pass --${flag} with letters and digits only, such as ${proposed}`,
    });
  }
  if (hasKindForm(kind)) {
    throw new InvalidNameError(
      `cannot use kind "${kind}": with ${kind.length} characters its list kind "${kind}List" would exceed ${LABEL_LENGTH}`,
      { hint: `pass --${flag} with at most ${KIND_LENGTH} characters, such as ${proposed}` },
    );
  }
  throw new InvalidNameError(`cannot use kind "${kind}": its lower-case form must be a DNS-1035 label without dashes`, {
    hint: `pass --${flag} with letters and digits only, such as ${proposed}`,
  });
}

// What every file of types imports or exports by itself.
const TAKEN_KINDS = new Set(["Condition", "GroupVersion", "Kind", "KubernetesObject", "NamespacedObject", "Schema"]);

function isTakenKind(kind: string): boolean {
  return TAKEN_KINDS.has(kind);
}

/** Checks a kind whose types are to be written: their file uses some names itself. Fails: {@link InvalidNameError}. */
export function validateOwnKind(kind: string): void {
  validateKind(kind);
  if (!isTakenKind(kind)) return;
  throw new InvalidNameError(`cannot use kind "${kind}": its types file imports a type with this name`, {
    hint: `choose a longer name, such as ${proposeKind(kind, isTakenKind)}`,
  });
}

/** Checks the path that a webhook is to be served at. Fails: {@link InvalidNameError}. */
export function validateWebhookPath(path: string): void {
  if (isWebhookPath(path)) return;
  throw new InvalidNameError(
    `cannot use webhook path "${path}": it must be segments of lower-case letters, digits and dashes, each starting and ending with a letter or digit`,
    { hint: `pass a path such as ${proposeWebhookPath(path)}` },
  );
}

// Each returns a value that its rule accepts: the nearest to what was typed, or a usual one where nothing of that can be used.

/** Returns a project name for what was typed as one. */
function proposeProjectName(typed: string): string {
  return accepted(isProjectName, labelOf(typed, PROJECT_NAME_LENGTH), "guestbook-operator");
}

/** Returns a domain for what was typed as one. */
function proposeDomain(typed: string): string {
  const host = typed.replace(/^\s*[a-z+]+:\/\//iu, "").split(/[/:]/u, 1)[0] ?? "";
  return accepted(isDomain, subdomainOf(host), "my.domain");
}

/** Returns a group for what was typed as one; nothing where the domain takes none. */
function proposeGroup(typed: string, domain: string): string | undefined {
  return [subdomainOf(typed), "webapp"].find((each) => each !== "" && isGroup(each, domain));
}

/** Returns the version of an API for what was typed as one. */
function proposeVersion(typed: string): string {
  const {
    major,
    stage = "",
    number = "1",
  } = /^v?(?<major>[1-9]\d*)(?:\.\d+)*[-.]?(?<stage>alpha|beta)?[-.]?(?<number>[1-9]\d*)?/u.exec(
    typed.trim().toLowerCase(),
  )?.groups ?? {};
  return accepted(isVersion, `v${major ?? ""}${stage}${stage === "" ? "" : number}`, "v1");
}

/** Returns a kind for what was typed as one; with `isTaken` a longer one than those that it names. */
function proposeKind(typed: string, isTaken: (kind: string) => boolean = () => false): string {
  const words = plainLetters(typed).split(/[^A-Za-z0-9]+/u);
  const name = words
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")
    .replace(/^\d+/u, "");
  const kind = (name.slice(0, 1).toUpperCase() + name.slice(1)).slice(0, KIND_LENGTH);
  return accepted(isKind, isTaken(kind) ? `Guestbook${kind}` : kind, "Guestbook");
}

/** Returns a plural for what was typed as one. */
function proposePlural(typed: string): string {
  return accepted(isLabel, labelOf(typed, LABEL_LENGTH), "guestbooks");
}

/** Returns the name of a controller for what was typed as one. */
function proposeControllerName(typed: string): string {
  return accepted(isLabel, labelOf(typed, LABEL_LENGTH), "guestbook-backup");
}

/** Returns the name of an npm package for what was typed as one; modules in Go are named by the address of their repository. */
function proposeRepo(typed: string): string {
  const [owner, name] = typed.split("/").slice(-2);
  const [scope, last] = [owner, name].map((each) => labelOf(each ?? "", LABEL_LENGTH));
  const scoped = name === undefined || scope === "" ? "" : `@${scope ?? ""}/${last ?? ""}`;
  return [scoped, last ?? "", scope ?? ""].find((each) => isRepo(each)) ?? "guestbook-operator";
}

/** Returns a path for a webhook for what was typed as one. */
function proposeWebhookPath(typed: string): string {
  const segments = typed.split("/").map((each) => dashed(each).replaceAll(/^-+|(?<!-)-+$/gu, ""));
  const path = segments.filter((each) => each !== "").map((each) => `/${each}`);
  return accepted(isWebhookPath, path.join(""), "/custom-mutate-guestbook");
}

function accepted(rule: (text: string) => boolean, derived: string, usual: string): string {
  return rule(derived) ? derived : usual;
}

function labelOf(text: string, length: number): string {
  return dashed(text)
    .replace(/^[^a-z]+/u, "")
    .slice(0, length)
    .replace(/(?<!-)-+$/u, "");
}

function subdomainOf(text: string): string {
  const labels = text.split(".").map((each) => dashed(each).replaceAll(/^-+|(?<!-)-+$/gu, ""));
  return labels.filter((each) => each !== "").join(".");
}

function dashed(text: string): string {
  return plainLetters(text)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, "-");
}

// é becomes e.
function plainLetters(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "");
}
