import { createApiServer } from "@kubescaffold/apiserver";

import { type FuzzTarget, requireThat } from "../engine/fuzz-target.ts";

const PROTOBUF = "application/vnd.kubernetes.protobuf";
const PATHS = [
  "/api/v1/namespaces/default/configmaps",
  "/api/v1/namespaces/default/pods",
  "/apis/apps/v1/namespaces/default/deployments",
  "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
];

/** Bodies in protobuf, a character for each byte: each is answered, and created objects can be read in both forms. */
export const target: FuzzTarget = {
  name: "protobuf",
  kind: "text",
  seeds: [
    'k8s\0\n\x0f\n\x02v1\x12\tConfigMap\x12\x16\n\x0b\n\x01a\x12\0\x1a\0"\0*\0\x12\x06\n\x01k\x12\x01v\x1a\0"\0',
    "k8s\0\n\t\n\x02v1\x12\x03Pod\x12\x15\n\x05\n\x03pod\x12\x0c\x12\n\n\x01c\x12\x01i:\x02@\x01",
    "k8s\0\n\x15\n\x07apps/v1\x12\nDeployment\x12\x0a\n\x03\n\x01d\x12\x03\x08\x01 \x02",
    "k8s\0\n3\n\x17apiextensions.k8s.io/v1\x12\x18CustomResourceDefinition\x12\x0c\n\x03\n\x01x\x12\x05:\x03\n\x01v",
  ],
  dictionary: [
    "k8s\0",
    "\n\0",
    "\x12\0",
    "\x08\x01",
    "\xff\xff\xff\xff\x0f",
    "\x80\x01",
    "__proto__",
    "\x0b",
    "\x0c",
    '"',
    "1",
  ],
  run: async (text) => {
    const defects: unknown[] = [];
    const server = createApiServer({ reportPanic: (error) => defects.push(error) });
    try {
      const body = Buffer.from(text, "latin1");
      for (const path of PATHS) {
        const headers = { "content-type": PROTOBUF, accept: PROTOBUF, "user-agent": "fuzz" };
        const answer = await server.handle(new Request(`http://in.process${path}`, { method: "POST", body, headers }));
        requireThat(defects.length === 0, `panicked on a body of ${path}: ${String(defects[0])}`);
        for (const accept of answer.status === 201 ? [PROTOBUF, "application/json"] : []) {
          const list = await server.handle(new Request(`http://in.process${path}`, { headers: { accept } }));
          requireThat(list.status === 200, `answered ${String(list.status)} to a list of ${path} as ${accept}`);
        }
      }
    } finally {
      await server.close();
    }
  },
};
