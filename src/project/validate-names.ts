import { InvalidNameError } from "./errors.ts";

const LABEL_1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/u;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/u;
const API_VERSION = /^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$/u;
// The longest name that the manifests derive from the project name is that of the metrics Service.
const LONGEST_SUFFIX = "-controller-manager-metrics-service";
const LABEL_LENGTH = 63;
const SUBDOMAIN_LENGTH = 253;
// Servers hold the kind of lists to the length of a label.
const KIND_LENGTH = LABEL_LENGTH - "List".length;

/** The longest project name whose derived object names all fit. */
export const PROJECT_NAME_LENGTH: number = LABEL_LENGTH - LONGEST_SUFFIX.length;

/** Checks the project name. Fails: {@link InvalidNameError} that names the rule, or the limit and the object that would be too long. */
export function validateProjectName(name: string): void {
  if (!LABEL_1035.test(name)) {
    throw new InvalidNameError(`cannot use project name "${name}": it is no DNS label`, {
      hint: "pass --project-name with lower-case letters, digits and dashes that starts with a letter",
    });
  }
  if (name.length > PROJECT_NAME_LENGTH) {
    throw new InvalidNameError(
      `cannot use project name "${name}": with ${name.length} characters the Service "${name}${LONGEST_SUFFIX}" would exceed ${LABEL_LENGTH}`,
      { hint: `pass --project-name with at most ${PROJECT_NAME_LENGTH} characters` },
    );
  }
}

/** Checks the domain of the project's API groups. Fails: {@link InvalidNameError}. */
export function validateDomain(domain: string): void {
  if (SUBDOMAIN.test(domain) && domain.length <= SUBDOMAIN_LENGTH) return;
  throw new InvalidNameError(`cannot use domain "${domain}": it is no DNS subdomain`, {
    hint: "pass --domain with lower-case letters, digits, dashes and dots, such as my.domain",
  });
}

/** Checks group, version and kind as they were typed. Fails: {@link InvalidNameError} for the first that breaks its rule. */
export function validateGvk(gvk: {
  readonly group: string;
  readonly domain: string;
  readonly version: string;
  readonly kind: string;
}): void {
  validateGroup(gvk.group, gvk.domain);
  validateVersion(gvk.version);
  validateKind(gvk.kind);
}

/** Checks a plural as it was typed or derived. Fails: {@link InvalidNameError}. */
export function validatePlural(plural: string): void {
  if (LABEL_1035.test(plural) && plural.length <= LABEL_LENGTH) return;
  throw new InvalidNameError(`cannot use plural "${plural}": it is no DNS-1035 label`, {
    hint: "pass --plural in lower case, with letters, digits and dashes, starting with a letter",
  });
}

/** Checks the name of a controller as it was typed. Fails: {@link InvalidNameError}. */
export function validateControllerName(name: string): void {
  if (LABEL_1035.test(name) && name.length <= LABEL_LENGTH) return;
  throw new InvalidNameError(`cannot use controller name "${name}": it is no DNS-1035 label`, {
    hint: "pass --controller-name in lower case, with letters, digits and dashes, starting with a letter",
  });
}

/** Checks an npm package name, which is what a project's `repo` is. Fails: {@link InvalidNameError}. */
export function validateRepo(repo: string): void {
  const isValid = /^(?:@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~][a-z0-9-._~]*$/u.test(repo) && repo.length <= 214;
  if (isValid) return;
  throw new InvalidNameError(`cannot use repo "${repo}": it is no npm package name`, {
    hint: `pass --repo with a name such as ${packageNameFor(repo)}`,
  });
}

// Modules in Go are named by the address of their repository.
function packageNameFor(repo: string): string {
  const [owner = "", name = ""] = repo.toLowerCase().split("/").slice(-2);
  const isName = (text: string): boolean => /^[a-z0-9][a-z0-9-]*$/u.test(text);
  return isName(owner) && isName(name) ? `@${owner}/${name}` : "guestbook-operator or @acme/guestbook-operator";
}

/** Checks a group as it was typed, with its domain. Fails: {@link InvalidNameError}. */
export function validateGroup(group: string, domain: string): void {
  if (group === "" && domain === "") {
    throw new InvalidNameError("cannot use an empty group: group cannot be empty if the domain is empty", {
      hint: "pass --group, or set `domain` in PROJECT",
    });
  }
  const qualified = [group, domain].filter((part) => part !== "").join(".");
  if (SUBDOMAIN.test(qualified) && qualified.length <= SUBDOMAIN_LENGTH && !group.startsWith("-")) return;
  throw new InvalidNameError(
    `cannot use group "${group}": either group or domain is invalid, since "${qualified}" is no DNS subdomain`,
    { hint: "pass --group with lower-case letters, digits, dashes and dots" },
  );
}

/** Checks the version of an API as it was typed. Fails: {@link InvalidNameError}. */
export function validateVersion(version: string): void {
  if (API_VERSION.test(version)) return;
  throw new InvalidNameError(`cannot use version "${version}": it does not follow Kubernetes' versions`, {
    hint: "pass --version such as v1, v1beta1 or v2alpha3",
  });
}

/** Checks a kind as it was typed. Fails: {@link InvalidNameError}. */
export function validateKind(kind: string): void {
  if (!/^[A-Z]/u.test(kind)) {
    throw new InvalidNameError(`cannot use kind "${kind}": it must start with an upper-case character`, {
      hint: `pass --kind ${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`,
    });
  }
  const isName = /^[A-Za-z][A-Za-z0-9]*$/u.test(kind) && LABEL_1035.test(kind.toLowerCase());
  if (isName && kind.length > KIND_LENGTH) {
    throw new InvalidNameError(
      `cannot use kind "${kind}": with ${kind.length} characters the kind of its lists "${kind}List" would exceed ${LABEL_LENGTH}`,
      { hint: `pass --kind with at most ${KIND_LENGTH} characters` },
    );
  }
  if (isName) return;
  throw new InvalidNameError(`cannot use kind "${kind}": its lower-case form must be a DNS-1035 label without dashes`, {
    hint: "pass --kind with letters and digits only, such as Guestbook",
  });
}

// What every file of types imports or exports by itself.
const TAKEN_KINDS = new Set(["Condition", "GroupVersion", "Kind", "KubernetesObject", "Schema"]);

/** Checks a kind whose types are to be written: their file uses some names itself. Fails: {@link InvalidNameError}. */
export function validateOwnKind(kind: string): void {
  validateKind(kind);
  if (!TAKEN_KINDS.has(kind)) return;
  throw new InvalidNameError(`cannot use kind "${kind}": the file of its types imports a type of this name`, {
    hint: `choose a longer name, such as --kind Guestbook${kind}`,
  });
}
