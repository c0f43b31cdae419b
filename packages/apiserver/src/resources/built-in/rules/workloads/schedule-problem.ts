interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly names: readonly string[];
}

const MONTHS = ["", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"] as const;
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
const FIELDS: readonly Bounds[] = [
  { least: 0, most: 59, names: [] },
  { least: 0, most: 23, names: [] },
  { least: 1, most: 31, names: [] },
  { least: 1, most: 12, names: MONTHS },
  { least: 0, most: 6, names: WEEKDAYS },
];
const DESCRIPTORS = /^@(yearly|annually|monthly|weekly|daily|midnight|hourly)$/;
const DURATION = /^[+-]?((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+$|^[+-]?0$/;

/** Returns what is wrong with a cron schedule, or undefined; upstream: `ParseStandard` of its library for cron. */
export function scheduleProblem(source: string): string | undefined {
  const zone = /^(?:CRON_)?TZ=(\S*)\s+/.exec(source);
  const schedule = zone === null ? source : source.slice(zone[0].length);
  if (schedule.startsWith("@")) return descriptorProblem(schedule);
  const fields = schedule.split(/\s+/).filter((field) => field !== "");
  if (fields.length !== FIELDS.length) {
    return `expected exactly 5 fields, found ${fields.length}: [${fields.join(" ")}]`;
  }
  for (const [index, field] of fields.entries()) {
    for (const range of field.split(",").filter((each) => each !== "")) {
      const problem = rangeProblem(range, FIELDS[index] as Bounds);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function descriptorProblem(descriptor: string): string | undefined {
  const every = "@every ";
  if (descriptor.startsWith(every)) {
    const duration = descriptor.slice(every.length);
    return DURATION.test(duration)
      ? undefined
      : `failed to parse duration ${descriptor}: time: invalid duration ${JSON.stringify(duration)}`;
  }
  return DESCRIPTORS.test(descriptor) ? undefined : `unrecognized descriptor: ${descriptor}`;
}

function rangeProblem(range: string, bounds: Bounds): string | undefined {
  const [limits = "", step, ...more] = range.split("/");
  const [low = "", high, ...others] = limits.split("-");
  const isAll = low === "*" || low === "?";
  const start = isAll ? bounds.least : readNumber(low, bounds);
  let end: number | string = bounds.most;
  if (typeof start === "string") return start;
  if (!isAll) {
    if (others.length > 0) return `too many hyphens: ${range}`;
    end = high === undefined ? start : readNumber(high, bounds);
    if (typeof end === "string") return end;
  }
  if (more.length > 0) return `too many slashes: ${range}`;
  const size = step === undefined ? 1 : readNumber(step, { ...bounds, names: [] });
  if (typeof size === "string") return size;
  if (step !== undefined && high === undefined) end = bounds.most;
  return boundsProblem({ start, end, size, range }, bounds);
}

function boundsProblem(
  {
    start,
    end,
    size,
    range,
  }: { readonly start: number; readonly end: number; readonly size: number; readonly range: string },
  { least, most }: Bounds,
): string | undefined {
  if (start < least) return `beginning of range (${start}) below minimum (${least}): ${range}`;
  if (end > most) return `end of range (${end}) above maximum (${most}): ${range}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${range}`;
  return size === 0 ? `step of range should be a positive number: ${range}` : undefined;
}

function readNumber(text: string, { names }: Bounds): number | string {
  const named = text === "" ? -1 : names.indexOf(text.toLowerCase());
  if (named >= 0) return named;
  if (!/^[+-]?\d+$/.test(text)) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
  }
  return Number(text) < 0 ? `negative number (${Number(text)}) not allowed: ${text}` : Number(text);
}
