import { describe, expect, it } from "vitest";

import { readOperand } from "../operand.ts";

describe("the options of a container", () => {
  it("are read from their texts", () => {
    const options = { image: "nginx:1", containerCommand: "a,b", containerPort: "65535", runAsUser: "2147483647" };
    expect(readOperand(options)).toEqual({
      image: "nginx:1",
      reference: { path: "nginx", tag: "1" },
      command: ["a", "b"],
      port: 65_535,
      runAsUser: 2_147_483_647,
    });
  });

  it("leave all but the image to the image itself", () => {
    expect(readOperand({ image: "nginx" })).toMatchObject({ command: [], port: undefined, runAsUser: undefined });
  });

  it.each(["0", "-1", "65536", "abc", "", "80.5", "1e3", "99999999999999999999"])("refuse the port %j", (port) => {
    expect(() => readOperand({ image: "nginx", containerPort: port })).toThrow(
      expect.objectContaining({ code: "DEPLOY_IMAGE_INVALID_CONTAINER" }),
    );
  });

  it.each(["0", "-1", "2147483648", "root", ""])("refuse the user %j", (user) => {
    expect(() => readOperand({ image: "nginx", runAsUser: user })).toThrow(
      expect.objectContaining({ code: "DEPLOY_IMAGE_INVALID_CONTAINER" }),
    );
  });
});
