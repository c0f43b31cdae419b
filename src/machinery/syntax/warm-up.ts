import type { SourceText } from "./syntax-thread.ts";

const SCRIPT = `/** A comment. */
import { execFileSync } from "node:child_process";
import type { Client, Result } from "./types.ts";
export { other as default } from "./other.ts";

const LINES: readonly string[] = ["a", \`b \${process.env["HOME"] ?? "none"}\`].map((each, index) => each + String(index * 2));
let { count = 1, ...others }: { count?: number; names: string[] } = { names: [...LINES] };

export class Reconciler implements Result<Client> {
  readonly #client: Client;
  constructor(client: Client) {
    this.#client = client;
  }
  async reconcile({ name }: { name: string }, signal?: AbortSignal): Promise<Result<Client> | undefined> {
    try {
      if (name === "" || !signal?.aborted) return undefined;
      const object = await this.#client.get(name as never);
      for (const [key, value] of Object.entries(object.items ?? {})) others[key] = typeof value === "object" ? null : value;
      return { ...object, isReady: count > 0 && /^a+$/u.test(name) };
    } catch (error) {
      throw new Error("failed", { cause: error });
    } finally {
      count += 1;
    }
  }
}

await describe("it", () => {
  it("works", async () => expect(await execFileSync("ls", { encoding: "utf8" })).toEqual(-1));
});
function* ids<T extends string = "a">(first: T): Generator<T> {
  while (count < 3) yield first;
}
`;

const MANIFEST = `# A comment.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: manager
  labels: {app.kubernetes.io/name: fleet, "quoted": 'yes'}
spec:
  replicas: 1
  selector:
    matchLabels:
      control-plane: controller-manager
  template:
    spec:
      containers:
        - name: manager
          args: [--leader-elect, "--health-probe-bind-address=:8081"]
          command:
          - /manager
          script: |
            echo one
            echo two
          folded: >-
            a long
            text
          ready: true
          cpu: 0.5
          empty: {}
          list: []
          nothing:
---
# Another document.
resources:
- ../crd
- path: patch.yaml
  target:
    kind: Deployment
`;

/** Texts with something of each form that files of projects have. */
export const WARM_UP: readonly SourceText[] = [
  { path: "warm-up.ts", text: SCRIPT },
  { path: "warm-up.yaml", text: MANIFEST },
];
