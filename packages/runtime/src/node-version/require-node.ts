/** The oldest version of Node.js that the packages run on; `engines` in package.json has the same. */
export const OLDEST_NODE = "20.19";

/**
 * Thrown when the version of Node.js is too old.
 *
 * Fix: Install a newer version of Node.js, for example the current LTS release.
 */
class UnsupportedNodeError extends Error {
  readonly code = "NODE_UNSUPPORTED";
  constructor(version: string, program: string) {
    super(
      `${program} requires Node.js ${OLDEST_NODE} or later, and this is Node.js ${version}: install the current LTS release from https://nodejs.org`,
    );
    this.name = "UnsupportedNodeError";
  }
}

/**
 * Checks a version of Node.js, such as `20.19.0`.
 *
 * Guarantees: after compilation for Node.js 14, it runs there, and imports nothing.
 * Fails: {@link UnsupportedNodeError}.
 */
export function requireNode(version: string, program: string): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split(".").map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new UnsupportedNodeError(version, program);
}
