import { serverRelease } from "@kubescaffold/apiserver";
import { KUBERNETES_MINOR, SUPPORTED_MINORS } from "@kubescaffold/k8s";
import { describe, expect, it } from "vitest";

import { type AdmissionPluginFlags, checkAdmissionPlugins } from "../../src/kube-apiserver/admission-plugins.ts";
import { readFeatureGates } from "../../src/kube-apiserver/feature-gates.ts";
import { IGNORED_FLAGS, REFUSED_FLAGS, SIMULATED_FLAGS } from "../../src/kube-apiserver/flag-table.ts";
import { kubernetesFlag, parseFlags } from "../../src/kube-apiserver/parse-flags.ts";
import { parseTokenFile } from "../../src/kube-apiserver/token-file.ts";

describe("flags of kube-apiserver", () => {
  it("may have their value after an equals sign or a space, and booleans need none", () => {
    const flags = parseFlags([
      "--secure-port=0",
      "--bind-address",
      "::1",
      "--anonymous-auth",
      "--api-audiences=a,b",
      "-v=3",
    ]);
    expect([...flags]).toEqual([
      ["secure-port", ["0"]],
      ["bind-address", ["::1"]],
      ["anonymous-auth", ["true"]],
      ["api-audiences", ["a", "b"]],
    ]);
  });

  it("collect the values of repeated flags; an array is not split", () => {
    const flags = parseFlags([
      "--service-account-issuer=a,b",
      "--service-account-issuer=c",
      "--authorization-mode=RBAC",
      "--authorization-mode=AlwaysDeny",
    ]);
    expect(flags.get("service-account-issuer")).toEqual(["a,b", "c"]);
    expect(flags.get("authorization-mode")).toEqual(["RBAC", "AlwaysDeny"]);
  });

  it.each([
    [
      ["--oidc-issuer-url=https://x"],
      "cannot use --oidc-issuer-url=https://x: the embedded API server does not simulate this flag",
    ],
    [
      ["--enable-bootstrap-token-auth"],
      "cannot use --enable-bootstrap-token-auth=true: the embedded API server does not simulate this flag",
    ],
    [["--secure-port"], "flag needs an argument: --secure-port"],
    [["--secure-port=http"], 'invalid value "http" for flag --secure-port: not a number'],
    [["--anonymous-auth=no"], 'invalid value "no" for flag --anonymous-auth: not true or false'],
    [["serve"], 'unexpected argument "serve": kube-apiserver takes only flags'],
  ])("%j fails", (args, message) => {
    expect(() => parseFlags(args)).toThrow(expect.objectContaining({ code: "ENVTEST_SERVER_FLAG", message }));
  });

  const numeric = SIMULATED_FLAGS.filter(({ value }) => ["integer", "number", "duration"].includes(value));

  it.each(numeric.map(({ name, value }) => [name, value] as const))(
    "--%s takes no other text than a value of the kind %s, whether it has an effect or not",
    (name, value) => {
      const texts = ["", " ", "NaN", "Infinity", "0x10", "-5", "5 ", "five", ...(value === "number" ? [] : ["1e3"])];
      for (const text of texts) {
        expect(() => parseFlags([`--${name}=${text}`])).toThrow(
          expect.objectContaining({
            code: "ENVTEST_SERVER_FLAG",
            message: expect.stringContaining(`invalid value "${text}" for flag --${name}: not a `) as string,
          }),
        );
      }
      expect(parseFlags([`--${name}=${value === "duration" ? "1m5s" : "15"}`]).size).toBe(1);
    },
  );

  it("that are numbers have a kind", () => {
    const typed = new Set(numeric.map(({ name }) => name));
    const rest = SIMULATED_FLAGS.filter(
      ({ name, default: fallback = "" }) => !typed.has(name) && /^\d+[a-z\d]*$/u.test(fallback),
    );
    expect(numeric.length).toBeGreaterThan(8);
    expect(rest).toEqual([]);
  });

  it.each([
    ["--nothing=0", `remove it; kube-apiserver ${KUBERNETES_MINOR} does not have it either`],
    [
      "--insecure-port=0",
      `did you mean --secure-port? kube-apiserver ${KUBERNETES_MINOR} does not have this flag either`,
    ],
    [
      "--tls_cert_fil=x",
      `did you mean --tls-cert-file? kube-apiserver ${KUBERNETES_MINOR} does not have this flag either`,
    ],
    ["--watch-caches", `did you mean --watch-cache? kube-apiserver ${KUBERNETES_MINOR} does not have this flag either`],
  ])("%s is unknown", (flag, hint) => {
    expect(() => parseFlags([flag])).toThrow(expect.objectContaining({ code: "ENVTEST_UNKNOWN_SERVER_FLAG", hint }));
  });

  it("that are refused are accepted with their default, and flags without effect with any value", () => {
    const harmless = [
      "--enable-bootstrap-token-auth=false",
      "--event-ttl=1h0m0s",
      "--oidc-issuer-url=",
      "--etcd-servers=http://x",
      "--watch-cache=false",
    ];
    expect(parseFlags(harmless).size).toBe(0);
  });

  it("are in one table alone", () => {
    const names = [...SIMULATED_FLAGS.map(({ name }) => name), ...IGNORED_FLAGS, ...REFUSED_FLAGS.keys()].map((name) =>
      name.replace("?", ""),
    );
    expect(names.filter((name, index) => names.indexOf(name) !== index || !/^[a-z0-9-]+$/u.test(name))).toEqual([]);
    expect(names.length).toBeGreaterThan(150);
  });
});

describe("admission plugins", () => {
  it("that are unknown, or not simulated and not enabled by default, are refused by name", () => {
    expect(() => check(["Nothing"], [])).toThrow('unknown admission plugin "Nothing"');
    expect(() => check([], ["Nothing"])).toThrow('unknown admission plugin "Nothing"');
    expect(() => check(["AlwaysPullImages", "PodNodeSelector", "NamespaceExists"], [])).toThrow(
      "cannot enable AlwaysPullImages, PodNodeSelector: the embedded API server does not simulate them",
    );
    expect(() => check([], ["NamespaceLifecycle"])).toThrow(
      "cannot disable NamespaceLifecycle: the embedded API server always runs them",
    );
  });

  it("that are enabled by default and not simulated are named", () => {
    expect(check(["PodTopologyLabels", "LimitRanger", "NamespaceLifecycle"], ["ServiceAccount"])).toEqual({
      notSimulated: ["PodTopologyLabels"],
      notRun: [],
      alsoRun: [],
      limitsEvents: false,
    });
  });

  it("that the server can do without are disabled", () => {
    expect(check([], ["LimitRanger"])).toEqual({
      notSimulated: [],
      notRun: ["LimitRanger"],
      alsoRun: [],
      limitsEvents: false,
    });
  });

  it("that the server does not run by default are enabled", () => {
    expect(check(["NodeRestriction"], []).alsoRun).toEqual(["NodeRestriction"]);
    expect(check(["EventRateLimit"], []).limitsEvents).toBe(true);
  });
});

describe("admission plugins of a version", () => {
  it("are those that kube-apiserver enables by default in it", () => {
    const names = [
      "NodeDeclaredFeatureValidator",
      "PodGroupProtection",
      "PodResizeValidator",
      "JobValidation",
      "PodGroupWorkloadExists",
    ];
    const known = SUPPORTED_MINORS.map((minor) => [minor, ...names.filter((name) => isPlugin(name, minor))]);
    expect(known).toEqual([
      ["1.34"],
      ["1.35", "NodeDeclaredFeatureValidator"],
      ["1.36", ...names],
      ["1.37", "NodeDeclaredFeatureValidator", "PodGroupProtection", "PodResizeValidator"],
    ]);
  });

  it("are named with the version in errors", () => {
    expect(() => check(["JobValidation"], [], "1.37")).toThrow(
      expect.objectContaining({ hint: "remove the plugin, which kube-apiserver 1.37 does not have either" }),
    );
  });
});

describe("feature gates", () => {
  it("are accepted at their defaults alone", () => {
    expect(() => gates(["WatchList=true", "kube:AllAlpha=false"])).not.toThrow();
    expect(() => gates(["AllAlpha=true"])).toThrow("cannot set the feature gate AllAlpha to true");
    expect(() => gates(["Magic=true"])).toThrow('unknown feature gate "Magic"');
    expect(() => gates(["WatchList"])).toThrow('invalid value "" of the feature gate WatchList');
  });

  it.each(["CBORServingAndStorage", "MutatingAdmissionPolicy"])("%s is read, with its last value", (gate) => {
    expect(gates([`${gate}=true`], "1.35")).toEqual({ [gate]: true });
    expect(gates([`${gate}=true`, `${gate}=false`], "1.35")).toEqual({ [gate]: false });
    expect(gates([], "1.35")).toEqual({});
  });
});

describe("feature gates of a version", () => {
  it("are those of its tables, at their defaults", () => {
    for (const minor of SUPPORTED_MINORS) {
      const stated = serverRelease(minor).gates();
      expect(stated.length).toBeGreaterThan(100);
      expect(() =>
        gates(
          stated.map(({ name, isOn }) => `${name}=${String(isOn)}`),
          minor,
        ),
      ).not.toThrow();
    }
  });

  it.each([
    ["1.34", "MutatingAdmissionPolicy=true", undefined],
    ["1.36", "MutatingAdmissionPolicy=true", undefined],
    ["1.36", "MutatingAdmissionPolicy=false", "the embedded API server has the defaults of 1.36"],
    ["1.37", "NodeDeclaredFeatures=true", undefined],
    ["1.34", "NodeDeclaredFeatures=false", 'unknown feature gate "NodeDeclaredFeatures"'],
    ["1.36", "HonorPVReclaimPolicy=true", 'unknown feature gate "HonorPVReclaimPolicy"'],
    ["1.35", "HonorPVReclaimPolicy=true", undefined],
  ])("in %s, %s is refused: %s", (minor, gate, problem) => {
    const found = problemOf(() => gates([gate], minor)) ?? "none";
    expect(found).toContain(problem ?? "none");
  });

  it("are set where they can be", () => {
    expect(gates(["MutatingAdmissionPolicy=true"], "1.35")).toEqual({ MutatingAdmissionPolicy: true });
    expect(gates(["MutatingAdmissionPolicy=true"], "1.37")).toEqual({});
  });
});

describe("flags of a version", () => {
  it.each([
    ["--min-compatibility-version=", "1.35"],
    ["--tls-curve-preferences=", "1.36"],
  ])("%s is one since %s", (flag, first) => {
    const known = SUPPORTED_MINORS.filter(
      (minor) => problemOf(() => parseFlags([flag], serverRelease(minor))) === undefined,
    );
    expect(known).toEqual(SUPPORTED_MINORS.filter((minor) => minor >= first));
  });

  it("are named with the versions in errors", () => {
    expect(() => parseFlags(["--tls-curve-preferences=x"], serverRelease("1.34"))).toThrow(
      expect.objectContaining({ hint: "remove it; kube-apiserver has it since 1.36, and this one is 1.34" }),
    );
  });

  it("follow the last flag for the version", () => {
    expect(kubernetesFlag([])).toBeUndefined();
    expect(kubernetesFlag(["--kubernetes=1.34", "-v=3", "--kubernetes", "1.36"])).toBe("1.36");
    expect(kubernetesFlag(["--kubernetes", "1.34", "--kubernetes=1.36"])).toBe("1.36");
    expect(kubernetesFlag(["--kubernetes"])).toBeUndefined();
    expect(() => parseFlags(["--kubernetes"])).toThrow("flag needs an argument: --kubernetes");
  });
});

describe("token files", () => {
  it("have a token, a user, a user ID, and groups in quotes", () => {
    expect(parseTokenFile('t1,ann,1,"a,b"\n\nt2, bob ,\r\nt3,"o""hara",3,solo')).toEqual([
      { token: "t1", name: "ann", uid: "1", groups: ["a", "b"] },
      { token: "t2", name: "bob", groups: [] },
      { token: "t3", name: 'o"hara', uid: "3", groups: ["solo"] },
    ]);
  });

  it("fail with the number of an incomplete line", () => {
    expect(() => parseTokenFile("t,ann,1\nlonely,user")).toThrow("cannot read line 2 of the token file");
  });
});

function check(enabled: readonly string[], disabled: readonly string[], minor?: string): AdmissionPluginFlags {
  return checkAdmissionPlugins({ enabled, disabled }, serverRelease(minor));
}

function isPlugin(name: string, minor: string): boolean {
  return problemOf(() => check([name], [], minor)) === undefined;
}

function gates(stated: readonly string[], minor?: string): ReturnType<typeof readFeatureGates> {
  return readFeatureGates(stated, serverRelease(minor));
}

function problemOf(call: () => unknown): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
