import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  isSupportedMinor,
  KUBERNETES_MINOR,
  KubernetesVersionError,
  readKubernetesVersion,
  SUPPORTED_MINORS,
} from "../src/kubernetes-version.ts";

describe("reading a version of Kubernetes", () => {
  it.each(SUPPORTED_MINORS)("%s is itself, without a note", (minor) => {
    expect(readKubernetesVersion(minor, "--kubernetes")).toEqual({ minor, note: undefined });
  });

  it("supports the default", () => {
    expect(SUPPORTED_MINORS).toContain(KUBERNETES_MINOR);
  });

  it.each([
    ["1.36.2", "1.36"],
    ["v1.36", "1.36"],
    ["v1.37.2", "1.37"],
    ["1.34.x", "1.34"],
    ["v1.35.4+k3s1", "1.35"],
    ["v1.36.0-rc.1", "1.36"],
    ["latest", "1.37"],
  ])("%s is a minor version, with a note", (text, minor) => {
    expect(readKubernetesVersion(text, "--kubernetes")).toEqual({
      minor,
      note: `Kubernetes ${minor} is used for --kubernetes "${text}"`,
    });
  });

  it.each(["1.33", "v1.33.4", "1.38", "2.36", "0.36", "1.360"])("%s is not supported", (text) => {
    const named = text.replace("v", "").split(".").slice(0, 2).join(".");
    expect(failureOf(text)).toMatchObject({
      code: "KUBERNETES_VERSION",
      message: `cannot use kubernetesVersion "${text}": Kubernetes ${named} is not supported; supported are 1.34, 1.35, 1.36, and 1.37`,
      hint: "use 1.34, 1.35, 1.36, or 1.37",
    });
  });

  it.each(["", "newest", "1", "1.", "1.36.", "1,36", " 1.36", "1.36\n", "Latest", "1.36.2.3", "1.x"])(
    "%j is not a version",
    (text) => {
      expect(failureOf(text)).toMatchObject({
        message: `cannot use kubernetesVersion ${JSON.stringify(text)}: it is not a version of Kubernetes; supported are 1.34, 1.35, 1.36, and 1.37`,
      });
    },
  );

  it.each([1.36, null, true, {}])("%j is not a string", (value) => {
    expect(failureOf(value as string)?.message).toMatch(/^cannot use a \w+ as kubernetesVersion: it is not a text;/u);
  });

  it("returns a supported minor version, or fails with its error, for any text", () => {
    const property = fc.property(
      fc.oneof(
        fc.string(),
        fc.tuple(fc.nat(3), fc.nat(50)).map((pair) => pair.join(".")),
      ),
      (text) =>
        failureOf(text) instanceof KubernetesVersionError || isSupportedMinor(readKubernetesVersion(text, "it").minor),
    );
    expect(fc.check(property).failed).toBe(false);
  });
});

function failureOf(text: string): KubernetesVersionError | undefined {
  try {
    readKubernetesVersion(text, "kubernetesVersion");
    return undefined;
  } catch (error) {
    return error as KubernetesVersionError;
  }
}
