const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const YEAR_DAYS = 365;

/**
 * Prints a duration in milliseconds as kubectl prints ages: at most two units, such as `2d4h`, and fewer the longer it is; `<invalid>` if it is negative.
 *
 * apimachinery: pkg/util/duration.HumanDuration
 */
export function humanDuration(durationMs: number): string {
  const seconds = Math.trunc(durationMs / 1000);
  const minutes = Math.trunc(seconds / MINUTE);
  const hours = Math.trunc(seconds / HOUR);
  if (seconds < 2 * MINUTE) return underTwoMinutes(seconds);
  if (minutes < 10) return withRest(minutes, "m", seconds % MINUTE, "s");
  if (minutes < 180) return `${minutes}m`;
  if (hours < 8) return withRest(hours, "h", minutes % 60, "m");
  if (hours < 48) return `${hours}h`;
  return manyDays(hours, Math.trunc(seconds / DAY));
}

function manyDays(hours: number, days: number): string {
  const years = Math.trunc(days / YEAR_DAYS);
  if (days < 8) return withRest(days, "d", hours % 24, "h");
  if (years < 2) return `${days}d`;
  return years < 8 ? withRest(years, "y", days % YEAR_DAYS, "d") : `${years}y`;
}

function withRest(amount: number, unit: string, rest: number, restUnit: string): string {
  return rest === 0 ? `${amount}${unit}` : `${amount}${unit}${rest}${restUnit}`;
}

/**
 * Prints a duration in milliseconds with one unit, such as `2d`; `<invalid>` if it is negative.
 *
 * apimachinery: pkg/util/duration.ShortHumanDuration
 */
export function shortHumanDuration(durationMs: number): string {
  const seconds = Math.trunc(durationMs / 1000);
  if (seconds < MINUTE) return underTwoMinutes(seconds);
  if (seconds < HOUR) return `${Math.trunc(seconds / MINUTE)}m`;
  if (seconds < DAY) return `${Math.trunc(seconds / HOUR)}h`;
  const days = Math.trunc(seconds / DAY);
  return days < YEAR_DAYS ? `${days}d` : `${Math.trunc(days / YEAR_DAYS)}y`;
}

// The clocks of two machines may differ by a second.
function underTwoMinutes(seconds: number): string {
  return seconds < -1 ? "<invalid>" : `${Math.max(seconds, 0)}s`;
}
