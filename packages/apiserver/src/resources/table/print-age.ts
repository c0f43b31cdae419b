/** Prints how long ago a moment was, in the short form of kubectl; `<unknown>` without a moment, `<invalid>` for one that cannot be read. */
export function printAge(time: string | undefined, nowMs: number): string {
  if (time === undefined || time === "") {
    return "<unknown>";
  }
  const sinceMs = nowMs - Date.parse(time);
  return Number.isNaN(sinceMs) ? "<invalid>" : printDuration(sinceMs);
}

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const YEAR = 365;

/** Prints a span of time in the short form of kubectl: two units at most, fewer the longer it is. */
export function printDuration(spanMs: number): string {
  const seconds = Math.trunc(spanMs / 1000);
  if (seconds < -1) {
    return "<invalid>";
  }
  if (seconds < 0) {
    return "0s";
  }
  if (seconds < 2 * MINUTE) {
    return `${seconds}s`;
  }
  const minutes = Math.trunc(seconds / MINUTE);
  if (minutes < 10) {
    return withRest(minutes, "m", seconds % MINUTE, "s");
  }
  if (minutes < 180) {
    return `${minutes}m`;
  }
  const hours = Math.trunc(seconds / HOUR);
  if (hours < 8) {
    return withRest(hours, "h", minutes % 60, "m");
  }
  if (hours < 48) {
    return `${hours}h`;
  }
  return printDays(hours, Math.trunc(seconds / DAY));
}

function printDays(hours: number, days: number): string {
  if (days < 8) {
    return withRest(days, "d", hours % 24, "h");
  }
  if (days < 2 * YEAR) {
    return `${days}d`;
  }
  const years = Math.trunc(days / YEAR);
  return years < 8 ? withRest(years, "y", days % YEAR, "d") : `${years}y`;
}

function withRest(amount: number, unit: string, rest: number, restUnit: string): string {
  return rest === 0 ? `${amount}${unit}` : `${amount}${unit}${rest}${restUnit}`;
}
