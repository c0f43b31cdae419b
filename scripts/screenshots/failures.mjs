// Failures that a user meets, three of each kind, made in a copy of the Guestbook example.
// cspell:ignore Minimun creat Guestbok
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

const TYPES = "api/v1/guestbook_types.ts";
const CONTROLLER = "internal/controller/guestbook_controller.ts";
const MAIN = "cmd/main.ts";
const SAMPLE = "config/samples/webapp_v1_guestbook.yaml";
const MANIFESTS = "npx scaffold manifests";
const DEV = "npx scaffold dev";
const APPLY = "kubectl apply -k config/samples";
const CREATE = "npx scaffold create api --group webapp --version v1 --kind";

const edit = (file, from, to) => ({ file, change: (text) => replaced(text, from, to, file) });
const without = (file) => ({ file });

/**
 * Commands that fail, by kind: `edits` make the fault, and `line` is what the user types. With `isDevelopment`, `scaffold dev` runs: its output is shown, or
 * that of a line that runs beside it.
 */
export const FAILURES = {
  marker: [
    { edits: [edit(TYPES, "Minimum=1", "Minimun=1")], line: MANIFESTS },
    { edits: [edit(TYPES, "default=1\n", 'default="one"\n')], line: MANIFESTS },
    { edits: [edit(CONTROLLER, "verbs=create;patch", "verb=create;patch")], line: MANIFESTS },
  ],
  type: [
    { edits: [edit(TYPES, "size?: int32", "size?: number")], line: MANIFESTS },
    { edits: [edit(TYPES, "image?: string", "image?: Map<string, string>")], line: MANIFESTS },
    { edits: [edit(TYPES, "image?: string", "image?: PullPolicy")], line: MANIFESTS },
  ],
  usage: [
    { line: "npx scaffold creat api --kind Guestbook" },
    { line: `${CREATE} guestbook` },
    { line: "npx scaffold create webhook --group webapp --version v1 --kind Guestbok --defaulting" },
  ],
  project: [
    { edits: [without("PROJECT")], line: `${CREATE} Entry --resource --controller` },
    { edits: [edit("PROJECT", "domain: demo", "domain: [demo")], line: `${CREATE} Entry --resource --controller` },
    {
      edits: [edit("config/crd/kustomization.yaml", "resources:", "resources: {")],
      line: `${CREATE} Entry --resource --controller`,
    },
  ],
  server: [
    { edits: [edit(SAMPLE, "size: 2", "size: 11")], line: APPLY, isDevelopment: true },
    { edits: [edit(SAMPLE, "size: 2", "sise: 2")], line: APPLY, isDevelopment: true },
    { edits: [edit(SAMPLE, "guestbook:v3", "guestbook:latest")], line: APPLY, isDevelopment: true },
  ],
  runtime: [
    {
      edits: [
        edit(
          CONTROLLER,
          /^ *const deployment = await/mu,
          '    if (Date.now() > 0) throw new Error("the printer is on fire");\n$&',
        ),
      ],
      line: DEV,
      isDevelopment: true,
    },
    { edits: [edit(CONTROLLER, /^ *\/\/ \+kubebuilder:rbac:groups=apps.*\n/mu, "")], line: DEV, isDevelopment: true },
    {
      edits: [edit(MAIN, "await mgr.start", 'throw new Error("no configuration");\n  await mgr.start')],
      line: DEV,
      isDevelopment: true,
    },
  ],
};

/** Makes the fault of a failure in a project. */
export function applyEdits(project, edits = []) {
  for (const { file, change } of edits) {
    const target = path.join(project, file);
    if (change === undefined) rmSync(target);
    else writeFileSync(target, change(readFileSync(target, "utf8")));
  }
}

function replaced(text, from, to, file) {
  const changed = text.replace(from, to);
  if (changed === text) throw new Error(`${file} does not contain ${String(from)}`);
  return changed;
}
