import path from "node:path";

import { describe, expect, it } from "vitest";

import { packageSpecs } from "../../src/changes/package-specs.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const NAMES = [
  "@kubescaffold/apiserver",
  "@kubescaffold/cluster",
  "@kubescaffold/dashboard",
  "@kubescaffold/envtest",
  "@kubescaffold/k8s",
  "@kubescaffold/platform",
  "@kubescaffold/runtime",
  "@kubescaffold/schema",
  "kubescaffold",
];

describe("the packages of a new project", () => {
  it("are paths from a checkout, relative to the project", () => {
    const root = temporaryFolder({ "checkout/packages/k8s/package.json": "{}" });
    const specs = packageSpecs({ packageRoot: path.join(root, "checkout"), projectRoot: path.join(root, "a", "b") });
    expect(Object.keys(specs).toSorted()).toEqual(NAMES);
    expect(specs["@kubescaffold/k8s"]).toBe("file:../../checkout/packages/k8s");
    expect(specs["kubescaffold"]).toBe("file:../../checkout");
  });

  it("are the tarballs beside the one this program was installed from", () => {
    const tarballs = NAMES.map((name) => `tarballs/${name.replace("@", "").replace("/", "-")}-0.1.0.tgz`);
    const root = temporaryFolder({
      ...Object.fromEntries(tarballs.map((name) => [name, ""])),
      "installed/node_modules/.package-lock.json": JSON.stringify({
        packages: { "node_modules/kubescaffold": { resolved: "file:../tarballs/kubescaffold-0.1.0.tgz" } },
      }),
      "installed/node_modules/kubescaffold/package.json": '{"version":"0.1.0"}',
    });
    const specs = packageSpecs({
      packageRoot: path.join(root, "installed/node_modules/kubescaffold"),
      projectRoot: path.join(root, "project"),
    });
    expect(specs["kubescaffold"]).toBe("file:../tarballs/kubescaffold-0.1.0.tgz");
    expect(specs["@kubescaffold/k8s"]).toBe("file:../tarballs/kubescaffold-k8s-0.1.0.tgz");
  });

  it("are version ranges once they are published", () => {
    const root = temporaryFolder({ "node_modules/kubescaffold/package.json": '{"version":"1.2.3"}' });
    const specs = packageSpecs({ packageRoot: path.join(root, "node_modules/kubescaffold"), projectRoot: root });
    expect(new Set(Object.values(specs))).toEqual(new Set(["^1.2.3"]));
  });
});
