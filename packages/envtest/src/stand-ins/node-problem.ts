/** What the manifest of a package contains on its requirements. */
export interface RequiringManifest {
  readonly name: string;
  readonly engines: { readonly node: string };
}

/** Returns why a version of Node.js, such as `20.19.0`, cannot run the package; undefined if it can. Imports nothing, so that old versions can run it. */
export function nodeProblem(version: string, { name, engines }: RequiringManifest): string | undefined {
  const oldest = engines.node.replace(/^>=/u, "");
  const [[major = 0, minor = 0], [oldestMajor = 0, oldestMinor = 0]] = [numbers(version), numbers(oldest)];
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `${name} requires Node.js ${oldest} or later, and this is Node.js ${version}: install the current LTS release from https://nodejs.org [NODE_UNSUPPORTED]`;
}

function numbers(version: string): readonly number[] {
  return version.split(".").map(Number);
}
