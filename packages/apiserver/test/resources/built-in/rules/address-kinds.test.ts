import { expect, it } from "vitest";

import { TestServer } from "../../../support/test-server.ts";

it("a range of IPv4 in the form of IPv6 is the second of IPv4 in a ServiceCIDR", async () => {
  const server = new TestServer();
  const cidrs = ["10.1.0.0/16", "::ffff:10.0.0.0/104"];
  const path = "/apis/networking.k8s.io/v1/servicecidrs?dryRun=All";
  const { body } = await server.post(path, { metadata: { name: "a" }, spec: { cidrs } });
  expect(body.details.causes.map(({ field, message }: Record<string, string>) => [field, message])).toEqual([
    ["spec.cidrs[1]", 'Invalid value: "::ffff:10.0.0.0/104": must not have an IPv4-mapped IPv6 address'],
    [
      "spec.cidrs",
      'Invalid value: ["10.1.0.0/16","::ffff:10.0.0.0/104"]: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
    ],
  ]);
});
