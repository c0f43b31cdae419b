import { expect, it } from "vitest";

import { TestServer } from "../../support/test-server.ts";

// Go reads null as the zero value of a quantity.
it("an amount that is null is zero", async () => {
  const { code, body } = await new TestServer().post("/api/v1/namespaces/default/pods", {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p" },
    spec: {
      containers: [{ name: "c", image: "x", resources: { limits: { cpu: null, memory: "1Gi" } } }],
      overhead: { cpu: null },
    },
  });
  expect(code).toBe(201);
  expect(body.spec.containers[0].resources.limits).toEqual({ cpu: "0", memory: "1Gi" });
});
