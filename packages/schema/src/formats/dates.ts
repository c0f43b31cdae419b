/** Reports whether a text is a calendar date of the form `2006-01-02`. */
export function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) {
    return false;
  }
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

/** Reports whether a text is a date and time of RFC 3339, as loosely as upstream reads it. */
export function isDateTime(text: string): boolean {
  const [date = "", time] = text.toLowerCase().split("t");
  if (text.length < 4 || time === undefined || !isDate(date)) {
    return false;
  }
  const match = /^([0-9]{2}):([0-9]{2}):([0-9]{2})([^\n][0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/.exec(time);
  return match !== null && (match[1] ?? "") <= "23" && (match[2] ?? "") <= "59" && (match[3] ?? "") <= "59";
}

/** Reports whether a text is a duration of Go (`1h30m`) or of Scala (`2 days`). */
export function isDuration(text: string): boolean {
  return isGoDuration(text) || isScalaDuration(text);
}

function isGoDuration(text: string): boolean {
  return /^[-+]?(0|((\d+\.?\d*|\.\d+)(ns|us|\u00B5s|\u03BCs|ms|s|m|h))+)$/.test(text) && isBelowLimit(text);
}

const NANOSECONDS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 6e10,
  h: 3.6e12,
};

function isBelowLimit(text: string): boolean {
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|\u00B5s|\u03BCs|ms|s|m|h)/g)) {
    total += Number(amount) * (NANOSECONDS[unit ?? ""] ?? 0);
  }
  return total < 2 ** 63;
}

const EXACT_UNITS: ReadonlySet<string> = new Set(["ns", "us", "µs", "ms", "s", "m", "h", "hr", "d", "w", "wk"]);
const UNIT_STEMS = ["nano", "micro", "milli", "sec", "min", "hour", "day", "week"] as const;

function isScalaDuration(text: string): boolean {
  let isKnown = false;
  for (const [, amount, letters = ""] of text.matchAll(/(\d+)[\t\n\f\r ]*([A-Za-z\u00B5]+)/g)) {
    if (BigInt(amount ?? "0") >= 2n ** 63n) {
      return false;
    }
    const unit = letters.toLowerCase();
    isKnown ||= EXACT_UNITS.has(unit) || UNIT_STEMS.some((stem) => unit.startsWith(stem));
  }
  return isKnown;
}
