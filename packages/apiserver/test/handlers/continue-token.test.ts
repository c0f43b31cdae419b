import { describe, expect, it } from "vitest";

import { decodeContinueToken, encodeContinueToken } from "../../src/handlers/continue-token.ts";
import { CONFIG_MAPS, configMap, TestServer } from "../support/test-server.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64url");
const token = (rv: string, start: string = "/a\\u0000"): string =>
  base64(`{"v":"meta.k8s.io/v1","rv":${rv},"start":"${start}"}`);

// The messages of kube-apiserver 1.35.
const REFUSED: readonly (readonly [text: string, reason: string])[] = [
  ["x", ": illegal base64 data at input byte 0"],
  [`${token("1")}=`, `: illegal base64 data at input byte ${String(token("1").length)}`],
  [token("1.5"), ": json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64"],
  [token("1e2"), ": json: cannot unmarshal number 1e2 into Go struct field continueToken.rv of type int64"],
  [
    token("9223372036854775808"),
    ": json: cannot unmarshal number 9223372036854775808 into Go struct field continueToken.rv of type int64",
  ],
  [token('"1"'), ": json: cannot unmarshal string into Go struct field continueToken.rv of type int64"],
  [token("0"), ": incorrect encoded start resourceVersion (version meta.k8s.io/v1)"],
  [token("null"), ": incorrect encoded start resourceVersion (version meta.k8s.io/v1)"],
  [token("1", ""), ": encoded start key empty (version meta.k8s.io/v1)"],
  [token("1", "../../../secrets/a"), ": ../../../secrets/a"],
  [token("1", "./a"), ": ./a"],
  [token("1", "a/"), ": a/"],
  [token("1", "a//b"), ": a//b"],
  [
    base64('{"v":"meta.k8s.io/v1","rv":1,"start":1}'),
    ": json: cannot unmarshal number into Go struct field continueToken.start of type string",
  ],
  [base64('{"rv":1,"start":"a"}'), ": server does not recognize this encoded version "],
  [base64('{"v":"v2","rv":1,"start":"a"}'), ": server does not recognize this encoded version v2"],
  [base64('{"v":1}'), ": json: cannot unmarshal number into Go struct field continueToken.v of type string"],
  [base64("[]"), ": json: cannot unmarshal array into Go value of type storage.continueToken"],
  [base64('"x"'), ": json: cannot unmarshal string into Go value of type storage.continueToken"],
  [base64("null"), ": server does not recognize this encoded version "],
  [base64("{}x"), ": invalid character 'x' after top-level value"],
];

describe("continue tokens", () => {
  it.each([42n, -1n, 2n ** 63n - 1n])("are read as they were written, of revision %s", (revision) => {
    const written = { revision, start: "n/a\0" };
    expect(decodeContinueToken(encodeContinueToken(written))).toEqual(written);
  });

  it.each(REFUSED)("refuse %s", (text, reason) => {
    expect(() => decodeContinueToken(text)).toThrow(
      expect.objectContaining({ message: `invalid continue token: continue key is not valid${reason}` }),
    );
  });

  it("match fields in any case, and the last one of a name", () => {
    const text = base64('{"V":"meta.k8s.io/v1","RV":7,"Start":"b"}');
    expect(decodeContinueToken(text)).toEqual({ revision: 7n, start: "b" });
    const twice = base64('{"v":"meta.k8s.io/v1","rv":1,"rv":7,"start":"b"}');
    expect(decodeContinueToken(twice).revision).toBe(7n);
  });
});

describe("a list that continues", () => {
  const tooLarge = (requested: string, current: string): object => ({
    code: 504,
    reason: "Timeout",
    message: `Timeout: Too large resource version: ${requested}, current: ${current}`,
  });

  it.each([
    ["get", "1000000000"],
    ["get", "9223372036854775807"],
    ["delete", "1000000000"],
  ] as const)("fails with 504 for a token of the future: %s, revision %s", async (method, revision) => {
    const test = new TestServer();
    const { body } = await test.post(CONFIG_MAPS, configMap("a"));
    const path = `${CONFIG_MAPS}?continue=${token(revision)}`;
    const answer = await (method === "get" ? test.get(path) : test.delete(path));
    expect(answer.body).toMatchObject(tooLarge(revision, body.metadata.resourceVersion));
    expect((await test.get(`${CONFIG_MAPS}/a`)).code).toBe(200);
  });

  it("starts at a key of its namespace, whatever the token names", async () => {
    const test = new TestServer();
    for (const name of ["a", "b", "c"]) await test.post(CONFIG_MAPS, configMap(name));
    const { body } = await test.get(`${CONFIG_MAPS}?continue=${token("-1", "b")}`);
    expect(body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(["b", "c"]);
    const other = await test.get(`${CONFIG_MAPS}?continue=${token("-1", "default/b")}`);
    expect(other.body.items).toEqual([]);
  });

  it("takes no version, not even one that is none", async () => {
    const test = new TestServer();
    const { body } = await test.get(`${CONFIG_MAPS}?continue=${token("-1")}&resourceVersion=x`);
    expect(body.message).toBe("specifying resource version is not allowed when using continue");
  });
});

describe("resource versions beyond 2^53", () => {
  it.each(["9223372036854775808", "18446744073709551615"])("are named with all digits: %s", async (version) => {
    const test = new TestServer();
    await test.post(CONFIG_MAPS, configMap("a"));
    for (const path of [CONFIG_MAPS, `${CONFIG_MAPS}/a`]) {
      const { body } = await test.get(`${path}?resourceVersion=${version}`);
      expect(body.message).toMatch(`Timeout: Too large resource version: ${version}, current: `);
    }
  });

  it("end a watch that starts with all objects", async () => {
    const test = new TestServer();
    const options = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=1000000000";
    const watch = await test.watch(`${CONFIG_MAPS}?${options}`);
    expect(await watch.take(2)).toMatchObject([{ type: "ERROR", object: { code: 504, reason: "Timeout" } }]);
  });

  it.each(["resourceVersion", "limit", "timeoutSeconds"])(
    "of a million digits never become integers: %s",
    async (name) => {
      const test = new TestServer();
      const { code, body } = await test.get(`${CONFIG_MAPS}?${name}=${"7".repeat(1_000_000)}`);
      expect([code, String(body.message).slice(-18)]).toEqual([400, "value out of range"]);
    },
  );
});
