import { fileURLToPath } from "node:url";

import type { RestConfig } from "@kubescaffold/k8s";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { Environment } from "../../src/environment/environment.ts";
import { readRecorded, writeRecorded } from "../conformance/recorded-files.ts";
import { selectedRelease } from "../conformance/selected-release.ts";
import { BODIES } from "./corpus/bodies.ts";
import { MEDIA_TYPES } from "./corpus/media-types.ts";
import { QUERIES } from "./corpus/queries.ts";
import { RAW_LINES } from "./corpus/raw-lines.ts";
import { CONFIG_MAPS, JSON_BODY, requestText, type HostileRequest } from "./corpus/request-text.ts";
import { TARGETS } from "./corpus/targets.ts";
import { DIFFERENCES } from "./differences.ts";
import { sendRaw, statusesOf } from "./send-raw.ts";

const REQUESTS: readonly HostileRequest[] = [...TARGETS, ...QUERIES, ...BODIES, ...MEDIA_TYPES, ...RAW_LINES];
const IS_REAL = process.env["CONFORMANCE_BACKEND"] === "real";
// A folder for what the real server answered, as for the conformance rows.
const OUTPUT = process.env["CONFORMANCE_OUTPUT"];
const FOLDER = fileURLToPath(new URL("recorded/", import.meta.url));
const RECORDING = "statuses.json";
const TIMEOUT_MS = 120_000;
const AT_ONCE = 8;
// The finalizer keeps the object when it is deleted.
const TARGET_META = { name: "corpus-target", finalizers: ["example.com/keep"] };

describe(`hostile requests (${IS_REAL ? "real" : "embedded"})`, () => {
  const environment = new Environment({
    backend: IS_REAL ? "binaries" : "embedded",
    kubernetesVersion: selectedRelease().minor,
    controllers: false,
    startTimeoutMs: TIMEOUT_MS,
  });
  let config: RestConfig;
  let answers: ReadonlyMap<string, string>;

  beforeAll(async () => {
    await environment.start();
    config = await environment.listen();
    const body = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: TARGET_META });
    await sendRaw(config, requestText(`POST ${CONFIG_MAPS}`, { headers: [JSON_BODY], body }));
    answers = await answersOf(config);
  }, TIMEOUT_MS);

  afterAll(async () => environment.stop());

  test("have names of their own", () => {
    expect(new Set(REQUESTS.map(([name]) => name)).size).toBe(REQUESTS.length);
    expect(REQUESTS.length).toBeGreaterThan(500);
  });

  test("are answered as by kube-apiserver, or refused for a reason in the table", () => {
    const statuses = [...answers].map(([name, answer]): readonly [string, string] => [name, statusesOf(answer)]);
    if (IS_REAL && OUTPUT !== undefined) record(statuses, OUTPUT);
    if (IS_REAL && process.env["CONFORMANCE_RECORD"] === "1") {
      record(statuses, FOLDER);
      return;
    }
    const recorded = new Map(JSON.parse(readRecorded(FOLDER, RECORDING)) as readonly (readonly [string, string])[]);
    const differing = statuses
      .map(([name, embedded]) => ({ name, real: recorded.get(name) ?? "not recorded", embedded }))
      .filter(({ real, embedded }) => real !== embedded);
    const accepted = IS_REAL ? [] : DIFFERENCES;
    const reasonOf = (found: (typeof differing)[number]): unknown =>
      accepted.find(
        ({ real, embedded, requests }) =>
          real === found.real && embedded === found.embedded && requests.test(found.name),
      );
    expect(differing.filter((found) => reasonOf(found) === undefined)).toEqual([]);
    const used = new Set(differing.map((found) => reasonOf(found)));
    expect(accepted.filter((difference) => !used.has(difference))).toEqual([]);
  });

  test("change nothing, and learn nothing of the machine", async () => {
    const listed = await sendRaw(config, requestText(`GET ${CONFIG_MAPS}?limit=500`));
    expect(statusesOf(listed)).toBe("200");
    expect([...listed.matchAll(/"name":"(corpus-[^"]*|[a-z])"/gu)].map(([, name]) => name)).toEqual(["corpus-target"]);
    const telling = [...answers].filter(([, answer]) => /\n\s+at |node_modules|\.[jt]s:\d|file:\/\//u.test(answer));
    expect(telling).toEqual([]);
  });
});

async function answersOf(config: RestConfig): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const waiting = [...REQUESTS];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      found.set(next[0], await sendRaw(config, next[1]));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return new Map(REQUESTS.map(([name]) => [name, found.get(name) ?? ""]));
}

function record(statuses: readonly (readonly [string, string])[], folder: string): void {
  const lines = statuses.map((entry) => `  ${JSON.stringify(entry)}`);
  writeRecorded(folder, RECORDING, `[\n${lines.join(",\n")}\n]\n`);
}
