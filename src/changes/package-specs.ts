import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";

const LIBRARIES = ["platform", "k8s", "schema", "runtime", "apiserver", "cluster", "dashboard", "envtest"];

/**
 * Returns the specs by which a new project depends on this program and its libraries, by package name.
 *
 * From a checkout they are paths, from an installed tarball the tarballs beside it, otherwise version ranges.
 */
export function packageSpecs(roots: {
  readonly packageRoot: string;
  readonly projectRoot: string;
}): Readonly<Record<string, string>> {
  return checkoutSpecs(roots) ?? tarballSpecs(roots) ?? rangeSpecs(roots.packageRoot);
}

type Roots = Parameters<typeof packageSpecs>[0];

function checkoutSpecs({ packageRoot, projectRoot }: Roots): Readonly<Record<string, string>> | undefined {
  if (!existsSync(path.join(packageRoot, "packages", "k8s", "package.json"))) return undefined;
  return specsFor((name) =>
    fileSpec(projectRoot, name === "kubescaffold" ? packageRoot : path.join(packageRoot, "packages", libraryOf(name))),
  );
}

// npm notes where it installed a package from in the hidden lock of the folder that it installed into.
function tarballSpecs({ packageRoot, projectRoot }: Roots): Readonly<Record<string, string>> | undefined {
  const installed = path.dirname(packageRoot);
  const lock = readJson(path.join(installed, ".package-lock.json")) as HiddenLock | undefined;
  const resolved = lock?.packages?.["node_modules/kubescaffold"]?.resolved;
  if (resolved?.startsWith("file:") !== true) return undefined;
  const folder = path.dirname(path.resolve(path.dirname(installed), resolved.slice("file:".length)));
  const found = new Map(tarballsIn(folder));
  const names = packageNames();
  if (!names.every((name) => found.has(name))) return undefined;
  return specsFor((name) => fileSpec(projectRoot, found.get(name) ?? ""));
}

interface HiddenLock {
  readonly packages?: Readonly<Record<string, { readonly resolved?: string }>>;
}

function tarballsIn(folder: string): readonly (readonly [string, string])[] {
  if (!existsSync(folder)) return [];
  return packageNames().flatMap((name) => {
    const start = `${name.replace("@", "").replace("/", "-")}-`;
    const file = readdirSync(folder).find(
      (each) => each.startsWith(start) && /^\d.*\.tgz$/u.test(each.slice(start.length)),
    );
    return file === undefined ? [] : [[name, path.join(folder, file)] as const];
  });
}

function rangeSpecs(packageRoot: string): Readonly<Record<string, string>> {
  const { version = "0.0.0" } = (readJson(path.join(packageRoot, "package.json")) ?? {}) as {
    readonly version?: string;
  };
  return specsFor(() => `^${version}`);
}

function packageNames(): readonly string[] {
  return [...LIBRARIES.map((library) => `@kubescaffold/${library}`), "kubescaffold"];
}

function specsFor(specOf: (name: string) => string): Readonly<Record<string, string>> {
  return Object.fromEntries(packageNames().map((name) => [name, specOf(name)]));
}

function libraryOf(name: string): string {
  return name.slice(name.indexOf("/") + 1);
}

// Relative, so that project and packages can move together; between drives there is no relative path.
function fileSpec(projectRoot: string, target: string): string {
  return `file:${path.relative(realPath(projectRoot), realPath(target)).replaceAll("\\", "/")}`;
}

// npm follows links before it goes up a relative path.
function realPath(target: string): string {
  try {
    return realpathSync(target);
  } catch {
    return target;
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
