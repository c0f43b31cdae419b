import { describe, expect, it } from "vitest";

import { checkAdmissionPlugins } from "../../src/kube-apiserver/admission-plugins.ts";
import { readFeatureGates } from "../../src/kube-apiserver/feature-gates.ts";
import { IGNORED_FLAGS, REFUSED_FLAGS, SIMULATED_FLAGS } from "../../src/kube-apiserver/flag-table.ts";
import { parseFlags } from "../../src/kube-apiserver/parse-flags.ts";
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
    ["--nothing=0", "remove it; kube-apiserver 1.35 does not have it either"],
    ["--insecure-port=0", "did you mean --secure-port? kube-apiserver 1.35 does not have this flag either"],
    ["--tls_cert_fil=x", "did you mean --tls-cert-file? kube-apiserver 1.35 does not have this flag either"],
    ["--watch-caches", "did you mean --watch-cache? kube-apiserver 1.35 does not have this flag either"],
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
    expect(() => checkAdmissionPlugins(["Nothing"], [])).toThrow('unknown admission plugin "Nothing"');
    expect(() => checkAdmissionPlugins([], ["Nothing"])).toThrow('unknown admission plugin "Nothing"');
    expect(() => checkAdmissionPlugins(["AlwaysPullImages", "PodNodeSelector", "NamespaceExists"], [])).toThrow(
      "cannot enable AlwaysPullImages, PodNodeSelector: the embedded API server does not simulate them",
    );
    expect(() => checkAdmissionPlugins([], ["NamespaceLifecycle"])).toThrow(
      "cannot disable NamespaceLifecycle: the embedded API server always runs them",
    );
  });

  it("that are enabled by default and not simulated are named", () => {
    expect(
      checkAdmissionPlugins(["PodTopologyLabels", "LimitRanger", "NamespaceLifecycle"], ["ServiceAccount"]),
    ).toEqual({
      notSimulated: ["PodTopologyLabels"],
      notRun: [],
      alsoRun: [],
      limitsEvents: false,
    });
  });

  it("that the server can do without are disabled", () => {
    expect(checkAdmissionPlugins([], ["LimitRanger"])).toEqual({
      notSimulated: [],
      notRun: ["LimitRanger"],
      alsoRun: [],
      limitsEvents: false,
    });
  });

  it("that the server does not run by default are enabled", () => {
    expect(checkAdmissionPlugins(["NodeRestriction"], []).alsoRun).toEqual(["NodeRestriction"]);
    expect(checkAdmissionPlugins(["EventRateLimit"], []).limitsEvents).toBe(true);
  });
});

describe("feature gates", () => {
  it("are accepted at their defaults alone", () => {
    expect(() => readFeatureGates(["WatchList=true", "kube:AllAlpha=false"])).not.toThrow();
    expect(() => readFeatureGates(["AllAlpha=true"])).toThrow("cannot set the feature gate AllAlpha to true");
    expect(() => readFeatureGates(["Magic=true"])).toThrow('unknown feature gate "Magic"');
    expect(() => readFeatureGates(["WatchList"])).toThrow('invalid value "" of the feature gate WatchList');
  });

  it.each(["CBORServingAndStorage", "MutatingAdmissionPolicy"])("%s is read, with its last value", (gate) => {
    expect(readFeatureGates([`${gate}=true`])).toEqual({ [gate]: true });
    expect(readFeatureGates([`${gate}=true`, `${gate}=false`])).toEqual({ [gate]: false });
    expect(readFeatureGates([])).toEqual({});
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
