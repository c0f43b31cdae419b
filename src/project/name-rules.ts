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
export function isPluginKey(text: string): boolean {
  const [name = "", version, ...rest] = text.split("/");
  return isDomain(name) && rest.length === 0 && (version === undefined || /^v?\d+(?:-alpha|-beta)?$/u.test(version));
}

/** Reports whether a text is a path of a package, a module or a file below the project: no part of it leads upwards. */
export function isSafePath(text: string): boolean {
  const [first = "", ...rest] = text.split("/");
  const isPart = (part: string): boolean => /^@?[\w~][\w.~+-]*$/u.test(part);
  return (first === "." ? rest.length > 0 : isPart(first)) && rest.every((part) => isPart(part)) && text.length <= 1024;
}

/** Reports whether a text is a path that a webhook can be served at. */
export function isWebhookPath(text: string): boolean {
  return WEBHOOK_PATH.test(text);
}
