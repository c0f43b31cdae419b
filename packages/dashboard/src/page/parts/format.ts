const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Prints an age as kubectl does: `12s`, `5m`, `3h20m`, `9d`. */
export function formatAge(ageMs: number): string {
  const age = Math.max(0, ageMs);
  if (age < 2 * MINUTE) return `${String(Math.floor(age / SECOND))}s`;
  if (age < 10 * MINUTE) return withRest(age, MINUTE, "m", SECOND, "s");
  if (age < 3 * HOUR) return `${String(Math.floor(age / MINUTE))}m`;
  if (age < 8 * HOUR) return withRest(age, HOUR, "h", MINUTE, "m");
  if (age < 2 * DAY) return `${String(Math.floor(age / HOUR))}h`;
  return `${String(Math.floor(age / DAY))}d`;
}

function withRest(age: number, unit: number, name: string, smaller: number, smallerName: string): string {
  const rest = Math.floor((age % unit) / smaller);
  return `${String(Math.floor(age / unit))}${name}${rest === 0 ? "" : `${String(rest)}${smallerName}`}`;
}

/** Prints a duration with three digits at most: `0.4 ms`, `12 ms`, `1.2 s`, `3 min`. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 10) return `${String(round(durationMs, 1))} ms`;
  if (durationMs < SECOND) return `${String(Math.round(durationMs))} ms`;
  if (durationMs < MINUTE) return `${String(round(durationMs / SECOND, durationMs < 10 * SECOND ? 1 : 0))} s`;
  if (durationMs < HOUR) return `${String(round(durationMs / MINUTE, 1))} min`;
  return `${String(round(durationMs / HOUR, 1))} h`;
}

/** Prints a rate per second: `0`, `0.25`, `12`. */
export function formatRate(rate: number): string {
  return String(rate < 1 ? round(rate, 2) : rate < 10 ? round(rate, 1) : Math.round(rate));
}

/** Prints a number with separators of thousands. */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** Prints the time of day with milliseconds, in the zone of the browser. */
export function formatTime(at: number): string {
  const date = new Date(at);
  const pad = (value: number, width = 2): string => String(value).padStart(width, "0");
  return `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}.${pad(date.getMilliseconds(), 3)}`;
}

/** Prints date and time for titles. */
export function formatDateTime(at: number): string {
  return new Date(at).toLocaleString();
}

/** Prints a noun with its number: `1 file`, `2 files`. */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : nouns}`;
}

/** Prints the name of an object with its namespace. */
export function formatName(namespace: string, name: string): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}

function round(value: number, digits: number): number {
  const factor = 10 ** digits;
  return Math.round(value * factor) / factor;
}
