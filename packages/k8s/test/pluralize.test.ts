import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { irregularNouns, pluralize, resourceNameOf, suffixRules } from "../src/pluralize.ts";
import { recordedAnswers } from "./oracle/oracle.ts";

const KINDS = [
  "Policy",
  "Ingress",
  "Proxy",
  "Gateway",
  "Redis",
  "Kafka",
  "Status",
  "Data",
  "Metadata",
  "DNS",
  "Dns",
  "TLS",
  "Index",
  "Matrix",
  "Repo",
  "Info",
  "Hero",
  "Person",
  "Analysis",
  "Endpoints",
  "Series",
  "Quota",
  "HTTPRoute",
  "FirstMate",
  "Bus",
  "Sheep",
  "API",
  "APIService",
  "ClusterAPI",
  "GitHTTP",
  "Schema",
  "Virus",
  "Software",
  "Prometheus",
  "Demo",
  "Tempo",
  "Quorum",
  "IDs",
  "ID",
  "UserID",
  "OKs",
  "W3C",
  "CPU",
  "VMs",
  "VirtualMachine",
  "ServiceMesh",
  "Bucket2",
  "V1Thing",
  "x",
  "X",
  "S",
  "a_b",
  "a-b",
  "a b",
  "Foo_",
  "foo/bar",
];

const kind = fc.stringMatching(/^[A-Z][a-z]{1,7}([A-Z][a-z0-9]{0,7}|[A-Z]{2,4}){0,2}$/);

const recorded = recordedAnswers<[string, string]>("pluralize", () => {
  const words = irregularNouns().flatMap(({ singular, plural, alternative }) => [
    singular,
    plural,
    ...(alternative ? [alternative] : []),
  ]);
  const suffixes = suffixRules().flatMap(([singular, plural]) => [`ab${singular}`, `ab${plural}`]);
  const compounds = words.map((word) => `Foo${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  const random = fc.sample(kind, { numRuns: 3000, seed: 7 });
  const all = [...KINDS, ...words, ...suffixes, ...compounds, ...words.map((word) => `xy${word}`), ...random];
  return [...new Set([...all, ...all.map((word) => word.toLowerCase()), ...words.map((word) => word.toUpperCase())])];
});

describe("pluralize", () => {
  it(`agrees with flect on ${recorded.length} recorded words`, () => {
    expect(recorded.length).toBeGreaterThan(6000);
    expect(recorded.map(([word]) => [word, pluralize(word)])).toEqual(recorded);
  });
});

describe("resourceNameOf", () => {
  it.each([
    ["NetworkPolicy", "networkpolicies"],
    ["Ingress", "ingresses"],
    ["Endpoints", "endpoints"],
    ["FirstMate", "firstmates"],
  ])("names the resource of %s %s", (kind, resource) => {
    expect(resourceNameOf(kind)).toBe(resource);
  });
});
