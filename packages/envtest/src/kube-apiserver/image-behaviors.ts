import path from "node:path";

import { isRecord, nearestName } from "@kubescaffold/platform";

import { ServerFlagError } from "../failures/errors.ts";
import { readYamlFile } from "./flag-file.ts";

/** The behavior of images that match a pattern, from the file of `--images`. */
export interface ImageBehavior {
  /** The image, in which `*` matches any characters. */
  readonly image: string;
  /** The folder that commands run in: that of the file. */
  readonly folder: string;
  /** The program of a container and its arguments, run on this machine. */
  readonly command?: readonly string[];
  /** Whether the arguments of the container follow those of the command. */
  readonly passesArgs: boolean;
  /** The environment variables of the container that the programs get. */
  readonly env: readonly string[];
  /** The program that runs commands of `kubectl exec`, which follow its arguments. */
  readonly exec?: readonly string[];
  /** The status with which a container without a command exits at once. */
  readonly exitCode?: number;
  /** Whether the image cannot be pulled. */
  readonly isMissing: boolean;
}

const KEYS = ["image", "command", "args", "env", "exec", "exitCode", "missing"];

type Fields = Readonly<Record<string, unknown>>;

/** Reads the file of `--images`: a list `images` of behaviors; later ones precede earlier ones. Fails: {@link ServerFlagError} with the invalid field. */
export async function readImageBehaviors(file: string): Promise<readonly ImageBehavior[]> {
  const { images, ...others } = await readYamlFile("images", file);
  requireKnown(others, ["images"], "");
  if (!Array.isArray(images)) throw invalid("images", "not a list");
  return images.map((entry: unknown, index) => {
    const place = `images[${String(index)}]`;
    if (!isRecord(entry)) throw invalid(place, "not an object");
    requireKnown(entry, KEYS, `${place}.`);
    return behaviorOf(entry, place, path.dirname(path.resolve(file)));
  });
}

function behaviorOf(entry: Fields, place: string, folder: string): ImageBehavior {
  const { image, exitCode } = entry;
  if (typeof image !== "string" || image === "") throw invalid(`${place}.image`, "not a text");
  const [command, exec] = [wordsOf(entry, "command", place), wordsOf(entry, "exec", place)];
  if (command?.length === 0 || exec?.length === 0) {
    throw invalid(`${place}.${command?.length === 0 ? "command" : "exec"}`, "names no program");
  }
  if (exitCode !== undefined && !isExitCode(exitCode)) throw invalid(`${place}.exitCode`, "not a number from 0 to 255");
  const isMissing = isTrue(entry, "missing", place);
  const alternatives = [
    ...(command === undefined ? [] : ["command"]),
    ...(exitCode === undefined ? [] : ["exitCode"]),
    ...(isMissing ? ["missing"] : []),
  ];
  if (alternatives.length > 1) throw invalid(place, `${alternatives.join(" and ")} exclude each other`);
  return {
    image,
    folder,
    passesArgs: isTrue(entry, "args", place),
    env: wordsOf(entry, "env", place) ?? [],
    isMissing,
    ...(command === undefined ? {} : { command }),
    ...(exec === undefined ? {} : { exec }),
    ...(exitCode === undefined ? {} : { exitCode }),
  };
}

function wordsOf(entry: Fields, key: string, place: string): readonly string[] | undefined {
  const words = entry[key];
  if (words === undefined) return undefined;
  if (Array.isArray(words) && words.every((word): word is string => typeof word === "string")) return words;
  throw invalid(`${place}.${key}`, "not a list of texts");
}

function isTrue(entry: Fields, key: string, place: string): boolean {
  const value = entry[key] ?? false;
  if (typeof value !== "boolean") throw invalid(`${place}.${key}`, "not true or false");
  return value;
}

function isExitCode(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255;
}

function requireKnown(fields: Fields, known: readonly string[], prefix: string): void {
  const unknown = Object.keys(fields).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const nearest = nearestName(unknown, known);
  throw invalid(
    `${prefix}${unknown}`,
    "unknown field",
    nearest === undefined ? `the fields are ${known.join(", ")}` : `did you mean ${nearest}?`,
  );
}

function invalid(place: string, why: string, hint?: string): ServerFlagError {
  return new ServerFlagError(
    `cannot use the file of --images: ${place}: ${why}`,
    hint === undefined ? undefined : { hint },
  );
}
