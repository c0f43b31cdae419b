import { isRecord } from "@kubescaffold/platform";

import { readBaseImages } from "../../../src/image/base-image.ts";
import { parseReference } from "../../../src/image/reference.ts";
import { pullImage } from "../../../src/image/registry/pull-image.ts";
import { parseChallenge, createRegistryClient } from "../../../src/image/registry/registry-client.ts";
import { type FuzzTarget, jsonOf } from "../engine/fuzz-target.ts";

const REFERENCE = parseReference("registry.example.com/a/b:v1");

/** Registries: whatever they answer, an image is read or refused. */
export const target: FuzzTarget = {
  name: "registry",
  kind: "json",
  seeds: [
    '[{"status":401,"headers":{"www-authenticate":"Bearer realm=\\"https://auth.example.com/t\\",service=\\"r\\",scope=\\"repository:a/b:pull\\""},"body":{}},{"status":200,"headers":{},"body":{"token":"t","expires_in":60}},{"status":200,"headers":{"content-type":"application/vnd.oci.image.manifest.v1+json"},"body":{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":{"mediaType":"application/vnd.oci.image.config.v1+json","digest":"sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","size":2},"layers":[]}},{"status":200,"headers":{},"body":{}}]',
    '[{"status":307,"headers":{"location":"https://other.example.com/x"},"body":""},{"status":200,"headers":{"docker-content-digest":"sha256:0"},"body":{"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[{"digest":"sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","size":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","platform":{"os":"linux","architecture":"amd64"}}]}},{"status":200,"headers":{},"body":{}}]',
    '[{"status":404,"headers":{},"body":{"errors":[{"code":"MANIFEST_UNKNOWN","message":"m","detail":{}}]}},{"status":429,"headers":{"retry-after":"1"},"body":"text"}]',
  ],
  dictionary: [
    "status",
    "headers",
    "body",
    "www-authenticate",
    'Basic realm="x"',
    "Bearer ",
    "realm=",
    "location",
    "content-type",
    "docker-content-digest",
    "schemaVersion",
    "mediaType",
    "config",
    "layers",
    "manifests",
    "digest",
    "size",
    "platform",
    "os",
    "architecture",
    "rootfs",
    "diff_ids",
    "token",
    "access_token",
    "errors",
    "code",
    "message",
    "urls",
    "annotations",
  ],
  run: async (input) => {
    const value = jsonOf(input);
    if (!Array.isArray(value)) return;
    const answers = value.filter((each) => isRecord(each));
    for (const { headers } of answers)
      if (isRecord(headers)) for (const header of Object.values(headers)) parseChallenge(textOf(header));
    let index = 0;
    const client = createRegistryClient({
      registry: REFERENCE.registry,
      credentials: { kind: "password", username: "u", password: "p" },
      isInsecure: false,
      fetch: () => Promise.resolve(responseOf(answers[index++])),
      wait: () => Promise.resolve(),
    });
    const cache = new Map<string, Uint8Array>();
    const source = await pullImage(client, REFERENCE, {
      read: (digest) => cache.get(digest),
      write: (digest, bytes) => void cache.set(digest, bytes),
    });
    await readBaseImages(source, []);
  },
};

function responseOf(answer: Readonly<Record<string, unknown>> | undefined): Response {
  const status = Number(textOf(answer?.["status"]));
  const headers = new Headers();
  for (const [name, text] of Object.entries(isRecord(answer?.["headers"]) ? answer["headers"] : {}))
    addHeader(headers, name, textOf(text));
  const body = typeof answer?.["body"] === "string" ? answer["body"] : JSON.stringify(answer?.["body"] ?? null);
  const isPossible = Number.isInteger(status) && status >= 200 && status <= 599;
  const hasBody = ![204, 205, 304].includes(status);
  return new Response(hasBody ? body : null, { status: isPossible ? status : 503, headers });
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

// A server cannot send what no header may have.
function addHeader(headers: Headers, name: string, text: string): void {
  try {
    headers.append(name, text);
  } catch {
    headers.append("x-other", "");
  }
}
