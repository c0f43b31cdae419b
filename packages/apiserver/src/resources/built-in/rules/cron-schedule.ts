const RANGES = [
  { name: "minute", least: 0, most: 59 },
  { name: "hour", least: 0, most: 23 },
  { name: "day", least: 1, most: 31 },
  { name: "month", least: 1, most: 12 },
  { name: "weekday", least: 0, most: 6 },
] as const;

const NAMES = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat";
const PART = new RegExp(`^(\\*|\\?|\\d+|${NAMES})(-(\\d+|${NAMES}))?(/\\d+)?$`, "i");
const DESCRIPTORS = /^@(yearly|annually|monthly|weekly|daily|midnight|hourly|every \S+)$/;

/** Returns what is wrong with a cron schedule, or undefined. */
export function scheduleProblem(schedule: string): string | undefined {
  if (schedule.startsWith("@")) {
    return DESCRIPTORS.test(schedule) ? undefined : `unrecognized descriptor: ${schedule}`;
  }
  const fields = schedule.trim().split(/\s+/);
  if (fields.length !== RANGES.length) {
    return `expected exactly 5 fields, found ${fields.length}: [${fields.join(" ")}]`;
  }
  return fields
    .map((field, index) => fieldProblem(field, RANGES[index] ?? RANGES[0]))
    .find((problem) => problem !== undefined);
}

function fieldProblem(
  field: string,
  { least, most }: { readonly least: number; readonly most: number },
): string | undefined {
  for (const part of field.split(",")) {
    if (!PART.test(part)) {
      return `failed to parse int from ${part}: strconv.Atoi: parsing ${JSON.stringify(part)}: invalid syntax`;
    }
    const [range = ""] = part.split("/");
    for (const number of range
      .split("-")
      .filter((text) => /^\d+$/.test(text))
      .map(Number)) {
      if (number > most) {
        return `end of range (${number}) above maximum (${most}): ${part}`;
      }
      if (number < least) {
        return `beginning of range (${number}) below minimum (${least}): ${part}`;
      }
    }
  }
  return undefined;
}
