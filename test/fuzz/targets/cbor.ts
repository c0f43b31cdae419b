// cspell:ignore anab dnameaddspec dnameasddata dspec hreplicas lschema
import { createApiServer } from "@kubescaffold/apiserver";

import { type FuzzTarget, requireThat } from "../engine/fuzz-target.ts";

const CBOR = "application/cbor";
const PATHS = [
  "/api/v1/namespaces/default/configmaps",
  "/api/v1/namespaces/default/secrets",
  "/apis/apps/v1/namespaces/default/deployments",
  "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
];

/** Bodies in CBOR, a character for each byte: each is answered, and created objects can be read as CBOR and as JSON. */
export const target: FuzzTarget = {
  name: "cbor",
  kind: "text",
  seeds: [
    "\xd9\xd9\xf7\xa3japiVersionBv1DkindIConfigMapHmetadata\xa1DnameAa",
    "\xa2hmetadata\xa1dnameasddata\xa1ak\xd6C\0\x01\xff",
    "\xbfhmetadata\x7fanab\xff\xff",
    "\xa2hmetadata\xa1dnameaddspec\xa1hreplicas\x1b\0\0\0\0\0\0\0\x02",
    "\xa1dspec\xa1lschema\xf9\x3c\0",
    "\x82\xc1\x1aQKg\xb0\xc0t2013-03-21T20:04:00Z",
  ],
  dictionary: [
    "\xa1",
    "\x81",
    "\x9f",
    "\xbf",
    "\xff",
    "\xd6",
    "\xd9\xd9\xf7",
    "\xfb",
    "\x1b",
    "i__proto__",
    "\xc1",
    "\xf6",
    "dname",
  ],
  run: async (text) => {
    const defects: unknown[] = [];
    const featureGates = { CBORServingAndStorage: true };
    const server = createApiServer({ featureGates, reportPanic: (error) => defects.push(error) });
    try {
      const body = Buffer.from(text, "latin1");
      for (const path of PATHS) {
        const headers = { "content-type": CBOR, accept: CBOR, "user-agent": "fuzz" };
        const answer = await server.handle(new Request(`http://in.process${path}`, { method: "POST", body, headers }));
        requireThat(defects.length === 0, `panicked on a body of ${path}: ${String(defects[0])}`);
        for (const accept of answer.status === 201 ? [CBOR, "application/json"] : []) {
          const list = await server.handle(new Request(`http://in.process${path}`, { headers: { accept } }));
          requireThat(list.status === 200, `answered ${String(list.status)} to a list of ${path} as ${accept}`);
        }
      }
    } finally {
      await server.close();
    }
  },
};
