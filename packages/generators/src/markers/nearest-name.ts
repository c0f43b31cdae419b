import { nearestName } from "@kubescaffold/platform";

/** Finds the known name that a misspelt one most likely means; undefined when none is near. Of the parts between colons, the last one counts. */
export function nearestMarkerName(name: string, known: Iterable<string>): string | undefined {
  const lastSegment = name.slice(name.lastIndexOf(":") + 1);
  return nearestName(name, known, { maxDistance: Math.max(1, Math.floor(lastSegment.length / 4)) });
}
