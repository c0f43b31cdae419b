import { CONFIG_MAPS, type HostileRequest, JSON_BODY, requestText, shortened, TARGET } from "./request-text.ts";

const LISTS = [
  "limit=-1",
  "limit=0",
  "limit=x",
  "limit=1.5",
  "limit=99999999999999999999",
  "limit=9223372036854775807",
  "limit=1&limit=x",
  "limit=",
  "limit=+1",
  "limit=0x1",
  "limit=1e3",
  "resourceVersion=-1",
  "resourceVersion=x",
  "resourceVersion=0",
  "resourceVersion=1",
  "resourceVersion=99999999999999999999",
  "resourceVersion=1.5",
  "resourceVersion=",
  "resourceVersion=0&resourceVersionMatch=x",
  "resourceVersionMatch=Exact",
  "resourceVersionMatch=NotOlderThan",
  "resourceVersion=0&resourceVersionMatch=Exact",
  "continue=x",
  "continue=e30",
  "continue=eyJ2Ijoi",
  "continue=%00",
  "continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTIsInN0YXJ0IjoiYSJ9",
  "continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiIuLi8uLi9hIn0",
  "timeoutSeconds=-1",
  "timeoutSeconds=x",
  "timeoutSeconds=99999999999999999999",
  "timeoutSeconds=1.5",
  "labelSelector=%00",
  "labelSelector=a%3D%3D%3Db",
  "labelSelector=a%20in%20(",
  "labelSelector=!",
  "labelSelector=,",
  "labelSelector=%F0%9F%98%80",
  "labelSelector=" + "a,".repeat(2000) + "a",
  "labelSelector=a%3E1",
  "labelSelector=a%3Ex",
  "labelSelector=a/b/c%3D1",
  "fieldSelector=x%3Dy",
  "fieldSelector=metadata.name",
  "fieldSelector=metadata.name%3D%00",
  "fieldSelector=metadata.name%3Da%2Cmetadata.name%3Db",
  "fieldSelector=metadata.name%3D..%2Fx",
  "fieldSelector=__proto__%3Dx",
  "fieldSelector=metadata.name%3D%5C",
  "watch=x&timeoutSeconds=1",
  "watch=false",
  "watch=0",
  "watch=%zz",
  "%zz=1",
  "a;b=1",
  "=",
  "&&&",
  "?",
  "pretty=x",
  "pretty=1&pretty=0",
  "allowWatchBookmarks=x",
  "sendInitialEvents=true",
  "sendInitialEvents=true&watch=1&timeoutSeconds=1",
  "sendInitialEvents=x",
  "watch=1&resourceVersion=x",
  "watch=1&resourceVersion=-1",
  "watch=1&resourceVersion=99999999999999999999",
  "watch=1&limit=-1&timeoutSeconds=1",
  "watch=1&continue=x&timeoutSeconds=1",
  "watch=1&resourceVersionMatch=Exact",
  "watch=1&sendInitialEvents=true&resourceVersionMatch=x",
  "watch=1&timeoutSeconds=0.5",
  "timeout=x",
  "timeout=-5s",
  "timeout=1ns",
  "includeUninitialized=x",
  "__proto__=1",
  "constructor=1",
];

const token = (rv: string, start: string = '"/a"', version: string = '"meta.k8s.io/v1"'): string =>
  Buffer.from(`{"v":${version},"rv":${rv},"start":${start}}`).toString("base64url");
const text = (json: string): string => Buffer.from(json).toString("base64url");
const FUTURE = "1000000000";

/** Continue tokens by what is unusual about them. */
const TOKENS: Readonly<Record<string, string>> = {
  "of the future": token(FUTURE),
  "of the last revision": token("9223372036854775807"),
  "beyond int64": token("9223372036854775808"),
  "before int64": token("-9223372036854775809"),
  "of now": token("-1"),
  "before now": token("-9223372036854775808"),
  "with a fraction": token("1.5"),
  "with an exponent": token("1e2"),
  "with a text as revision": token('"1"'),
  "with null as revision": token("null"),
  "with revision 0": token("0"),
  "with an empty key": token("-1", '""'),
  "with the root as key": token("-1", '"/"'),
  "with a key above": token("-1", '"../../../secrets/a"'),
  "with a key of this folder": token("-1", '"./a"'),
  "with a key of a folder": token("-1", '"a/"'),
  "with an empty folder": token("-1", '"a//b"'),
  "with a number as key": token("-1", "1"),
  "with a NUL as key": token("-1", String.raw`"\u0000"`),
  "with a key of 10,000 characters": token("-1", JSON.stringify("z".repeat(10_000))),
  "with another version": token("-1", '"/a"', '"meta.k8s.io/v2"'),
  "with a number as version": token("-1", '"/a"', "1"),
  "with names in other case": text('{"V":"meta.k8s.io/v1","RV":-1,"Start":"/a"}'),
  "with two revisions": text('{"v":"meta.k8s.io/v1","rv":0,"rv":-1,"start":"/a"}'),
  "that is a list": text("[]"),
  "that is null": text("null"),
  "that is a text": text('"x"'),
  "that goes on": text("{}x"),
  "that is deep": text("[".repeat(20_000)),
  "with padding": `${token("-1")}=`,
  "with other options": `${token("-1")}&resourceVersion=x`,
};

const VERSIONS = [
  FUTURE,
  `${FUTURE}&resourceVersionMatch=Exact`,
  `${FUTURE}&limit=1`,
  `${FUTURE}&watch=1&timeoutSeconds=1`,
  "9223372036854775808",
  "18446744073709551615",
  "18446744073709551616",
  "18446744073709551615&watch=1&timeoutSeconds=1",
  "18446744073709551616&watch=1&timeoutSeconds=1",
  "7".repeat(10_000),
  "007",
  "%2B1",
  "1_0",
].map((version) => `resourceVersion=${version}`);

const CREATES = [
  "dryRun=x",
  "dryRun=All&dryRun=x",
  "dryRun=",
  "dryRun=all",
  "fieldManager=%00",
  "fieldManager=" + "a".repeat(129),
  "fieldManager=a%0ab",
  "fieldManager=%E2%98%83",
  "fieldValidation=x",
  "fieldValidation=strict",
  "fieldValidation=Strict&fieldValidation=Ignore",
  "force=true",
  "timeoutSeconds=x",
  "pretty=x",
];

const DELETES = [
  "gracePeriodSeconds=x",
  "gracePeriodSeconds=-5",
  "propagationPolicy=x",
  "orphanDependents=x",
  "orphanDependents=true&propagationPolicy=Orphan",
  "uid=x",
];

const BODY = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "corpus-query" } });

/** Options that are no numbers, no booleans, too large, unknown, or stated twice. */
export const QUERIES: readonly HostileRequest[] = [
  ...LISTS.map((query): HostileRequest => [`list ${shortened(query)}`, requestText(`GET ${CONFIG_MAPS}?${query}`)]),
  ...Object.entries(TOKENS).map((entry): HostileRequest => {
    const [name, value] = entry;
    return [`list with a token ${name}`, requestText(`GET ${CONFIG_MAPS}?continue=${value}`)];
  }),
  ...VERSIONS.map((query): HostileRequest => {
    return [`list ${shortened(query)}`, requestText(`GET ${CONFIG_MAPS}?${query}`)];
  }),
  ...CREATES.map((query): HostileRequest => {
    const line = `POST ${CONFIG_MAPS}?${query}${query.startsWith("dryRun") ? "" : "&dryRun=All"}`;
    return [`create ${shortened(query)}`, requestText(line, { headers: [JSON_BODY], body: BODY })];
  }),
  ...DELETES.map((query): HostileRequest => [`delete ${query}`, requestText(`DELETE ${TARGET}?dryRun=All&${query}`)]),
];
