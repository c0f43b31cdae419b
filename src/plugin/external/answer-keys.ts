// The objects of an answer whose keys the protocol names; those of a universe are paths.
const OBJECTS: Readonly<Record<string, readonly string[]>> = {
  "": ["apiVersion", "command", "error", "errorMsgs", "universe", "metadata", "flags"],
  metadata: ["description", "examples"],
  flags: ["name", "type", "default", "usage"],
};

/**
 * Returns what a plugin printed with the keys as the protocol writes them.
 *
 * Upstream reads them in whatever case they are, and its own library for plugins prints `Name` and `Description`.
 */
export function withProtocolKeys(answer: unknown): unknown {
  const renamed = renameKeys(answer, "");
  if (!isObject(renamed)) return renamed;
  const { metadata, flags } = renamed;
  return {
    ...renamed,
    ...(metadata === undefined ? {} : { metadata: renameKeys(metadata, "metadata") }),
    ...(Array.isArray(flags) ? { flags: flags.map((flag: unknown) => renameKeys(flag, "flags")) } : {}),
  };
}

function renameKeys(value: unknown, object: string): unknown {
  if (!isObject(value)) return value;
  const known = OBJECTS[object] ?? [];
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      known.find((name) => name.toLowerCase() === key.toLowerCase()) ?? key,
      each,
    ]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
