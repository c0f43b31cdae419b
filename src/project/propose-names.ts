import {
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
  PROJECT_NAME_LENGTH,
} from "./name-rules.ts";

// Each returns a value that its rule accepts: the nearest to what was typed, or a usual one where nothing of that can be used.

/** Returns a project name for what was typed as one. */
export function proposeProjectName(typed: string): string {
  return accepted(isProjectName, labelOf(typed, PROJECT_NAME_LENGTH), "guestbook-operator");
}

/** Returns a domain for what was typed as one. */
export function proposeDomain(typed: string): string {
  const host = typed.replace(/^\s*[a-z+]+:\/\//iu, "").split(/[/:]/u, 1)[0] ?? "";
  return accepted(isDomain, subdomainOf(host), "my.domain");
}

/** Returns a group for what was typed as one; nothing where the domain takes none. */
export function proposeGroup(typed: string, domain: string): string | undefined {
  return [subdomainOf(typed), "webapp"].find((each) => each !== "" && isGroup(each, domain));
}

/** Returns the version of an API for what was typed as one. */
export function proposeVersion(typed: string): string {
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
export function proposeKind(typed: string, isTaken: (kind: string) => boolean = () => false): string {
  const words = plainLetters(typed).split(/[^A-Za-z0-9]+/u);
  const name = words
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")
    .replace(/^\d+/u, "");
  const kind = (name.slice(0, 1).toUpperCase() + name.slice(1)).slice(0, KIND_LENGTH);
  return accepted(isKind, isTaken(kind) ? `Guestbook${kind}` : kind, "Guestbook");
}

/** Returns a plural for what was typed as one. */
export function proposePlural(typed: string): string {
  return accepted(isLabel, labelOf(typed, LABEL_LENGTH), "guestbooks");
}

/** Returns the name of a controller for what was typed as one. */
export function proposeControllerName(typed: string): string {
  return accepted(isLabel, labelOf(typed, LABEL_LENGTH), "guestbook-backup");
}

/** Returns the name of an npm package for what was typed as one; modules in Go are named by the address of their repository. */
export function proposeRepo(typed: string): string {
  const [owner, name] = typed.split("/").slice(-2);
  const [scope, last] = [owner, name].map((each) => labelOf(each ?? "", LABEL_LENGTH));
  const scoped = name === undefined || scope === "" ? "" : `@${scope ?? ""}/${last ?? ""}`;
  return [scoped, last ?? "", scope ?? ""].find((each) => isRepo(each)) ?? "guestbook-operator";
}

/** Returns a path for a webhook for what was typed as one. */
export function proposeWebhookPath(typed: string): string {
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
