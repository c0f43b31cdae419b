import { readGoNanoseconds } from "@kubescaffold/platform";

/** How a container is asked for its health, as the configuration of an image has it; times are in nanoseconds. */
export interface HealthcheckConfig {
  readonly Test: readonly string[];
  readonly Interval?: number;
  readonly Timeout?: number;
  readonly StartPeriod?: number;
  readonly StartInterval?: number;
  readonly Retries?: number;
}

const TIMES: Readonly<Record<string, keyof HealthcheckConfig>> = {
  interval: "Interval",
  timeout: "Timeout",
  "start-period": "StartPeriod",
  "start-interval": "StartInterval",
};

/** Reads what is after HEALTHCHECK, or returns nothing when it is not understood. */
export function parseHealthcheck(
  text: string,
  wordsOf: (text: string) => readonly string[],
): HealthcheckConfig | undefined {
  if (/^NONE$/iu.test(text)) return { Test: ["NONE"] };
  const [, options = "", command] = /^((?:--\S+\s+)*)CMD\s+(\S.*)$/isu.exec(text) ?? [];
  if (command === undefined) return undefined;
  const test = command.startsWith("[") ? ["CMD", ...wordsOf(command)] : ["CMD-SHELL", command];
  const read = options
    .split(/\s+/u)
    .filter(Boolean)
    .map((option) => readOption(option));
  return read.includes(undefined) ? undefined : Object.assign({ Test: test }, ...read);
}

function readOption(option: string): Partial<HealthcheckConfig> | undefined {
  const [, name = "", value = ""] = /^--([a-z-]+)=(.+)$/u.exec(option) ?? [];
  if (name === "retries") return /^\d+$/u.test(value) ? { Retries: Number(value) } : undefined;
  const field = TIMES[name];
  const nanoseconds = parseDuration(value);
  return field === undefined || nanoseconds === undefined ? undefined : { [field]: nanoseconds };
}

function parseDuration(text: string): number | undefined {
  const nanoseconds = /^\d/u.test(text) ? readGoNanoseconds(text) : undefined;
  return nanoseconds === undefined ? undefined : Number(nanoseconds);
}
