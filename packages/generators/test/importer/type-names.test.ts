import { describe, expect, it } from "vitest";

import { itemPath, namesOfKinds, TypeNames } from "../../src/importer/type-names.ts";

describe("names of types", () => {
  it("are the kind and the last property, and longer only where that is taken", () => {
    const names = new TypeNames("Thing");
    expect(names.choose(["spec"])).toBe("ThingSpec");
    expect(names.choose(["spec", "template"])).toBe("ThingTemplate");
    expect(names.choose(["spec", "template", "spec"])).toBe("ThingTemplateSpec");
    expect(names.choose(["status", "template"])).toBe("ThingStatusTemplate");
    expect(names.choose(["spec", "a", "b"])).toBe("ThingB");
    expect(names.choose(["spec", "a", "b"])).toBe("ThingAB");
    expect(names.choose(["spec", "a", "b"])).toBe("ThingSpecAB");
    expect(names.choose(["spec", "a", "b"])).toBe("ThingSpecAB2");
  });

  it("are chosen once in a folder of several kinds", () => {
    const taken = namesOfKinds(["Thing", "ThingAccount"]);
    expect(new TypeNames("Thing", taken).choose(["spec", "account"])).toBe("ThingSpecAccount");
    expect(new TypeNames("Thing", taken).choose(["spec", "account", "spec"])).toBe("ThingSpec");
    expect(new TypeNames("ThingAccount", taken).choose(["spec"])).toBe("ThingAccountSpec");
    expect(new TypeNames("Thing", taken).choose(["status", "account", "spec"])).toBe("ThingStatusAccountSpec");
  });

  it("differ from those of the generated schemas", () => {
    const names = new TypeNames("Thing");
    expect(names.choose(["spec", "schema"])).toBe("ThingSpecSchema");
    expect(names.choose(["spec"])).toBe("ThingSpec2");
  });

  it("consist of letters and digits, and never those of the file itself", () => {
    expect(new TypeNames("Thing").choose(["spec", "odd-name.of/it"])).toBe("ThingOddNameOfIt");
    expect(new TypeNames("Thing").choose(["😀"])).toBe("ThingField");
    expect(new TypeNames("Thing").choose(["list"])).toBe("ThingList2");
    expect(new TypeNames("Group").choose(["version"])).toBe("GroupVersion2");
  });

  it.each([
    ["ports", "port"],
    ["policies", "policy"],
    ["addresses", "address"],
    ["hostAliases", "hostAlias"],
    ["status", "statusItem"],
    ["data", "dataItem"],
    ["class", "classItem"],
  ])("of the items of %s are those of %s", (list, item) => {
    expect(itemPath(["spec", list])).toEqual(["spec", item]);
  });
});
