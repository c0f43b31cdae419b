import { describe, expect, it } from "vitest";

import { decodeContinueToken, encodeContinueToken } from "../../src/handlers/list.ts";

describe("continue tokens", () => {
  it("are read as they were written", () => {
    const token = { revision: 42, start: "n/a\0" };
    expect(decodeContinueToken(encodeContinueToken(token))).toEqual(token);
  });

  it.each(["abc", "e30", Buffer.from('{"v":"meta.k8s.io/v1","rv":0,"start":"a"}').toString("base64url")])(
    "refuses %s",
    (text) => {
      expect(() => decodeContinueToken(text)).toThrow("invalid continue token: continue key is not valid");
    },
  );
});
