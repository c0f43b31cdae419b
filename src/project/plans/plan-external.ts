import { isBuiltin } from "node:module";

import { InvalidNameError, ResourceConflictError } from "../errors.ts";
import type { ProjectResource } from "../project-config.ts";
import { validateDomain } from "../validate-names.ts";

/** Where the types of an external API come from, as it was typed. */
export interface ExternalRequest {
  /** The module that exports the type and the value of the kind. */
  readonly externalApiPath?: string | undefined;
  /** The domain of the group: that of the project when nothing is said; empty, the group is written in full. */
  readonly externalApiDomain?: string | undefined;
  /** The npm package of the module, which may have a version behind an `@`. */
  readonly externalApiModule?: string | undefined;
}

/** What PROJECT records of an external API. */
export interface ExternalApi {
  readonly path: string;
  readonly domain: string | undefined;
  readonly module: string | undefined;
}

/**
 * Reads the flags of an external API; without them there is none.
 *
 * Fails: `InvalidNameError` when they contradict one another, or the types are to be written here anyway.
 */
export function planExternal(request: ExternalRequest & { readonly resource: boolean }): ExternalApi | undefined {
  const { externalApiPath: path, externalApiDomain: domain, externalApiModule: module, resource } = request;
  if (path === undefined && domain === undefined && module === undefined) return undefined;
  if (resource) {
    throw new InvalidNameError("cannot create a resource whose types are external", {
      hint: "pass --resource=false with --external-api-path",
    });
  }
  if (path === undefined) {
    throw new InvalidNameError("cannot use an external API without --external-api-path", {
      hint: "pass --external-api-path with the module that exports the kind, such as @acme/issuers/v1",
    });
  }
  validateExternalPath(path);
  if (domain !== undefined && domain !== "") validateDomain(domain, "external-api-domain");
  if (module !== undefined) packageOfModule(module);
  return { path, domain, module };
}

/**
 * Refuses a path below the project that no file has: the code that imports it would not compile. Modules of packages are installed later.
 *
 * Fails: `InvalidNameError`.
 */
export function requireExternalFile(
  { externalApiPath: path }: ExternalRequest,
  exists: (file: string) => boolean,
): void {
  if (path === undefined || !path.startsWith("./") || exists(path.slice("./".length))) return;
  throw new InvalidNameError(`cannot use external path "${path}": the project has no file of this name`, {
    hint: "pass the file that exports the kind, with its extension, or a module such as @acme/issuers/v1; nothing was written",
  });
}

/** Refuses to take the types of a kind from elsewhere that the project or Kubernetes has. Fails: {@link ResourceConflictError}. */
export function refuseOwnTypes(stored: ProjectResource | undefined): void {
  if (stored?.api === undefined && stored?.core !== true) return;
  const { group = "", version, kind, core } = stored;
  throw new ResourceConflictError(
    `cannot use --external-api-path for ${group}/${version}, Kind=${kind}: its types are defined in ${core === true ? "Kubernetes" : "this project"}`,
    { hint: "omit --external-api-path, --external-api-domain and --external-api-module" },
  );
}

/**
 * Splits a module such as `@acme/issuers@^1.2.0` into the package and its version; without one the newest is meant.
 *
 * Fails: `InvalidNameError` for what npm would not take from a registry, such as a path, a repository, or an address.
 */
export function packageOfModule(module: string): { readonly name: string; readonly version: string } {
  // A name may start with an @; what is behind the next one may have others, as addresses do.
  const at = module.indexOf("@", 1);
  const [name, version] = at === -1 ? [module, "latest"] : [module.slice(0, at), module.slice(at + 1)];
  refuseGoPath("module", name);
  if (PACKAGE.test(name) && isRegistryVersion(version)) return { name, version };
  throw new InvalidNameError(`cannot use external module "${module}": it is not an npm package`, {
    hint: "pass --external-api-module such as @acme/issuers@^1.2.0",
  });
}

// A version, a range of one comparator, or a tag. npm takes the name of an archive for a file.
function isRegistryVersion(version: string): boolean {
  if (/\.(?:tgz|tar|tar\.gz)$/iu.test(version)) return false;
  return /^(?:(?:[<>]=?|[=^~])?v?\d[\w.*+-]*|[A-Za-z][\w-]*|\*)$/u.test(version);
}

const PACKAGE = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/u;
const SPECIFIER = /^(?:\.\/|(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-])[\w.~-]*(?:\/[\w.~-]+)*$/u;

/** Checks the module that exports an external kind. Fails: `InvalidNameError`. */
export function validateExternalPath(path: string): void {
  refuseGoPath("path", path);
  if (path.lastIndexOf("@") > 0) {
    throw new InvalidNameError(`cannot use external path "${path}": a path cannot contain a version`, {
      hint: "pass the version with --external-api-module <package>@<version>",
    });
  }
  if (isBuiltin(path)) {
    throw new InvalidNameError(`cannot use external path "${path}": it is a module of Node.js`, {
      hint: "pass --external-api-path such as @acme/issuers/v1, or ./api/… for a file of this project",
    });
  }
  const leavesProject = path.split("/").includes("..");
  if (SPECIFIER.test(path) && !leavesProject) return;
  throw new InvalidNameError(`cannot use external path "${path}": it is not a module specifier`, {
    hint: "pass --external-api-path such as @acme/issuers/v1, or ./api/… for a file of this project",
  });
}

// What Go downloads from a host, npm would take for a package whose name has a dot, which anyone can publish.
function refuseGoPath(what: "path" | "module", text: string): void {
  const [host = "", ...rest] = text.split("/");
  const isHost = /^[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}$/iu.test(host) && !/\.[cm]?[jt]s$/iu.test(host);
  if (!isHost || (rest.length === 0 && !GO_HOSTS.has(host.toLowerCase()))) return;
  throw new InvalidNameError(
    `cannot use external ${what} "${text}": it is the path of a Go module, not of an npm package`,
    {
      hint: "run `npx scaffold import crd <the kind's CRD> --external`, then pass --external-api-path with the file that it writes, such as ./api/v1/issuer_types.ts",
    },
  );
}

const GO_HOSTS: ReadonlySet<string> = new Set(
  "github.com gitlab.com bitbucket.org k8s.io sigs.k8s.io gopkg.in go.uber.org golang.org google.golang.org".split(" "),
);
